"""The values of the leaves of a round's trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ceiba import _core

if TYPE_CHECKING:
    from ceiba.growing import RowStatistics

__all__ = ["fit_leaves"]


def fit_leaves(trees: _core.GrownTrees, statistics: RowStatistics, tree_weight: float) -> None:
    """Give every leaf its Newton step times the weight of the tree, from unrounded gradients."""
    _core.fit_constant_leaves(
        trees,
        statistics.gradients,
        statistics.hessians,
        statistics.constant_hessian,
        tree_weight,
    )
