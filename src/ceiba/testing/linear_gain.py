"""Growth of one reference tree with gains of linear models (``linear_fit="gain"``).

A model is a vector of coefficients: an intercept and one slope per column (0 if the column is not a
regressor). The search tries every candidate of every column and solves both children's models from
their rows. Sums are floating-point, so results equal those of the C++ core, which sums integers, up
to rounding.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ceiba.testing.trees import Plan, Reals

__all__ = ["LinearNode", "LinearTable", "fit_node", "grow_linear", "objective"]

#: Smallest pivot (as a share of the diagonal) of a function that is independent of earlier ones.
_SMALLEST_PIVOT = 1e-9


@dataclass(frozen=True)
class LinearTable:
    """Rows as the search reads them, and the parameters of their models."""

    codes: NDArray[np.int64]
    n_values: list[int]
    values: list[list[float]]  #: value of each bin by column; empty: not a regressor
    gradients: Reals
    hessians: Reals
    counts: Reals  #: repetitions of each row, over which gradients and hessians are summed
    plan: Plan
    fit: str = "additive"
    max_features: int = 5
    linear_lambda: float = 0.0
    features: tuple[int, ...] | None = None

    @property
    def regressors(self) -> Reals:
        """A column of ones, and every column with its bin values."""
        n_rows, n_columns = self.codes.shape
        columns = [
            np.asarray(of)[self.codes[:, j]] if (of := self.values[j]) else np.zeros(n_rows)
            for j in range(n_columns)
        ]
        return np.column_stack([np.ones(n_rows), *columns])

    @property
    def penalties(self) -> Reals:
        slopes = np.full(self.codes.shape[1], self.linear_lambda)
        return np.concatenate([[self.plan.reg_lambda], slopes])


@dataclass
class LinearNode:
    """A node with its rows and its model."""

    rows: NDArray[np.intp]
    depth: int
    model: Reals
    regressors: tuple[int, ...]  #: columns in the order of their first use
    gain: float = -math.inf
    feature: int = -1
    bin: int = -1
    missing_left: bool = True
    children: tuple[LinearNode, LinearNode] | None = field(default=None, repr=False)


def objective(table: LinearTable, rows: NDArray[np.intp], model: Reals) -> float:
    """Return twice the decrease of the penalized objective of some rows by a model."""
    f = table.regressors[rows] @ model
    g, h = table.gradients[rows], table.hessians[rows]
    return float(-(2 * g @ f + h @ f**2) - table.penalties @ model**2)


def _solve(matrix: Reals, side: Reals) -> Reals:
    """Solve by elimination; functions that depend linearly on earlier ones get coefficient 0."""
    chosen: list[int] = []
    for i in range(len(side)):
        block = matrix[np.ix_(chosen, chosen)]
        cross = matrix[i, chosen]
        rest = matrix[i, i] - (cross @ np.linalg.solve(block, cross) if chosen else 0.0)
        if rest > _SMALLEST_PIVOT * matrix[i, i]:
            chosen.append(i)
    out = np.zeros(len(side))
    if chosen:
        out[chosen] = np.linalg.solve(matrix[np.ix_(chosen, chosen)], side[chosen])
    return out


def fit_node(
    table: LinearTable, rows: NDArray[np.intp], base: Reals, functions: list[Reals]
) -> Reals:
    """Return the best model of some rows that differs from ``base`` by ``functions``.

    A function is a vector of coefficients; the first one is the intercept. With fewer than two rows
    per function, only the intercept is fitted.
    """
    if table.counts[rows].sum() < 2 * len(functions):
        functions = functions[:1]
    changes = np.column_stack(functions)
    Z = table.regressors[rows] @ changes
    penalty = table.penalties
    g = table.gradients[rows] + table.hessians[rows] * (table.regressors[rows] @ base)
    matrix = Z.T @ (table.hessians[rows][:, None] * Z) + changes.T @ (penalty[:, None] * changes)
    return base + changes @ _solve(matrix, -(Z.T @ g + changes.T @ (penalty * base)))


def _functions(table: LinearTable, node: LinearNode, feature: int) -> tuple[list[Reals], bool]:
    """Return the functions that fit the children of a split, and whether they use its column."""
    unit = np.eye(table.codes.shape[1] + 1)
    functions = [unit[0]]
    is_old = feature in node.regressors
    room = table.features is None and len(node.regressors) < table.max_features
    is_number = bool(table.values[feature]) and not table.plan.is_category(feature)
    if table.fit == "half_additive":
        slopes = node.model.copy()
        slopes[0] = 0.0
        if slopes.any():
            functions.append(slopes)
    elif table.fit == "full":
        functions += [unit[j + 1] for j in node.regressors]
    has_column = is_number and (is_old or room)
    if has_column and not (table.fit == "full" and is_old):
        functions.append(unit[feature + 1])
    return functions, has_column


def _candidates(table: LinearTable, node: LinearNode, feature: int):  # type: ignore[no-untyped-def]
    """Yield (bin, missing left, mask of left rows) in tie-breaking order."""
    codes = table.codes[node.rows, feature]
    missing = codes == table.n_values[feature]
    for last in range(table.n_values[feature]):
        left = (codes <= last) & ~missing
        if missing.any() and left.any():
            yield last, True, left | missing
        yield last, not missing.any(), left


def _search(table: LinearTable, node: LinearNode) -> None:
    plan = table.plan
    if plan.max_depth > 0 and node.depth >= plan.max_depth:
        return
    before = objective(table, node.rows, node.model)
    for feature in range(table.codes.shape[1]):
        functions, has_column = _functions(table, node, feature)
        regressors = node.regressors
        if has_column and feature not in regressors:
            regressors = (*regressors, feature)
        for last, missing_left, goes_left in _candidates(table, node, feature):
            sides = node.rows[goes_left], node.rows[~goes_left]
            if any(table.counts[rows].sum() < max(1, plan.min_samples_leaf) for rows in sides):
                continue
            if any(table.hessians[rows].sum() < plan.min_child_weight for rows in sides):
                continue
            models = [fit_node(table, rows, node.model, functions) for rows in sides]
            after = sum(objective(table, *each) for each in zip(sides, models, strict=True))
            if not after - before > node.gain:
                continue
            node.gain, node.feature, node.bin = after - before, feature, last
            node.missing_left = missing_left
            node.children = tuple(  # type: ignore[assignment]
                LinearNode(rows, node.depth + 1, model, regressors)
                for rows, model in zip(sides, models, strict=True)
            )
    if not node.gain > max(plan.min_split_gain, 0.0):
        node.children = None


def grow_linear(table: LinearTable) -> list[LinearNode]:
    """Grow a tree leafwise and return its nodes; split nodes have children."""
    rows = np.arange(len(table.codes))
    nothing = np.zeros(table.codes.shape[1] + 1)
    given = table.features or ()
    unit = np.eye(len(nothing))
    functions = [unit[0], *(unit[j + 1] for j in given)]
    nodes = [LinearNode(rows, 0, fit_node(table, rows, nothing, functions), given)]
    _search(table, nodes[0])
    waiting, n_leaves = nodes[:], 1
    while n_leaves < table.plan.max_leaves:
        waiting = [node for node in waiting if node.children is not None]
        if not waiting:
            break
        best = max(waiting, key=lambda node: node.gain)
        waiting = [node for node in waiting if node is not best]
        assert best.children is not None
        for child in best.children:
            _search(table, child)
            nodes.append(child)
            waiting.append(child)
        n_leaves += 1
    for node in waiting:
        node.children = None
    return nodes
