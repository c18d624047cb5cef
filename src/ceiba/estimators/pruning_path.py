"""Minimal cost-complexity pruning: the subtrees that are best for some price of a leaf.

With a price alpha for each leaf, a subtree costs its impurity plus alpha times its leaves. From
alpha 0 upwards, splits are given up one branch at a time, the one first whose impurity grows least
for each leaf that goes. As a split's gain is what the impurity falls by, the gains of a tree, in
the units of the impurity, and the impurity of its root say it all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["pruning_path"]


def pruning_path(
    left: NDArray[np.int32], right: NDArray[np.int32], decrease: Floats, root_impurity: float
) -> tuple[Floats, Floats]:
    """Return the prices at which branches are cut, and the impurity of what is left after each.

    ``left`` and ``right`` are the children of each node (-1: a leaf), which come after it, and
    ``decrease`` what the impurity of the tree falls by at its split.
    """
    n_nodes = len(left)
    parent = np.full(n_nodes, -1)
    is_split = left >= 0
    parent[left[is_split]] = parent[right[is_split]] = np.flatnonzero(is_split)
    saved = np.where(is_split, decrease, 0.0)  # by all splits of the branch
    n_leaves = np.where(is_split, 0, 1)
    for node in range(n_nodes - 1, 0, -1):
        saved[parent[node]] += saved[node]
        n_leaves[parent[node]] += n_leaves[node]
    prices, impurities = [0.0], [root_impurity - saved[0]]
    alive = is_split.copy()
    while alive[0]:
        price = np.full(n_nodes, np.inf)
        price[alive] = saved[alive] / (n_leaves[alive] - 1)
        node = int(np.argmin(price))
        prices.append(float(price[node]))
        _cut(node, left, right, alive)
        gone_saved, gone_leaves = saved[node], n_leaves[node] - 1
        above = node
        while above >= 0:
            saved[above] -= gone_saved
            n_leaves[above] -= gone_leaves
            above = int(parent[above])
        saved[node] = 0.0
        impurities.append(root_impurity - (saved[0] if alive[0] else 0.0))
    return np.array(prices), np.array(impurities)


def _cut(
    node: int, left: NDArray[np.int32], right: NDArray[np.int32], alive: NDArray[np.bool_]
) -> None:
    """Take all splits of a branch out."""
    branch = [node]
    while branch:
        own = branch.pop()
        if alive[own]:
            alive[own] = False
            branch += [int(left[own]), int(right[own])]
