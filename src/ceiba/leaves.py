"""The values of the leaves of a round's trees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ceiba import _core

if TYPE_CHECKING:
    from ceiba.growing import RowStatistics
    from ceiba.objectives import ResidualLeaves

__all__ = ["fit_leaves"]


def fit_leaves(
    trees: _core.GrownTrees,
    statistics: RowStatistics,
    tree_weight: float,
    residual_leaves: ResidualLeaves | None = None,
) -> None:
    """Give every leaf its value times the weight of the tree.

    The value is the Newton step of the unrounded gradients or, where the loss asks for it
    (``Objective.residual_leaves``), a statistic of the residuals of the rows that the tree was
    grown on. ``reg_lambda`` and ``reg_alpha`` belong to the Newton step alone.
    """
    if residual_leaves is None:
        _core.fit_constant_leaves(
            trees,
            statistics.gradients,
            statistics.hessians,
            statistics.constant_hessian,
            tree_weight,
        )
    else:
        _core.fit_residual_leaves(
            trees,
            residual_leaves.target,
            residual_leaves.scores,
            residual_leaves.kind,
            residual_leaves.options,
            statistics.constant_hessian,
            tree_weight,
        )
