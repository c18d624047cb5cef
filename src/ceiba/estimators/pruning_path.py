"""Minimal cost-complexity pruning: the sequence of optimal subtrees.

With a complexity parameter alpha, a subtree costs its impurity plus alpha times its number of
leaves. As alpha grows from 0, pruning removes the branch whose impurity increases least per removed
leaf. The gain of a split is its decrease in impurity, so gains and the impurity of the root are
sufficient.
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
    """Return the values of alpha at which branches are pruned, and the impurity after each.

    Parameters
    ----------
    left, right : arrays of int, shape (n_nodes,)
        Children of each node, which come after it; -1 for leaves.
    decrease : array of float, shape (n_nodes,)
        Decrease in the impurity of the tree by each split. Ignored for leaves.
    root_impurity : float
        Impurity of the tree without splits.

    Returns
    -------
    tuple of two arrays
        Values of alpha, starting with 0, and impurities of the leaves of the pruned trees.
    """
    n_nodes = len(left)
    parent = np.full(n_nodes, -1)
    is_split = left >= 0
    parent[left[is_split]] = parent[right[is_split]] = np.flatnonzero(is_split)
    saved = np.where(is_split, decrease, 0.0)  # summed over the branch
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
    """Prune a branch: mark all its splits as removed."""
    branch = [node]
    while branch:
        own = branch.pop()
        if alive[own]:
            alive[own] = False
            branch += [int(left[own]), int(right[own])]
