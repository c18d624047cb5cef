"""CART by its definition: tries every threshold of every node in floating point.

Targets are numbers [n, K]: regression targets, or class indicators. The impurity of a node is the
sum over columns of their variance (Gini impurity for indicators), or the entropy of the indicators
in bits. Each node also stores how far its best split is ahead of the second best, so that tests
know whether the best tree is unique.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["CartNode", "grow_cart", "is_unique"]

Reals = NDArray[np.float64]
Impurity = Literal["variance", "entropy"]


@dataclass
class CartNode:
    """A node: its rows and, if it has one, its best split."""

    rows: NDArray[np.intp]
    decrease: float = 0.0  # of the node's impurity, times its rows
    second: float = 0.0  # decrease of the second best split
    feature: int = -1
    threshold: float = 0.0
    left: CartNode | None = None
    right: CartNode | None = None
    is_idle: bool = False  # rows differ, but no split has a gain


def grow_cart(
    X: Reals, Y: Reals, impurity: Impurity, *, max_depth: int, min_samples_leaf: int
) -> CartNode:
    """Return the root of the tree of the given rows. Ties go to the first column and threshold."""
    root = CartNode(np.arange(len(X)))
    _grow(root, X, Y, impurity, max_depth, min_samples_leaf)
    return root


def is_unique(node: CartNode, margin: float = 1e-7) -> bool:
    """Whether the best split of every node is ahead of the second best by this relative margin.

    Splits with zero gain are tied with each other and with no split.
    """
    if node.left is None or node.right is None:
        return not node.is_idle
    ahead = node.decrease >= node.second * (1.0 + margin)
    return ahead and is_unique(node.left, margin) and is_unique(node.right, margin)


def _grow(
    node: CartNode, X: Reals, Y: Reals, impurity: Impurity, depth: int, min_samples_leaf: int
) -> None:
    if depth == 0 or len(node.rows) < 2 * min_samples_leaf:
        return
    whole = _score(Y[node.rows].sum(axis=0)[None], np.array([len(node.rows)]), impurity)[0]
    found: list[tuple[float, int, float]] = []
    for j in range(X.shape[1]):
        order = node.rows[np.argsort(X[node.rows, j], kind="stable")]
        values, sums = X[order, j], np.cumsum(Y[order], axis=0)
        n_left = np.arange(1, len(order))
        parts = (values[:-1] < values[1:]) & (n_left >= min_samples_leaf)
        parts &= len(order) - n_left >= min_samples_leaf
        gains = _score(sums[:-1], n_left, impurity) - whole
        gains += _score(sums[-1] - sums[:-1], len(order) - n_left, impurity)
        places = np.flatnonzero(parts)
        places = places[np.argsort(-gains[places], kind="stable")][:2]
        found += [(-float(gains[k]), j, float((values[k] + values[k + 1]) / 2)) for k in places]
    found.sort()
    if not found or -found[0][0] <= 1e-10 * max(1.0, abs(float(whole))):
        node.is_idle = bool(found) and bool((Y[node.rows] != Y[node.rows[0]]).any())
        return
    node.decrease = -found[0][0]
    node.second = -found[1][0] if len(found) > 1 else 0.0
    node.feature, node.threshold = found[0][1:]
    goes_left = X[node.rows, node.feature] <= node.threshold
    node.left, node.right = CartNode(node.rows[goes_left]), CartNode(node.rows[~goes_left])
    for child in (node.left, node.right):
        _grow(child, X, Y, impurity, depth - 1, min_samples_leaf)


def _score(sums: Reals, n: NDArray[np.int64], impurity: Impurity) -> Reals:
    """Return the negative impurity of rows with these sums, up to a constant."""
    if impurity == "variance":
        scores: Reals = (sums * sums).sum(axis=1) / n
        return scores
    shares = sums / n[:, None]
    terms = np.where(sums > 0, sums * np.log2(np.where(sums > 0, shares, 1.0)), 0.0)
    totals: Reals = terms.sum(axis=1)
    return totals
