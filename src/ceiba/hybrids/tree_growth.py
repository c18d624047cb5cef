"""Grow a linear tree: fit a linear model to each node and split while the loss decreases.

The life of a tree:

1. The root holds all rows and their linear model.
2. A node below the maximum depth searches its best split (``split_search.py``), scored by moments.
   The models of both sides are then fitted to convergence. The split is kept if their total loss
   is smaller than the loss of the node.
3. A node without a split becomes a leaf with a rule, a model and its rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ceiba.hybrids.design_matrix import DesignMatrix
from ceiba.hybrids.linear_models import Linear, Penalty, fit_logistic, fit_regression
from ceiba.hybrids.rows import TrainingRows
from ceiba.hybrids.rules import Rule
from ceiba.hybrids.softmax import softmax
from ceiba.hybrids.split_search import (
    Binned,
    Search,
    Split,
    WorkingValues,
    best_split,
    logistic_values,
    regression_values,
)

__all__ = ["Grower", "Leaf", "class_probabilities"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Leaf:
    """A node that is not split (yet)."""

    rule: Rule
    rows: NDArray[np.intp]
    model: Linear
    #: Loss of its rows: sum of squared errors, or log loss of a classification.
    loss: float
    weight: float
    #: Which classes occur in its rows; one entry for a regression.
    present: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Grower:
    """Inputs and limits of the growth of a tree."""

    rows: TrainingRows
    design: DesignMatrix
    penalty: Penalty
    #: 0 for a regression.
    n_classes: int
    binned: Binned
    max_depth: int
    min_weight: float
    min_gain: float
    n_threads: int

    def grow(self) -> list[Leaf]:
        """Return the leaves from left to right."""
        columns = self.design.columns(self.rows.values)
        open_nodes = [self._leaf(columns, Rule(), np.arange(self.rows.n_rows))]
        leaves = []
        while open_nodes:
            node = open_nodes.pop()
            sides = self._sides(columns, node)
            if sides is None:
                leaves.append(node)
            else:
                open_nodes += reversed(sides)
        return leaves

    def _leaf(self, columns: Floats, rule: Rule, rows: NDArray[np.intp]) -> Leaf:
        here, target, weights = columns[rows], self.rows.target[rows], self.rows.weights[rows]
        scales = self.design.scales
        if not self.n_classes:
            model = fit_regression(here, target, weights, self.penalty, scales)
            present = np.ones(1, dtype=bool)
            loss = float((weights * (target - model.scores(here)[:, 0]) ** 2).sum())
        else:
            present = np.bincount(target.astype(np.intp), minlength=self.n_classes) > 0
            model = self._class_model(here, target, weights, present)
            weight = float(weights.sum())
            known = class_probabilities(model.scores(here), present, weight)
            own = known[np.arange(len(target)), target.astype(np.intp)]
            loss = float(-(weights * np.log(np.maximum(own, 1e-300))).sum())
        return Leaf(rule, rows, model, loss, float(weights.sum()), present)

    def _class_model(
        self, columns: Floats, target: Floats, weights: Floats, present: NDArray[np.bool_]
    ) -> Linear:
        """Fit a model of the classes that occur, with zero slopes for the other classes."""
        n_outputs = 1 if self.n_classes == 2 else self.n_classes
        coefficients = np.zeros((n_outputs, self.design.n_columns))
        centers = np.zeros(n_outputs)
        if present.sum() < 2:
            return Linear(coefficients, centers)
        fitted = fit_logistic(columns, target, weights, self.penalty, self.design.scales)
        if self.n_classes == 2:
            return fitted
        there = np.flatnonzero(present)
        if len(there) == 2:  # one score, of the second class
            there = there[1:]
        coefficients[there], centers[there] = fitted.coefficients, fitted.centers
        return Linear(coefficients, centers)

    def _sides(self, columns: Floats, node: Leaf) -> list[Leaf] | None:
        deep = len(node.rule.conditions) >= self.max_depth
        pure = self.n_classes and node.present.sum() < 2
        if deep or pure or node.weight < 2 * self.min_weight or not node.loss > 0.0:
            return None
        rows = node.rows
        see: Callable[..., WorkingValues] = logistic_values if self.n_classes else regression_values
        working = see(
            columns[rows],
            self.rows.target[rows],
            self.rows.weights[rows],
            node.model,
            self.penalty,
            self.design.scales,
        )
        search = Search(self.penalty, self.min_weight, self.n_threads)
        split = best_split(self.binned, rows, working, search, self.rows.schema)
        if split is None:
            return None
        sides = self._fitted_sides(columns, node, split)
        left = sum(side.loss for side in sides)
        return sides if node.loss - left > self.min_gain * node.loss else None

    def _fitted_sides(self, columns: Floats, node: Leaf, split: Split) -> list[Leaf]:
        met = split.left.met(self.rows.values[node.rows])
        return [
            self._leaf(columns, node.rule.with_condition(condition), node.rows[mask])
            for condition, mask in ((split.left, met), (split.right, ~met))
        ]


def class_probabilities(scores: Floats, present: NDArray[np.bool_], weight: float) -> Floats:
    """Return the class probabilities in a leaf.

    A class without rows in the leaf counts as one row, so that no probability is 0.
    """
    if scores.shape[1] == 1:
        scores = np.concatenate([np.zeros_like(scores), scores], axis=1)
    shares = softmax(np.where(present, scores, -np.inf))
    n_absent = int((~present).sum())
    if n_absent:
        shares *= weight / (weight + n_absent)
        shares[:, ~present] = 1.0 / (weight + n_absent)
    return shares
