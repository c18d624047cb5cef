"""Reference implementation of split gains: sums every threshold of every column from its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.testing.candidates import propose
from ceiba.testing.columns import drawn_lot
from ceiba.testing.trees import Bounds, Node, Plan, Reals, Split, Sums, Tree

if TYPE_CHECKING:
    from ceiba.testing.rounding import Rounded

__all__ = [
    "as_array",
    "bounded_step",
    "candidate_gains",
    "candidate_sums",
    "goes_left",
    "is_candidate",
    "is_drawn",
    "is_gain",
    "is_hopeless",
    "is_left_heavier",
    "is_proposed",
    "more_sums_of",
    "score",
    "score_of",
    "step_of",
    "sums_of",
]


def bounded_step(
    gradient: Any, hessian: Any, plan: Plan, bounds: Bounds, extra_l2: float = 0.0
) -> Any:
    """Return the optimal leaf value within bounds."""
    below = np.asarray(hessian + (plan.reg_lambda + extra_l2))
    top = np.copysign(np.maximum(np.abs(gradient) - plan.reg_alpha, 0.0), gradient)
    with np.errstate(divide="ignore", invalid="ignore"):
        free = -top / below
    return np.clip(np.where(below > 0, free, 0.0), *bounds)


def _likelihood(n: Any, whole: Any) -> Any:
    """Return n ln(n / whole), or 0 if n is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(n > 0, n * _log(np.divide(n, whole)), 0.0)


def _log(values: Any) -> Any:
    """Return the logarithm by ``_core.log``, for any shape."""
    values = np.asarray(values, dtype=np.float64)
    return _core.log(np.ascontiguousarray(values).reshape(-1)).reshape(values.shape)


def _entropy_score(gradient: Any, hessian: Any, *, several: bool) -> Any:
    """Return the log-likelihood of class frequencies; ``-gradient`` counts the rows of a class.

    With ``several`` outputs (more than two classes), every output adds its own term.
    """
    own = _likelihood(-gradient, hessian)
    return own if several else own + _likelihood(hessian + gradient, hessian)


def score(
    gradient: Any,
    hessian: Any,
    plan: Plan,
    bounds: Bounds | None = None,
    extra_l2: float = 0.0,
    *,
    several: bool = False,
) -> Any:
    """Return twice the decrease of the objective with the optimal leaf value, or the entropy score.

    ``several``: other outputs share the tree.
    """
    if plan.score == "entropy":
        return _entropy_score(gradient, hessian, several=several)
    below = np.asarray(hessian + (plan.reg_lambda + extra_l2))
    with np.errstate(divide="ignore", invalid="ignore"):
        if plan.bounded:
            step = bounded_step(gradient, hessian, plan, bounds or plan.first_bounds, extra_l2)
            penalty = 2 * (plan.reg_alpha if plan.penalize_bounded else 0.0) * np.abs(step)
            fall = -(2 * gradient * step + below * step * step + penalty)
        else:
            top = np.copysign(np.maximum(np.abs(gradient) - plan.reg_alpha, 0.0), gradient)
            fall = top * top / below
    return np.where(below > 0, fall, 0.0)


def is_gain(gain: float, parent_score: float, tree: Tree, *, at_all: bool = False) -> bool:
    """Whether a gain exceeds the minimum (``at_all``: zero) and the rounding error."""
    enough = at_all or gain >= _smallest_gain(tree)
    return enough and gain > 2.0**-42 * (gain + abs(parent_score)) and gain > 0


def is_hopeless(gain: float, parent_score: float, tree: Tree) -> bool:
    """Whether a gain is below the minimum by more than the rounding error, or not positive."""
    smallest = _smallest_gain(tree)
    return gain <= smallest - 2.0**-42 * (abs(smallest) + abs(parent_score))


def _smallest_gain(tree: Tree) -> float:
    """Return the minimum gain of a split during growth."""
    plan = tree.plan
    return max(
        0.0 if plan.prune_after else plan.min_split_gain, plan.min_impurity_decrease * tree.hessian
    )


def as_array(sums: Sums) -> NDArray[np.int64]:
    """Return gradient, hessian and count."""
    return np.array([sums.gradient, sums.hessian, sums.count], dtype=np.int64)


def sums_of(rounded: Rounded, rows: NDArray[np.intp]) -> Sums:
    """Return the sums of some rows."""
    return Sums(
        int(rounded.gradients[rows].sum()),
        int(rounded.hessians[rows].sum()),
        int(rounded.counts[rows].sum()),
    )


def more_sums_of(tree: Tree, rows: NDArray[np.intp]) -> tuple[Sums, ...]:
    """Return the sums of some rows for all outputs but the first."""
    return tuple(sums_of(rounded, rows) for rounded in tree.more_rounded)


def score_of(tree: Tree, sums: Sums, bounds: Bounds, more: tuple[Sums, ...] = ()) -> float:
    """Return the score of rows with these sums over all outputs."""
    total = _score_of_output(tree, tree.rounded, sums, bounds)
    for rounded, own in zip(tree.more_rounded, more, strict=True):
        total += _score_of_output(tree, rounded, own, bounds)
    return total


def _score_of_output(tree: Tree, rounded: Rounded, sums: Sums, bounds: Bounds) -> float:
    gradient, hessian, _ = rounded.real(as_array(sums), as_array(sums))
    several = bool(tree.more_rounded)
    return float(score(gradient, hessian, tree.plan, bounds, several=several))


def step_of(tree: Tree, sums: Sums, bounds: Bounds) -> float:
    """Return the optimal leaf value of rows with these sums."""
    gradient = sums.gradient * tree.rounded.gradient_unit
    hessian = sums.hessian * tree.rounded.hessian_unit
    return float(bounded_step(gradient, hessian, tree.plan, bounds))


def candidate_gains(tree: Tree, node: Node, feature: int, invalid: float) -> tuple[Reals, bool]:
    """Return gains [n_values, 2] (missing left, missing right) and whether a value is missing.

    A candidate gets ``invalid`` if a child is below a minimum or the children violate the monotone
    constraint of the column. The last candidate, missing against present, has no direction. Gains
    of outputs that share the tree are added.
    """
    total, some_missing = _gains_of_output(tree, node, feature, tree.rounded, node.sums)
    for rounded, sums in zip(tree.more_rounded, node.more_sums, strict=True):
        total = total + _gains_of_output(tree, node, feature, rounded, sums)[0]
    return np.where(total == -np.inf, invalid, total), some_missing


def _gains_of_output(
    tree: Tree, node: Node, feature: int, rounded: Rounded, sums: Sums
) -> tuple[Reals, bool]:
    plan = tree.plan
    parent = node.score
    if tree.more_rounded:
        parent = _score_of_output(tree, rounded, sums, node.bounds)
    gains = np.empty((tree.n_values[feature], 2))
    sides = candidate_sums(tree, node, feature, rounded, sums)
    for column, (left, right) in enumerate(sides):
        fewest = max(1, plan.min_samples_leaf)
        valid = (
            (left[2] >= fewest)
            & (right[2] >= fewest)
            & (left[1] >= tree.leaf_hessian)
            & (right[1] >= tree.leaf_hessian)
        )
        if plan.monotone:
            steps = [bounded_step(side[0], side[1], plan, node.bounds) for side in (left, right)]
            direction = plan.monotone[feature]
            against = direction * steps[0] > direction * steps[1]
            against[-1:] = False  # missing against present: no monotone constraint applies
            valid &= ~against
        gain = (
            score(left[0], left[1], plan, node.bounds, several=bool(tree.more_rounded))
            + score(right[0], right[1], plan, node.bounds, several=bool(tree.more_rounded))
            - parent
        )
        gains[:, column] = np.where(valid, gain, -np.inf)
    return gains, bool((tree.codes[node.rows, feature] == tree.n_values[feature]).any())


def candidate_sums(
    tree: Tree,
    node: Node,
    feature: int,
    rounded: Rounded | None = None,
    sums: Sums | None = None,
) -> list[tuple[Reals, Reals]]:
    """Return the sums left and right of every threshold, for missing left and missing right.

    The sums are gradients, hessians and counts in real units, by default of the first output.
    """
    rounded, sums = rounded or tree.rounded, sums or node.sums
    n_values = tree.n_values[feature]
    histogram = np.zeros((3, n_values + 1), dtype=np.int64)
    for values, bins in zip(
        (rounded.gradients, rounded.hessians, rounded.counts), histogram, strict=True
    ):
        np.add.at(bins, tree.codes[node.rows, feature], values[node.rows])
    of_node = as_array(sums)
    left_values = rounded.real(np.cumsum(histogram[:, :n_values], axis=1), of_node)
    missing = rounded.real(histogram[:, n_values], of_node)
    total = rounded.real(of_node, of_node)
    lefts = [left_values + added[:, None] for added in (missing, np.zeros(3))]
    if tree.estimates_rows:
        rows = np.cumsum(tree.estimated_rows(node, histogram[1, :n_values]))
        # If missing rows go left or there are none, sum the right side.
        from_right = sums.count - (rows[-1:] - rows)
        from_left = rows
        if tree.zero_first[feature]:  # the first bin is the total minus the other bins
            missing_rows = tree.estimated_rows(node, histogram[1, n_values:])
            from_left = rows + (sums.count - rows[-1:] - missing_rows)
        counts = [from_right, from_left if tree.has_missing[feature] else from_right]
        for left, estimate in zip(lefts, counts, strict=True):
            empty = (left[2] == 0) | (left[2] == sums.count)
            left[2] = np.where(empty, -np.inf, estimate)
    return [(left, total[:, None] - left) for left in lefts]


def is_candidate(tree: Tree, nodes: list[Node], feature: int) -> NDArray[np.bool_]:
    """Return a mask of valid exact candidates: their left side has a value that is not missing."""
    n_values = tree.n_values[feature]
    if tree.values is None:
        return np.ones(n_values, dtype=np.bool_)
    rows = np.concatenate([node.rows for node in nodes])
    codes = tree.codes[rows, feature]
    return np.asarray(np.arange(n_values) >= codes.min(initial=n_values), dtype=np.bool_)


def is_proposed(tree: Tree, node: Node, feature: int) -> NDArray[np.bool_]:
    """Return a mask of the codes that a node proposes; the last one is missing against present."""
    n_values = tree.n_values[feature]
    if tree.room is None:
        return np.ones(n_values, dtype=np.bool_)
    proposed = np.zeros(n_values, dtype=np.bool_)
    proposed[-1] = True
    rows = node.rows[tree.codes[node.rows, feature] < n_values]
    hessians, counts = tree.rounded.hessians[rows], tree.rounded.counts[rows]
    proposed[propose(tree.codes[rows, feature], hessians, counts, tree.room[feature])] = True
    return proposed


def is_drawn(tree: Tree, depth: int, number: int, feature: int) -> NDArray[np.bool_]:
    """Return a mask of the candidates: all codes, or the one that extra trees draw."""
    n_values = tree.n_values[feature]
    n = n_values - (not tree.has_missing[feature])
    if not tree.plan.extra_trees or n < 1:
        return np.full(n_values, not tree.plan.extra_trees)
    return np.asarray(np.arange(n_values) == drawn_lot(tree, depth, number, feature) % n)


def goes_left(tree: Tree, rows: NDArray[np.intp], split: Split) -> NDArray[np.bool_]:
    """Return a mask of the rows that a split sends left."""
    codes = tree.codes[rows, split.feature]
    missing = codes == tree.n_values[split.feature]
    left = codes <= split.bin
    if split.members is not None:
        left = np.isin(codes, list(split.members))
    return np.asarray(np.where(missing, split.missing_left, left), dtype=np.bool_)


def is_left_heavier(tree: Tree, nodes: list[Node], split: Split) -> bool:
    """Whether the values on the left have at least half of the weight."""
    trial = Split(0.0, split.feature, split.bin, False, split.members)
    left = total = 0.0
    for node in nodes:
        left += float(tree.heaviness[node.rows[goes_left(tree, node.rows, trial)]].sum())
        total += float(tree.heaviness[node.rows].sum())
    return 2.0 * left >= total
