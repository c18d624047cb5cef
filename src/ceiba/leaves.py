"""The values of the leaves of a round's trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ceiba import _core

if TYPE_CHECKING:
    from ceiba.growing import RowStatistics
    from ceiba.objectives import Objective, ResidualLeaves
    from ceiba.resolving import Parameters

__all__ = ["LeafRule", "fit_leaves"]


@dataclass(frozen=True, slots=True)
class LeafRule:
    """How a training, and a later refit of its leaves, makes the values of leaves."""

    #: Friedman's factor of softmax, or 1.
    factor: float = 1.0
    #: Power of a logarithmic link whose leaves are kept from running away; None: they are not.
    guard: float | None = None

    @classmethod
    def of(cls, parameters: Parameters, objective: Objective, n_outputs: int) -> LeafRule:
        """Return the rule that the parameters ask for."""
        friedman = parameters.leaf_rule == "friedman"
        return cls(
            factor=objective.friedman_factor(n_outputs) if friedman else 1.0,
            guard=objective.log_link_power if parameters.leaf_guard else None,
        )

    def fit(
        self,
        trees: _core.GrownTrees,
        statistics: RowStatistics,
        tree_weight: float,
        residual_leaves: ResidualLeaves | None = None,
    ) -> None:
        """Give the leaves of a round their values, times the weight of the round's trees."""
        fit_leaves(trees, statistics, tree_weight * self.factor, residual_leaves)
        if self.guard is not None:
            trees.shorten_leaves(self.guard, tree_weight * self.factor)


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
