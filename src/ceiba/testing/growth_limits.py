"""Reference implementation of growth limits: monotone bounds, interaction sets, pruning.

``cpp/tree/bounds.hpp`` explains why the monotone bounds are sufficient.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ceiba.testing.trees import Bounds, Node, Tree


def child_bounds(tree: Tree, number: int, values: tuple[float, float, float]) -> list[Bounds]:
    """Return the bounds of both children from the values of the node and of its children."""
    node = tree.nodes[number]
    assert node.split is not None
    lower, upper = node.bounds
    direction = tree.plan.monotone[node.split.feature] if tree.plan.monotone else 0
    if direction == 0 or not _separates_values(tree, number):
        return [node.bounds, node.bounds]
    own, left, right = values
    line = 0.5 * left + 0.5 * right if direction * left <= direction * right else own
    return [(lower, line), (line, upper)] if direction > 0 else [(line, upper), (lower, line)]


def _separates_values(tree: Tree, number: int) -> bool:
    """Whether the split separates values of its column that can reach the node."""
    split = tree.nodes[number].split
    assert split is not None
    if tree.values is not None and tree.nodes[number].threshold == math.inf:
        return False  # missing against present
    lowest, highest = 0, tree.n_values[split.feature] - 1
    while (parent := tree.nodes[number].parent) >= 0:
        above = tree.nodes[parent]
        assert above.split is not None
        assert above.children is not None
        if above.split.feature == split.feature:
            if above.children[0] == number:
                highest = min(highest, above.split.bin)
            else:
                lowest = max(lowest, above.split.bin + 1)
        number = parent
    return lowest <= split.bin < highest


def allowed_columns(tree: Tree, columns: list[int], number: int) -> list[int]:
    """Return the columns that share an interaction set with all columns of the path.

    The columns of the path are always included. If the path has the maximum number of columns,
    only they are returned.
    """
    sets, limit = tree.plan.interactions, tree.plan.columns_bypath
    path = set()
    while (number := tree.nodes[number].parent) >= 0:
        split = tree.nodes[number].split
        assert split is not None
        path.add(split.feature)
    if not path:
        listed = {column for members in sets for column in members}
        return [j for j in columns if j in listed] if sets and tree.plan.listed_only else columns
    may = set(columns)
    if sets:
        may = path.union(*(members for members in sets if path <= set(members)))
    if 0 < limit <= len(path):
        may = path
    return [column for column in columns if column in may]


def prune(tree: Tree) -> None:
    """Prune splits with too small a gain from the bottom up, then the weakest links.

    A weakest link is the split with the lowest mean gain over itself and all splits below. Weakest
    links are pruned until the lowest mean gain exceeds ``ccp_alpha``.
    """
    smallest = tree.plan.min_split_gain if tree.plan.prune_after else 0.0
    while smallest > 0 and (last := _removable(tree, smallest)):
        _make_leaves(tree, last)
    cost = tree.plan.ccp_alpha * tree.hessian
    while cost > 0 and (last := _weakest(tree, cost)):
        _make_leaves(tree, last)
    _renumber(tree)


def _make_leaves(tree: Tree, numbers: list[int]) -> None:
    for number in numbers:
        for below in _splits_from(tree, number):
            children = tree.nodes[below].children
            assert children is not None
            tree.nodes[below] = replace(tree.nodes[below], split=None, children=None)
            for child in children:
                tree.nodes[child] = replace(tree.nodes[child], parent=-2)


def _splits_from(tree: Tree, number: int) -> list[int]:
    """Return the splits at a node and below."""
    children = tree.nodes[number].children
    if children is None:
        return []
    return [number, *_splits_from(tree, children[0]), *_splits_from(tree, children[1])]


def _weakest(tree: Tree, cost: float) -> list[int]:
    """Return the split (or level of a symmetric tree) with the lowest mean gain of its branch."""
    splits = _splits_from(tree, 0)
    tops = [[number] for number in splits]
    if tree.plan.grow_policy == "symmetric":
        depths = sorted({tree.nodes[i].depth for i in splits})
        tops = [[i for i in splits if tree.nodes[i].depth == depth] for depth in depths]
    means = []
    for top in tops:
        below = [i for number in top for i in _splits_from(tree, number)]
        n_real = sum(_parts_rows(tree, tree.nodes[i]) for i in below)
        gain = sum(_gain(tree.nodes[i]) for i in below)
        means.append(gain / n_real if n_real else 0.0)
    if not means or min(means) > cost:
        return []
    return tops[means.index(min(means))]


def _removable(tree: Tree, smallest: float) -> list[int]:
    """Return the splits that may be removed now: any, or the last level of a symmetric tree."""
    splits = [i for i, node in enumerate(tree.nodes) if node.children is not None]
    if tree.plan.grow_policy == "symmetric":
        depth = max((tree.nodes[i].depth for i in splits), default=0)
        level = [i for i in splits if tree.nodes[i].depth == depth]
        gain = 0.0
        for number in level:
            gain += _gain(tree.nodes[number])
        return level if gain < smallest else []
    return [
        i for i in splits if _gain(tree.nodes[i]) < smallest and _has_leaves(tree, tree.nodes[i])
    ]


def _parts_rows(tree: Tree, node: Node) -> bool:
    """Whether both sides have rows. In a symmetric tree, a shared split may leave a side empty."""
    assert node.children is not None
    return all(len(tree.nodes[child].rows) > 0 for child in node.children)


def _gain(node: Node) -> float:
    assert node.split is not None
    return node.split.gain


def _has_leaves(tree: Tree, node: Node) -> bool:
    assert node.children is not None
    return all(tree.nodes[child].children is None for child in node.children)


def _renumber(tree: Tree) -> None:
    kept = [i for i, node in enumerate(tree.nodes) if node.parent != -2]
    number = {old: new for new, old in enumerate(kept)} | {-1: -1}
    nodes = [tree.nodes[i] for i in kept]
    tree.nodes[:] = [
        replace(
            node,
            parent=number[node.parent],
            children=None
            if node.children is None
            else (number[node.children[0]], number[node.children[1]]),
        )
        for node in nodes
    ]


def make_leaves_monotone(
    feature: Sequence[int],
    threshold: Sequence[float],
    children: Sequence[tuple[int, int] | None],
    directions: Sequence[int],
    values: list[float],
) -> None:
    """Adjust the leaf values of one tree to be monotone: ``cpp/leaf/monotone_leaves.hpp``."""

    def nodes_below(number: int) -> list[int]:
        pair = children[number]
        if pair is None:
            return [number]
        return [number, *nodes_below(pair[0]), *nodes_below(pair[1])]

    def leaves_below(number: int) -> list[int]:
        return [i for i in nodes_below(number) if children[i] is None]

    def visit(number: int, ranges: dict[int, tuple[float | None, float]]) -> None:
        pair = children[number]
        if pair is None:
            return
        column, border = feature[number], threshold[number]
        low, high = ranges.get(column, (None, math.inf))  # values above low, up to high
        above_low = low is None or low < border
        visit(pair[0], ranges | {column: (low, min(high, border))})
        visit(pair[1], ranges | {column: (border if above_low else low, high)})
        if directions[column] == 0 or not (above_low and border < high):
            return
        below, above = pair if directions[column] > 0 else pair[::-1]
        top = max(values[i] for i in leaves_below(below))
        bottom = min(values[i] for i in leaves_below(above))
        if top > bottom:
            line = 0.5 * top + 0.5 * bottom
            for i in nodes_below(below):
                values[i] = min(values[i], line)
            for i in nodes_below(above):
                values[i] = max(values[i], line)

    visit(0, {})
