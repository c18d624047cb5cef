"""Reference implementation of categorical splits: sums every candidate set from its rows.

``cpp/split/category.hpp`` defines the candidate sets.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ceiba.testing.columns import drawn_lot
from ceiba.testing.gains import as_array, score
from ceiba.testing.trees import CategoryRule, Node, Split, Tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["best_set", "candidate_sets", "extra_l2", "gain_of_set", "sums_of_set"]


def best_set(
    tree: Tree, nodes: list[Node], feature: int, invalid: float, number: int
) -> Split | None:
    """Return the best set of levels of a column by the total gain of all nodes and outputs.

    A node with a child below a minimum adds ``invalid``. ``number`` is that of the first node.
    """
    best: Split | None = None
    lot = drawn_lot(tree, nodes[0].depth, number, feature) if tree.plan.extra_trees else None
    # Each output has its own order of levels. Single-level sets do not depend on it.
    n_orders = 1 if tree.plan.kinds[feature] == "onehot" else 1 + len(tree.more_rounded)
    for output in range(n_orders):
        shared = invalid == 0.0
        for members in candidate_sets(tree, nodes, feature, shared=shared, lot=lot, output=output):
            gains = [gain_of_set(tree, node, feature, members, invalid) for node in nodes]
            gain = sum(gains[1:], gains[0])
            if gain > (-math.inf if best is None else best.gain):
                best = Split(gain, feature, 0, tree.n_values[feature] in members, members)
    return best


def candidate_sets(
    tree: Tree,
    nodes: list[Node],
    feature: int,
    *,
    shared: bool,
    lot: int | None = None,
    output: int = 0,
) -> Iterator[frozenset[int]]:
    """Yield the candidate sets, including the code of missing values if it goes left.

    ``output`` is the output whose ratios order the levels.
    """
    both = _tries_missing(tree, feature)
    for levels in _candidates(tree, nodes, feature, lot, shared=shared, output=output):
        yield levels
        if both:
            yield levels | {tree.n_values[feature]}


def gain_of_set(
    tree: Tree, node: Node, feature: int, members: frozenset[int] | set[int], invalid: float
) -> float:
    """Return the gain of a node, for all outputs, if the levels of a set go left."""
    plan, several = tree.plan, bool(tree.more_rounded)
    fewest, l2 = max(1, plan.min_samples_leaf), extra_l2(tree, feature)
    gain = 0.0
    for output, sums in enumerate((node.sums, *node.more_sums)):
        rounded, of_node = (tree.rounded, *tree.more_rounded)[output], as_array(sums)
        left = rounded.real(sums_of_set(tree, node, feature, members, output), of_node)
        total = rounded.real(of_node, of_node)
        right = total - left
        if min(left[2], right[2]) < fewest or min(left[1], right[1]) < tree.leaf_hessian:
            return invalid
        parent = node.score
        if several:
            parent = float(score(total[0], total[1], plan, node.bounds, several=True))
        own = float(
            score(left[0], left[1], plan, node.bounds, l2, several=several)
            + score(right[0], right[1], plan, node.bounds, l2, several=several)
            - parent
        )
        gain = gain + own if output else own
    return gain


def extra_l2(tree: Tree, feature: int) -> float:
    """Return the extra L2 penalty of the children of a split on a column."""
    return tree.plan.category.l2 if tree.plan.kinds[feature] == "subset" else 0.0


def _candidates(
    tree: Tree, nodes: list[Node], feature: int, lot: int | None, *, shared: bool, output: int
) -> Iterator[frozenset[int]]:
    """Yield candidate sets, or only that drawn by ``lot``. ``shared``: one split per tree level."""
    rule = tree.plan.category
    n_codes = tree.n_values[feature] + (tree.has_missing[feature] and rule.missing == "level")
    sums = {code: _sums_of_all(tree, nodes, feature, {code}, output) for code in range(n_codes)}
    onehot = tree.plan.kinds[feature] == "onehot"
    all_count = rule.by_constant and tree.n_values[feature] > rule.max_levels and not onehot
    all_count &= not tree.plan.sketch_eps  # approx uses only levels that occur in the rows
    levels = [code for code in sums if all_count or _has_rows(tree, nodes, feature, code)]
    if onehot:
        if lot is not None and levels:
            levels = [levels[lot % len(levels)]]
        yield from (frozenset({code}) for code in levels)
        return
    levels = [code for code in levels if sums[code][2] >= rule.support]
    if len(levels) < rule.min_levels:
        return
    levels.sort(key=lambda code: (_ratio(tree, sums[code], rule, output), code))
    total = sum(node.sums.count for node in nodes)
    for order in (levels, levels[::-1]):
        half = (len(levels) + 1) // 2 - (rule.parted and order is not levels)
        most = min(rule.max_levels, half if rule.halves else len(levels)) - rule.by_constant
        group = 0
        for n in range(1, most + 1):
            group += sums[order[n - 1]][2]
            members = frozenset(order[:n])
            if group < rule.min_group or (lot is not None and n - 1 != lot % most):
                continue
            if total - _sums_of_all(tree, nodes, feature, members, output)[2] < rule.min_group:
                break
            yield members
            # After an impossible set, the next one need not add `min_group` rows.
            if shared or _is_possible(tree, nodes[0], feature, members):
                group = 0


def _is_possible(tree: Tree, node: Node, feature: int, members: frozenset[int]) -> bool:
    options = [members]
    if _tries_missing(tree, feature):
        options.append(members | {tree.n_values[feature]})
    return any(gain_of_set(tree, node, feature, each, -math.inf) > -math.inf for each in options)


def _tries_missing(tree: Tree, feature: int) -> bool:
    """Whether the search tries missing values on both sides."""
    onehot = tree.plan.kinds[feature] == "onehot"
    return onehot and tree.plan.category.missing == "either" and tree.has_missing[feature]


def _ratio(tree: Tree, sums: NDArray[np.int64], rule: CategoryRule, output: int) -> float:
    gradient, hessian, _ = sums * _units(tree, output)
    below = hessian + rule.smooth
    if not below > 0:
        return 0.0
    if not rule.by_constant:
        return float(gradient / below)
    soft = np.sign(gradient) * max(abs(gradient) - tree.plan.reg_alpha, 0.0)
    limit = tree.plan.max_delta_step or math.inf
    return float(np.clip(-soft / below, -limit, limit))


def sums_of_set(
    tree: Tree, node: Node, feature: int, members: frozenset[int] | set[int], output: int = 0
) -> NDArray[np.int64]:
    """Return the sums of the rows of a node with a level in a set, in units of an output."""
    rows = node.rows[np.isin(tree.codes[node.rows, feature], list(members))]
    rounded = (tree.rounded, *tree.more_rounded)[output]
    found = np.array(
        [values[rows].sum() for values in (rounded.gradients, rounded.hessians, rounded.counts)]
    )
    if tree.estimates_rows:
        hessians = np.bincount(tree.codes[rows, feature], weights=rounded.hessians[rows])
        found[2] = tree.estimated_rows(node, hessians.astype(np.int64)).sum()
    return found


def _has_rows(tree: Tree, nodes: list[Node], feature: int, code: int) -> bool:
    """Whether any row of the nodes has a level, by exact counts."""
    rows = np.concatenate([node.rows for node in nodes])
    return bool(tree.rounded.counts[rows[tree.codes[rows, feature] == code]].sum() > 0)


def _sums_of_all(
    tree: Tree, nodes: list[Node], feature: int, members: frozenset[int] | set[int], output: int
) -> NDArray[np.int64]:
    found = np.array([sums_of_set(tree, node, feature, members, output) for node in nodes])
    return np.asarray(found.sum(axis=0), dtype=np.int64)


def _units(tree: Tree, output: int) -> NDArray[np.float64]:
    rounded = (tree.rounded, *tree.more_rounded)[output]
    return np.array([rounded.gradient_unit, rounded.hessian_unit, 1.0])
