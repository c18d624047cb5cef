"""Fit the leaf values of the trees of a round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ceiba import _core
from ceiba.errors import InvalidParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from ceiba.boosting.fitted_rows import FittedRows
    from ceiba.boosting.row_statistics import RowStatistics
    from ceiba.objectives import Objective, ResidualLeaves
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]

__all__ = ["LeafRule", "check_steps", "count_steps", "fit_leaves"]

#: CatBoost takes one step in each leaf if there are fewer rounds than this.
_FEW_ROUNDS = 200


@dataclass(frozen=True, slots=True)
class LeafRule:
    """How trainings and refits fit leaf values."""

    #: Friedman's factor of softmax, or 1, for each of the trees that grow in parallel.
    factor: float = 1.0
    #: Power of a log link whose Newton steps are limited by the known minimum; None: no limit.
    guard: float | None = None
    #: Whether steps of classification losses stay below the minimum (``cpp/leaf/class_link.hpp``).
    class_guard: bool = False
    #: Newton steps per leaf.
    steps: int = 1

    @classmethod
    def of(cls, parameters: Parameters, objective: Objective, n_outputs: int) -> LeafRule:
        """Return the rule for settled parameters."""
        friedman = parameters.leaf_rule == "friedman"
        return cls(
            factor=(objective.friedman_factor(n_outputs) if friedman else 1.0)
            / parameters.num_parallel_tree,
            guard=objective.log_link_power if parameters.leaf_guard else None,
            # No later tree corrects a tree of a forest, so it takes the whole step.
            class_guard=objective.has_class_link
            and parameters.leaf_guard
            and parameters.boosting != "forest",
            steps=count_steps(parameters, objective, n_outputs),
        )

    def fit_members(self, members: Iterable[_core.GrownTrees], rows: FittedRows) -> None:
        """Fit the leaves of all trees of a round, each as if it were the only one."""
        overwritten = self.steps > 1 or rows.fits_elsewhere
        for number, trees in enumerate(members):
            if number > 0 and overwritten:
                rows.find_gradients()
            self.fit(trees, rows)

    def fit(self, trees: _core.GrownTrees, rows: FittedRows, slopes: Floats | None = None) -> None:
        """Fit the leaf values of a round and multiply them by the tree weight.

        The gradients of the rows are those at the scores that the trees were grown at. They are
        overwritten if leaves are fitted at other scores or in several steps.

        ``slopes`` [K, n] are the contributions of linear leaves whose slopes stay, before the tree
        weight. Only constants are fitted then, and the gradients are overwritten.
        """
        tree_weight = rows.tree_weight * self.factor
        others = rows.fits_elsewhere or slopes is not None
        if rows.fits_elsewhere:
            rows.find_leaf_gradients()
        residual_leaves = rows.residual_leaves(slopes)
        if slopes is not None and residual_leaves is None:
            rows.statistics.move(slopes)
        if residual_leaves is not None or self.steps == 1:
            fit_leaves(trees, rows.statistics, tree_weight, residual_leaves, others=others)
            if self.guard is not None or self.class_guard:
                trees.shorten_leaves(self.guard, tree_weight)
            return
        statistics, power = rows.statistics, rows.loss_of_round.log_link_power
        given = statistics.gradients, statistics.hessians, statistics.constant_hessian
        trees.begin_steps(*given, power, others=others)
        for _ in range(self.steps - 1):
            rows.move(trees, slopes)
            trees.step(*given, power)
        rows.end_moves()
        trees.end_steps(tree_weight)


def count_steps(parameters: Parameters, objective: Objective, n_outputs: int) -> int:
    """Return the number of Newton steps per leaf; 1 if the first step reaches the minimum.

    Several steps need a minimum that no other leaf changes. Rows with several scores and losses of
    queries have none.
    """
    if objective.constant_hessian is not None:
        return 1
    if parameters.leaf_iterations == "auto":
        return objective.symmetric_steps if parameters.grow_policy == "symmetric" else 1
    if parameters.leaf_iterations == "catboost":
        return objective.catboost_steps if parameters.n_estimators >= _FEW_ROUNDS else 1
    steps = int(parameters.leaf_iterations)
    if steps > 1 and (n_outputs > 1 or objective.needs_queries):
        raise InvalidParameterError(
            f"leaf_iterations={steps} needs a loss of single rows with one score each. Got "
            f"objective {objective.name}. Leave leaf_iterations out, or give 1."
        )
    return steps


def check_steps(objective: Objective, n_outputs: int, parameters: Parameters) -> None:
    """Raise InvalidParameterError for parameters of further Newton steps if there are none.

    ``leaf_iterations="auto"`` depends on the objective, so this repeats a check of the parameters.
    """
    steps = count_steps(parameters, objective, n_outputs)
    parameters.replace(leaf_iterations=steps).check_effects("leaf")


def fit_leaves(
    trees: _core.GrownTrees,
    statistics: RowStatistics,
    tree_weight: float,
    residual_leaves: ResidualLeaves | None = None,
    *,
    others: bool = False,
) -> None:
    """Set every leaf to its value times the tree weight.

    The value is the Newton step of the unrounded gradients or, for losses that declare it
    (``Objective.residual_leaves``), a statistic of the residuals of its training rows.
    ``reg_lambda`` and ``reg_alpha`` apply to Newton steps only. ``others`` says that the trees were
    grown from other statistics.
    """
    if residual_leaves is None:
        _core.fit_constant_leaves(
            trees,
            statistics.gradients,
            statistics.hessians,
            statistics.constant_hessian,
            tree_weight / statistics.unit,
            others=others,
        )
    else:
        # Slopes come from the Newton step; constants are exact for the remaining residuals.
        gradients = statistics.gradients
        if statistics.unit != 1.0:
            gradients = gradients / statistics.unit
        trees.fit_linear_leaves(gradients, statistics.hessians, statistics.constant_hessian)
        _core.fit_residual_leaves(
            trees,
            residual_leaves.target,
            residual_leaves.scores,
            residual_leaves.kind,
            residual_leaves.options,
            statistics.constant_hessian,
            tree_weight,
        )
