"""Growth of one reference tree: search, frontier, division.

Every node stores its rows and sums its own histograms, the search tries every candidate of every
column, and the frontier is a list.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ceiba.testing.candidates import edge_between
from ceiba.testing.categories import best_set, extra_l2, gain_of_set
from ceiba.testing.columns import columns_of, further_columns
from ceiba.testing.gains import (
    candidate_gains,
    goes_left,
    is_candidate,
    is_drawn,
    is_gain,
    is_hopeless,
    is_left_heavier,
    is_proposed,
    more_sums_of,
    score_of,
    step_of,
    sums_of,
)
from ceiba.testing.growth_limits import child_bounds
from ceiba.testing.ranking import best_ranked, is_worth
from ceiba.testing.trees import Node, Reals, Split, Tree

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["grow_nodes"]


def _best_candidate(
    columns: list[int],
    gains_of: Callable[[int], Reals],
    set_of: Callable[[int], Split | None],
    tree: Tree,
) -> Split | None:
    """Return the largest candidate. Ties go to the lowest column, then bin, then missing left."""
    best: Split | None = None
    for feature in columns:
        if tree.plan.is_category(feature):
            own = set_of(feature)
        else:
            gains = gains_of(feature)
            at = int(np.argmax(gains))
            own = Split(float(gains.flat[at]), feature, at // 2, at % 2 == 0)
        if own is not None and own.gain > (-math.inf if best is None else best.gain):
            best = own
    return best


def _best_of_columns(
    tree: Tree,
    number: int,
    columns: list[int],
    gains_of: Callable[[int], Reals],
    set_of: Callable[[int], Split | None],
) -> Split | None:
    """Return the best split of a node's columns, or of the next drawn column that has a split."""
    node = tree.nodes[number]
    best = _best_candidate(columns, gains_of, set_of, tree)
    for feature in further_columns(tree, node.depth, number, columns):
        if best is not None and is_gain(best.gain, node.score, tree, at_all=True):
            break
        if feature in node.hopeless:
            continue
        own = _best_candidate([feature], gains_of, set_of, tree)
        if own is not None and (best is None or own.gain > best.gain):
            best = own
    return best


def _tries_both_sides(tree: Tree, feature: int) -> bool:
    """Whether both sides of missing rows count as different even without missing rows."""
    return tree.estimates_rows and tree.has_missing[feature]


def _default_side(tree: Tree, node: Node, best: Split) -> bool:
    """Return the default direction (left: True) of a split without missing rows in the node.

    It is left if the column has missing values in other nodes; otherwise that of the heavier child.
    """
    has_missing = tree.has_missing[best.feature]
    if best.members is not None:
        chosen = has_missing or tree.plan.category.missing == "right"
    else:
        chosen = _tries_both_sides(tree, best.feature)
    return best.missing_left if chosen else has_missing or is_left_heavier(tree, [node], best)


def _search(tree: Tree, number: int) -> None:
    """Find the best split of a node."""
    node = tree.nodes[number]
    if not _may_split(tree, node):
        return
    some_missing: dict[int, bool] = {}

    def gains_of(feature: int) -> Reals:
        gains, some_missing[feature] = candidate_gains(tree, node, feature, -math.inf)
        gains[~is_candidate(tree, [node], feature), 0] = -math.inf
        gains[~is_proposed(tree, node, feature)] = -math.inf
        gains[~is_drawn(tree, node.depth, number, feature)] = -math.inf
        if not some_missing[feature] and not _tries_both_sides(tree, feature):
            gains[:, 0] = -math.inf
        return gains

    def set_of(feature: int) -> Split | None:
        codes = tree.codes[node.rows, feature]
        some_missing[feature] = bool((codes == tree.n_values[feature]).any())
        return best_set(tree, [node], feature, -math.inf, number)

    columns = [j for j in columns_of(tree, node.depth, number) if j not in node.hopeless]
    if tree.ranks:
        best = best_ranked(tree, [node], number, columns, lambda one: _enough_rows(tree, one))
        if best is not None:
            best = replace(best, gain=_gain_of(tree, node, best, -math.inf))
            codes = tree.codes[node.rows, best.feature]
            some_missing[best.feature] = bool((codes == tree.n_values[best.feature]).any())
    else:
        best = _best_of_columns(tree, number, columns, gains_of, set_of)
    is_exact = tree.values is not None and tree.room is None
    if tree.plan.drop_hopeless_columns and not is_exact and not tree.ranks:
        gains = {
            j: found.gain if (found := _best_candidate([j], gains_of, set_of, tree)) else -math.inf
            for j in columns
        }
        node.hopeless |= {j for j in columns if is_hopeless(gains[j], node.score, tree)}
    if best is None or not is_gain(best.gain, node.score, tree):
        return
    if not some_missing[best.feature]:
        best = replace(best, missing_left=_default_side(tree, node, best))
    node.split = best


def _search_level(tree: Tree, level: list[int]) -> None:
    """Find the split with the largest total gain over all nodes of a level."""
    nodes = [tree.nodes[number] for number in level]

    def gains_of(feature: int) -> Reals:
        total = np.zeros((tree.n_values[feature], 2))
        for node in nodes:
            if _enough_rows(tree, node):
                total += candidate_gains(tree, node, feature, 0.0)[0]
        total[~is_candidate(tree, nodes, feature), 0] = -math.inf
        total[~is_drawn(tree, nodes[0].depth, level[0], feature)] = -math.inf
        if not tree.has_missing[feature]:
            total[:, 0] = -math.inf
        return total

    def set_of(feature: int) -> Split | None:
        some = [node for node in nodes if _enough_rows(tree, node)]
        return best_set(tree, some, feature, 0.0, level[0]) if some else None

    columns = columns_of(tree, nodes[0].depth, level[0])
    if tree.ranks:
        best = best_ranked(tree, nodes, level[0], columns, lambda one: _enough_rows(tree, one))
    else:
        best = _best_candidate(columns, gains_of, set_of, tree)
    if best is None:
        return
    own = [_gain_of(tree, node, best, 0.0) if _enough_rows(tree, node) else 0.0 for node in nodes]
    if not _is_level_worth(tree, nodes, own, best.gain):
        return
    direction = best.missing_left
    goes_right = best.members is not None and tree.plan.category.missing == "right"
    if not tree.has_missing[best.feature] and not goes_right:
        direction = is_left_heavier(tree, nodes, best)
    for node, each in zip(nodes, own, strict=True):
        node.split = replace(best, gain=each, missing_left=direction)


def _is_level_worth(tree: Tree, nodes: list[Node], gains: list[float], ranked_by: float) -> bool:
    level_score = gain = 0.0
    for node, own in zip(nodes, gains, strict=True):
        level_score += abs(node.score)
        gain += own
    if not tree.ranks:
        gain = ranked_by
    enough = is_gain(gain, level_score, tree)
    return is_worth(tree, gain, level_score, enough) if tree.ranks else enough


def _gain_of(tree: Tree, node: Node, split: Split, invalid: float) -> float:
    if split.members is not None:
        return gain_of_set(tree, node, split.feature, split.members, invalid)
    gains = candidate_gains(tree, node, split.feature, invalid)[0]
    return float(gains[split.bin, 0 if split.missing_left else 1])


def _may_split(tree: Tree, node: Node) -> bool:
    plan = tree.plan
    if plan.max_depth > 0 and node.depth >= plan.max_depth:
        return False
    enough = node.sums.count >= 2 * max(1, plan.min_samples_leaf)
    hessian = node.sums.hessian * tree.rounded.hessian_unit
    enough = enough and _enough_rows(tree, node)
    return len(node.rows) >= 2 and enough and hessian >= 2 * tree.leaf_hessian


def _enough_rows(tree: Tree, node: Node) -> bool:
    return len(node.rows) > 0 and node.sums.count >= tree.plan.min_samples_split


def _threshold(tree: Tree, together: list[Node], split: Split) -> float:
    """Return the midpoint of the neighboring values of the rows that share a split."""
    if tree.values is None or split.members is not None:
        return 0.0
    codes = tree.codes[np.concatenate([node.rows for node in together]), split.feature]
    above = codes[(codes > split.bin) & (codes < tree.n_values[split.feature])]
    if len(above) == 0:
        return math.inf  # missing against present
    values = tree.values[split.feature]
    low, high = float(values[codes[codes <= split.bin].max()]), float(values[above.min()])
    return edge_between(low, high)


def _divide(tree: Tree, number: int, together: list[Node] | None = None) -> tuple[int, int]:
    """Split a node and append its children. ``together``: the level that shares the split."""
    node = tree.nodes[number]
    assert node.split is not None
    node.threshold = _threshold(tree, together or [node], node.split)
    left = goes_left(tree, node.rows, node.split)
    both = [node.rows[left], node.rows[~left]]
    own = step_of(tree, node.sums, node.bounds)
    steps = [
        step_of(tree, sums_of(tree.rounded, rows), node.bounds) if len(rows) else own
        for rows in both
    ]
    children_bounds = child_bounds(tree, number, (own, steps[0], steps[1]))
    for rows, bounds in zip(both, children_bounds, strict=True):
        sums, more = sums_of(tree.rounded, rows), more_sums_of(tree, rows)
        score = score_of(tree, sums, bounds, more)
        child = Node(rows, node.depth + 1, number, sums, score, bounds, hopeless=node.hopeless)
        child.more_sums = more
        if node.split.members is not None:
            child.extra_l2 = extra_l2(tree, node.split.feature)
        tree.nodes.append(child)
    node.children = len(tree.nodes) - 2, len(tree.nodes) - 1
    return node.children


def grow_nodes(tree: Tree) -> None:
    """Create the root of a tree and grow it."""
    plan = tree.plan
    most_leaves = plan.max_leaves if plan.max_leaves > 0 else math.inf
    rows = np.arange(len(tree.rounded.gradients))
    sums = sums_of(tree.rounded, rows)
    bounds = plan.first_bounds
    more = more_sums_of(tree, rows)
    root = Node(rows, 0, -1, sums, score_of(tree, sums, bounds, more), bounds, more_sums=more)
    tree.nodes.append(root)
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
    policy = tree.plan.grow_policy
    if policy == "leafwise":
        return -node.split.gain, number
    return -node.depth if policy == "depthfirst" else node.depth, number


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
