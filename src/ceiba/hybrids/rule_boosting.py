"""Training of a linear model with rules: explainable boosted linear regression (EBLR).

The life of a training:

1. Fit a linear (or logistic) model to the columns and the rules so far.
2. Grow a small tree on its errors (``row_losses.py``).
3. Turn the leaf with the largest absolute mean error into a rule: a new 0/1 column. Skip leaves
   that equal a known rule or the complement of one.
4. After ``n_estimators`` rules, or when no leaf is left, fit the final model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.data.schema import Schema
from ceiba.hybrids.design_matrix import DesignMatrix
from ceiba.hybrids.engine_trees import grow_tree
from ceiba.hybrids.file import Stored
from ceiba.hybrids.linear_models import Linear, Penalty, fit_logistic, fit_regression
from ceiba.hybrids.row_losses import classification_losses, regression_losses
from ceiba.hybrids.rows import TrainingRows
from ceiba.hybrids.rules import Rule, leaf_rules, rule_from_json
from ceiba.hybrids.softmax import softmax

if TYPE_CHECKING:
    from ceiba.model.model import Model

__all__ = ["BoostedLinearModel", "RuleBoosting"]

Floats = NDArray[np.float64]
#: Digits for comparing mean errors. Ties go to the leaf with the lowest node number.
_DIGITS = 12


@dataclass(frozen=True, eq=False)
class BoostedLinearModel:
    """Linear model of columns and of rules, which are 1 for matching rows and 0 otherwise."""

    schema: Schema
    design: DesignMatrix
    classes: NDArray[Any] | None
    linear: Linear
    rules: tuple[Rule, ...]
    #: Coefficients [scores, rules].
    rule_coefficients: Floats
    #: Weight of the training rows that match each rule, and their mean error when it was found.
    rule_weights: Floats
    rule_errors: Floats

    def scores(self, values: Floats) -> Floats:
        """Return the predictions of rows."""
        scores = self.linear.scores(self.design.columns(values))
        for rule, coefficients in zip(self.rules, self.rule_coefficients.T, strict=True):
            scores[rule.met(values)] += coefficients
        return scores[:, 0] if self.classes is None else softmax(scores)

    def models(self) -> Mapping[str, Model]:
        """Return an empty mapping: it contains no ceiba model."""
        return {}

    def stored(self) -> Stored:
        """Return the content of the model file."""
        arrays = {
            **self.design.to_arrays(),
            "coefficients": self.linear.coefficients,
            "centers": self.linear.centers,
            "rule_coefficients": self.rule_coefficients,
            "rule_weights": self.rule_weights,
            "rule_errors": self.rule_errors,
        }
        values = {"rules": [rule.to_json() for rule in self.rules]}
        return Stored(self.schema, self.classes, values, arrays)

    @classmethod
    def restored(cls, stored: Stored) -> BoostedLinearModel:
        """Restore the model of a file; raise ValueError if it is damaged."""
        design = DesignMatrix.from_arrays(stored.schema, stored.arrays)
        n_classes = 0 if stored.classes is None else len(stored.classes)
        if n_classes == 1:
            raise ValueError("it has only one class")
        n_outputs = n_classes if n_classes > 2 else 1
        rules = tuple(rule_from_json(one, stored.schema) for one in stored.listed("rules"))
        linear = Linear(
            stored.numbers("coefficients", n_outputs, design.n_columns),
            stored.numbers("centers", n_outputs),
        )
        return cls(
            stored.schema,
            design,
            stored.classes,
            linear,
            rules,
            stored.numbers("rule_coefficients", n_outputs, len(rules)),
            stored.numbers("rule_weights", len(rules)),
            stored.numbers("rule_errors", len(rules)),
        )


@dataclass(frozen=True, eq=False)
class RuleBoosting:
    """Training state shared by the steps."""

    rows: TrainingRows
    design: DesignMatrix
    columns: Floats
    penalty: Penalty
    classes: NDArray[Any] | None
    options: Mapping[str, Any]

    def fit(self, indicators: list[Floats]) -> Linear:
        """Fit the linear model to the columns and the rules. Rules are not standardized."""
        columns = np.column_stack([self.columns, *indicators])
        scales = np.append(self.design.scales, np.ones(len(indicators)))
        fit = fit_regression if self.classes is None else fit_logistic
        return fit(columns, self.rows.target, self.rows.weights, self.penalty, scales)

    def errors(self, linear: Linear, indicators: list[Floats]) -> Floats:
        """Return the errors of the rows."""
        scores = linear.scores(np.column_stack([self.columns, *indicators]))
        loss = self.options["loss"]
        if self.classes is None:
            return regression_losses(loss, self.rows.target, scores[:, 0])
        return classification_losses(loss, self.rows.target, softmax(scores))

    def worst_leaf(self, errors: Floats, known: list[Floats]) -> tuple[Rule, Floats, float] | None:
        """Return the leaf of a small tree with the largest mean error that is not a rule yet."""
        tree = grow_tree(self.rows, errors, self.options)
        found = []
        for node, rule in leaf_rules(tree).items():
            met = rule.met(self.rows.values).astype(np.float64)
            weight = _core.exact_sum(self.rows.weights * met)
            if not rule.conditions or not weight:
                continue
            mean = _core.exact_sum(errors * met, self.rows.weights) / weight
            found.append((-float(f"{abs(mean):.{_DIGITS}g}"), node, rule, met, mean))
        for size, _, rule, met, mean in sorted(found, key=lambda one: one[:2]):
            if size == 0.0:
                return None
            if not any(np.array_equal(met, own) or np.array_equal(met, 1 - own) for own in known):
                return rule, met, mean
        return None

    def learn(self) -> BoostedLinearModel:
        """Run all steps and return the model."""
        rows, n_columns = self.rows, self.design.n_columns
        rules: list[Rule] = []
        indicators: list[Floats] = []
        means: list[float] = []
        linear = self.fit(indicators)
        while len(rules) < self.options["n_estimators"]:
            worst = self.worst_leaf(self.errors(linear, indicators), indicators)
            if worst is None:
                break
            rules.append(worst[0])
            indicators.append(worst[1])
            means.append(worst[2])
            linear = self.fit(indicators)
        return BoostedLinearModel(
            rows.schema,
            self.design,
            self.classes,
            Linear(np.ascontiguousarray(linear.coefficients[:, :n_columns]), linear.centers),
            tuple(rules),
            np.ascontiguousarray(linear.coefficients[:, n_columns:]),
            np.array([_core.exact_sum(rows.weights * met) for met in indicators]),
            np.array(means, dtype=np.float64),
        )
