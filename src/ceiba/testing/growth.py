"""The growth of one reference tree: candidates, columns, frontier.

Every node keeps its rows and sums its own histograms; every candidate of every column is tried;
the frontier is a list.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.testing import rules
from ceiba.testing.candidates import edge_between, propose

if TYPE_CHECKING:
    from collections.abc import Callable

    from ceiba.testing.rounding import Rounded
    from ceiba.testing.rules import Bounds

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Plan:
    """What a tree may look like; the names and defaults of ``_core.GrowPlan``."""

    grow_policy: str = "leafwise"
    max_depth: int = 0
    max_leaves: int = 31
    min_samples_leaf: int = 1
    min_child_weight: float = 0.0
    reg_lambda: float = 0.0
    reg_alpha: float = 0.0
    min_split_gain: float = 0.0
    max_delta_step: float = 0.0
    colsample_bytree: float = 1.0
    colsample_bylevel: float = 1.0
    colsample_bynode: float = 1.0
    seed: int = 0
    weighted_counts: bool = True
    min_samples_split: int = 2
    columns_bynode: int = 0
    prune_after: bool = False
    min_impurity_decrease: float = 0.0
    penalize_bounded: bool = True
    unit_hessians: bool = False
    monotone: tuple[int, ...] = ()
    interactions: tuple[tuple[int, ...], ...] = ()
    weights: tuple[float, ...] = ()
    sketch_eps: float = 0.0
    approx_scope: str = "tree"

    def for_engine(self) -> _core.GrowPlan:
        """Return the same plan for the engine."""
        values = asdict(self)
        columns = {name: values.pop(name) for name in ("monotone", "interactions", "weights")}
        return _core.GrowPlan(**values, columns=_core.ColumnRules(**columns))

    @property
    def bounded(self) -> bool:
        """Whether the constant of a node may have bounds."""
        return self.max_delta_step > 0 or bool(self.monotone)

    @property
    def first_bounds(self) -> Bounds:
        """The bounds of the root."""
        limit = self.max_delta_step if self.max_delta_step > 0 else math.inf
        return -limit, limit


@dataclass(frozen=True)
class Sums:
    """Sums of rows, in units."""

    gradient: int
    hessian: int
    count: int


@dataclass(frozen=True)
class Split:
    """A candidate: codes up to ``bin`` go left, missing values as ``missing_left`` says."""

    gain: float
    feature: int
    bin: int
    missing_left: bool


@dataclass
class Node:
    """A node and its rows."""

    rows: NDArray[np.intp]
    depth: int
    parent: int
    sums: Sums
    score: float
    bounds: Bounds
    split: Split | None = None
    children: tuple[int, int] | None = None
    threshold: float = 0.0  # of an exact split


@dataclass
class Tree:
    """What the growth of one tree reads; ``codes`` and ``rounded`` hold the selected rows only.

    With ``values``, the distinct values of each column, splits are exact: a code is the place of a
    value among them. With ``room`` as well, the most bins of each column, only the candidates that
    a node proposes are tried.
    """

    codes: NDArray[np.int64]
    n_values: list[int]
    has_missing: list[bool]
    rounded: Rounded
    plan: Plan
    key: int
    values: list[Reals] | None = None
    room: list[int] | None = None
    nodes: list[Node] = field(default_factory=list)


# ---- gains --------------------------------------------------------------------------------------


def bounded_step(gradient: Any, hessian: Any, plan: Plan, bounds: Bounds) -> Any:
    """Return the best constant within bounds."""
    below = np.asarray(hessian + plan.reg_lambda)
    top = np.copysign(np.maximum(np.abs(gradient) - plan.reg_alpha, 0.0), gradient)
    with np.errstate(divide="ignore", invalid="ignore"):
        free = -top / below
    return np.clip(np.where(below > 0, free, 0.0), *bounds)


def score(gradient: Any, hessian: Any, plan: Plan, bounds: Bounds | None = None) -> Any:
    """Return what the objective falls by, times two, with the best constant for the rows."""
    below = np.asarray(hessian + plan.reg_lambda)
    with np.errstate(divide="ignore", invalid="ignore"):
        if plan.bounded:
            step = bounded_step(gradient, hessian, plan, bounds or plan.first_bounds)
            penalty = 2 * (plan.reg_alpha if plan.penalize_bounded else 0.0) * np.abs(step)
            fall = -(2 * gradient * step + below * step * step + penalty)
        else:
            top = np.copysign(np.maximum(np.abs(gradient) - plan.reg_alpha, 0.0), gradient)
            fall = top * top / below
    return np.where(below > 0, fall, 0.0)


def is_gain(gain: float, parent_score: float, tree: Tree) -> bool:
    """Whether a gain is enough, and more than what rounding errors leave."""
    plan = tree.plan
    hessian = tree.nodes[0].sums.hessian * tree.rounded.hessian_unit
    smallest = max(
        0.0 if plan.prune_after else plan.min_split_gain, plan.min_impurity_decrease * hessian
    )
    return gain >= smallest and gain > 2.0**-42 * (gain + abs(parent_score)) and gain > 0


def _sums(rounded: Rounded, rows: NDArray[np.intp]) -> Sums:
    return Sums(
        int(rounded.gradients[rows].sum()),
        int(rounded.hessians[rows].sum()),
        int(rounded.counts[rows].sum()),
    )


def _score_of(tree: Tree, sums: Sums, bounds: Bounds) -> float:
    return float(
        score(
            sums.gradient * tree.rounded.gradient_unit,
            sums.hessian * tree.rounded.hessian_unit,
            tree.plan,
            bounds,
        )
    )


def _step_of(tree: Tree, sums: Sums, bounds: Bounds) -> float:
    gradient = sums.gradient * tree.rounded.gradient_unit
    hessian = sums.hessian * tree.rounded.hessian_unit
    return float(bounded_step(gradient, hessian, tree.plan, bounds))


def _candidates(tree: Tree, node: Node, feature: int, invalid: float) -> tuple[Reals, bool]:
    """Return gains [n_values, 2], missing left in column 0 and right in 1, and if any is missing.

    A candidate whose child breaks a minimum, or whose children the direction of the column, gets
    ``invalid``.
    """
    plan, rounded = tree.plan, tree.rounded
    n_values = tree.n_values[feature]
    histogram = np.zeros((3, n_values + 1), dtype=np.int64)
    for values, bins in zip(
        (rounded.gradients, rounded.hessians, rounded.counts), histogram, strict=True
    ):
        np.add.at(bins, tree.codes[node.rows, feature], values[node.rows])
    units = np.array([rounded.gradient_unit, rounded.hessian_unit, 1.0])
    left_values = np.cumsum(histogram[:, :n_values], axis=1) * units[:, None]
    missing = histogram[:, n_values] * units
    total = np.array([node.sums.gradient, node.sums.hessian, node.sums.count]) * units
    gains = np.empty((n_values, 2))
    for column, added in enumerate((missing, np.zeros(3))):
        left = left_values + added[:, None]
        right = total[:, None] - left
        fewest = max(1, plan.min_samples_leaf)
        valid = (
            (left[2] >= fewest)
            & (right[2] >= fewest)
            & (left[1] >= plan.min_child_weight)
            & (right[1] >= plan.min_child_weight)
        )
        if plan.monotone:
            steps = [bounded_step(side[0], side[1], plan, node.bounds) for side in (left, right)]
            direction = plan.monotone[feature]
            valid &= ~((direction > 0) & (steps[0] > steps[1]))
            valid &= ~((direction < 0) & (steps[0] < steps[1]))
        gain = (
            score(left[0], left[1], plan, node.bounds)
            + score(right[0], right[1], plan, node.bounds)
            - node.score
        )
        gains[:, column] = np.where(valid, gain, invalid)
    return gains, bool(histogram[2, n_values] > 0)


def _is_candidate(tree: Tree, nodes: list[Node], feature: int) -> NDArray[np.bool_]:
    """Return where missing rows on the left are not alone, which exact splits ask for."""
    n_values = tree.n_values[feature]
    if tree.values is None:
        return np.ones(n_values, dtype=np.bool_)
    rows = np.concatenate([node.rows for node in nodes])
    codes = tree.codes[rows, feature]
    return np.asarray(np.arange(n_values) >= codes.min(initial=n_values), dtype=np.bool_)


def _is_proposed(tree: Tree, node: Node, feature: int) -> NDArray[np.bool_]:
    """Return which codes a node proposes as candidates; the last is missing against present."""
    n_values = tree.n_values[feature]
    if tree.room is None:
        return np.ones(n_values, dtype=np.bool_)
    proposed = np.zeros(n_values, dtype=np.bool_)
    proposed[-1] = True
    rows = node.rows[tree.codes[node.rows, feature] < n_values]
    hessians, counts = tree.rounded.hessians[rows], tree.rounded.counts[rows]
    proposed[propose(tree.codes[rows, feature], hessians, counts, tree.room[feature])] = True
    return proposed


def _goes_left(tree: Tree, rows: NDArray[np.intp], split: Split) -> NDArray[np.bool_]:
    codes = tree.codes[rows, split.feature]
    missing = codes == tree.n_values[split.feature]
    return np.asarray(np.where(missing, split.missing_left, codes <= split.bin), dtype=np.bool_)


def _is_left_heavier(tree: Tree, nodes: list[Node], split: Split) -> bool:
    trial = Split(0.0, split.feature, split.bin, False)
    heaviness = tree.rounded.heaviness
    left = sum(
        int(heaviness[node.rows[_goes_left(tree, node.rows, trial)]].sum()) for node in nodes
    )
    return 2 * left >= sum(int(heaviness[node.rows].sum()) for node in nodes)


# ---- columns ------------------------------------------------------------------------------------

_MASK = (1 << 64) - 1


def _mix(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def hash64(a: int, b: int = 0, c: int = 0, d: int = 0) -> int:
    """Return 64 bits that depend on every bit of the arguments."""
    return _mix(_mix(_mix(_mix(a) ^ b) ^ c) ^ d)


def row_number(seed: int, round: int, row: int) -> float:
    """Return the number of a row in [0, 1) by which it is in the sample of a round or not."""
    place = (hash64(seed, round) + row * 0x9E3779B97F4A7C15) % 2**64
    return (_mix(place) >> 11) * 2.0**-53


def sample_columns(
    columns: list[int],
    fraction: float,
    key: int,
    stage: int,
    place: int,
    weights: tuple[float, ...] = (),
) -> list[int]:
    """Draw a share of the columns by lots that are hashes; key = hash64(seed, round, tree)."""
    if fraction >= 1:
        return columns
    wanted = max(1, math.floor(fraction * len(columns) + 0.5))
    return draw_columns(columns, wanted, key, stage, place, weights)


def draw_columns(
    columns: list[int], wanted: int, key: int, stage: int, place: int, weights: tuple[float, ...]
) -> list[int]:
    """Draw a number of columns; those whose exponential clocks ring first, if they have weights."""
    if wanted >= len(columns):
        return columns
    base = hash64(key, stage, place)

    def rank(column: int) -> tuple[float, int, int]:
        lot = hash64(base, column)
        if not weights:
            return 0.0, lot, column
        if not weights[column] > 0:
            return math.inf, lot, column
        unit = np.array([((lot >> 11) + 0.5) * 2.0**-53])
        return -float(_core.log(unit)[0]) / weights[column], lot, column

    return sorted(sorted(columns, key=rank)[:wanted])


def _columns(tree: Tree, depth: int, number: int) -> list[int]:
    plan, key, weights = tree.plan, tree.key, tree.plan.weights
    columns = list(range(len(tree.n_values)))
    columns = sample_columns(columns, plan.colsample_bytree, key, 1, 0, weights)
    columns = sample_columns(columns, plan.colsample_bylevel, key, 2, depth, weights)
    columns = rules.allowed_columns(tree, columns, number)
    if plan.columns_bynode > 0:
        return draw_columns(columns, plan.columns_bynode, key, 3, number, weights)
    return sample_columns(columns, plan.colsample_bynode, key, 3, number, weights)


# ---- growth -------------------------------------------------------------------------------------


def _best_candidate(columns: list[int], gains_of: Callable[[int], Reals]) -> Split | None:
    """Return the first of the largest: lowest column, then lowest bin, then missing left."""
    best: Split | None = None
    for feature in columns:
        gains = gains_of(feature)
        at = int(np.argmax(gains))
        gain = float(gains.flat[at])
        if gain > (-math.inf if best is None else best.gain):
            best = Split(gain, feature, at // 2, at % 2 == 0)
    return best


def _search(tree: Tree, number: int) -> None:
    """Find the best split of one node."""
    node = tree.nodes[number]
    if not _may_split(tree, node):
        return
    some_missing: dict[int, bool] = {}

    def gains_of(feature: int) -> Reals:
        gains, some_missing[feature] = _candidates(tree, node, feature, -math.inf)
        gains[~_is_candidate(tree, [node], feature), 0] = -math.inf
        gains[~_is_proposed(tree, node, feature)] = -math.inf
        if not some_missing[feature]:
            gains[:, 0] = -math.inf
        return gains

    best = _best_candidate(_columns(tree, node.depth, number), gains_of)
    if best is None or not is_gain(best.gain, node.score, tree):
        return
    if not some_missing[best.feature]:
        # Nothing is missing here: left where the column has missing values, else with the most.
        direction = tree.has_missing[best.feature] or _is_left_heavier(tree, [node], best)
        best = Split(best.gain, best.feature, best.bin, direction)
    node.split = best


def _search_level(tree: Tree, level: list[int]) -> None:
    """Find the split with the largest sum of gains, for all nodes of a level."""
    nodes = [tree.nodes[number] for number in level]

    def gains_of(feature: int) -> Reals:
        total = np.zeros((tree.n_values[feature], 2))
        for node in nodes:
            if _enough_rows(tree, node):
                total += _candidates(tree, node, feature, 0.0)[0]
        total[~_is_candidate(tree, nodes, feature), 0] = -math.inf
        if not tree.has_missing[feature]:
            total[:, 0] = -math.inf
        return total

    best = _best_candidate(_columns(tree, nodes[0].depth, level[0]), gains_of)
    level_score = 0.0
    for node in nodes:
        level_score += abs(node.score)
    if best is None or not is_gain(best.gain, level_score, tree):
        return
    direction = best.missing_left
    if not tree.has_missing[best.feature]:
        direction = _is_left_heavier(tree, nodes, best)
    for node in nodes:
        own = 0.0
        if _enough_rows(tree, node):
            gains = _candidates(tree, node, best.feature, 0.0)[0]
            own = float(gains[best.bin, 0 if best.missing_left else 1])
        node.split = Split(own, best.feature, best.bin, direction)


def _may_split(tree: Tree, node: Node) -> bool:
    plan = tree.plan
    if plan.max_depth > 0 and node.depth >= plan.max_depth:
        return False
    enough = node.sums.count >= 2 * max(1, plan.min_samples_leaf)
    hessian = node.sums.hessian * tree.rounded.hessian_unit
    enough = enough and _enough_rows(tree, node)
    return len(node.rows) >= 2 and enough and hessian >= 2 * plan.min_child_weight


def _enough_rows(tree: Tree, node: Node) -> bool:
    return len(node.rows) > 0 and node.sums.count >= tree.plan.min_samples_split


def _threshold(tree: Tree, together: list[Node], split: Split) -> float:
    """Return the midpoint of the neighbouring values of the rows that share a split."""
    if tree.values is None:
        return 0.0
    codes = tree.codes[np.concatenate([node.rows for node in together]), split.feature]
    above = codes[(codes > split.bin) & (codes < tree.n_values[split.feature])]
    if len(above) == 0:
        return math.inf  # missing against present
    values = tree.values[split.feature]
    low, high = float(values[codes[codes <= split.bin].max()]), float(values[above.min()])
    return edge_between(low, high)


def _divide(tree: Tree, number: int, together: list[Node] | None = None) -> tuple[int, int]:
    """Split a node; its children come last. ``together``: the level that shares its split."""
    node = tree.nodes[number]
    assert node.split is not None
    node.threshold = _threshold(tree, together or [node], node.split)
    left = _goes_left(tree, node.rows, node.split)
    both = [node.rows[left], node.rows[~left]]
    own = _step_of(tree, node.sums, node.bounds)
    steps = [
        _step_of(tree, _sums(tree.rounded, rows), node.bounds) if len(rows) else own
        for rows in both
    ]
    children_bounds = rules.child_bounds(tree, number, (own, steps[0], steps[1]))
    for rows, bounds in zip(both, children_bounds, strict=True):
        sums = _sums(tree.rounded, rows)
        score = _score_of(tree, sums, bounds)
        tree.nodes.append(Node(rows, node.depth + 1, number, sums, score, bounds))
    node.children = len(tree.nodes) - 2, len(tree.nodes) - 1
    return node.children


def grow_nodes(tree: Tree) -> None:
    plan = tree.plan
    most_leaves = plan.max_leaves if plan.max_leaves > 0 else math.inf
    rows = np.arange(len(tree.rounded.gradients))
    sums = _sums(tree.rounded, rows)
    bounds = plan.first_bounds
    tree.nodes.append(Node(rows, 0, -1, sums, _score_of(tree, sums, bounds), bounds))
    if plan.grow_policy == "symmetric":
        _grow_levels(tree, most_leaves)
        return
    _search(tree, 0)
    frontier = [0]
    n_leaves = 1
    while n_leaves < most_leaves:
        frontier = [number for number in frontier if tree.nodes[number].split is not None]
        if not frontier:
            return
        number = min(frontier, key=lambda number: _rank(tree, number))
        frontier.remove(number)
        for child in _divide(tree, number):
            _search(tree, child)
            frontier.append(child)
        n_leaves += 1


def _rank(tree: Tree, number: int) -> tuple[float, int]:
    node = tree.nodes[number]
    assert node.split is not None
    return (-node.split.gain if tree.plan.grow_policy == "leafwise" else node.depth), number


def _grow_levels(tree: Tree, most_leaves: float) -> None:
    level = [0] if _may_split(tree, tree.nodes[0]) else []
    while level and 2 * len(level) <= most_leaves:
        depth = tree.nodes[level[0]].depth
        if tree.plan.max_depth > 0 and depth >= tree.plan.max_depth:
            return
        _search_level(tree, level)
        if tree.nodes[level[0]].split is None:
            return
        nodes = [tree.nodes[number] for number in level]
        level = [child for number in level for child in _divide(tree, number, nodes)]
