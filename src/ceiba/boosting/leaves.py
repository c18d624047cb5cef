"""The values of the leaves of a round's trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ceiba import _core
from ceiba.errors import InvalidParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from ceiba.boosting.modes.state import Boosting
    from ceiba.boosting.row_statistics import RowStatistics
    from ceiba.objectives import Objective, ResidualLeaves
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]

__all__ = ["LeafRule", "count_steps", "fit_leaves"]

#: In trainings of fewer rounds CatBoost's leaves take one step.
_FEW_ROUNDS = 200


@dataclass(frozen=True, slots=True)
class LeafRule:
    """How a training, and a later refit of its leaves, makes the values of leaves."""

    #: Friedman's factor of softmax, or 1, for each of the trees that grow in parallel.
    factor: float = 1.0
    #: Power of a logarithmic link whose leaves stop at their minimum; None: they do not.
    guard: float | None = None
    #: Whether leaves of a loss of classes stop before their minimum (``cpp/leaf/class_link.hpp``).
    class_guard: bool = False
    #: Newton steps of a leaf.
    steps: int = 1

    @classmethod
    def of(cls, parameters: Parameters, objective: Objective, n_outputs: int) -> LeafRule:
        """Return the rule that the parameters ask for."""
        friedman = parameters.leaf_rule == "friedman"
        return cls(
            factor=(objective.friedman_factor(n_outputs) if friedman else 1.0)
            / parameters.num_parallel_tree,
            guard=objective.log_link_power if parameters.leaf_guard else None,
            # Trees of a forest are not corrected by later ones: each takes its whole step.
            class_guard=objective.has_class_link
            and parameters.leaf_guard
            and parameters.boosting != "forest",
            steps=count_steps(parameters, objective, n_outputs),
        )

    def fit_members(
        self,
        members: Iterable[_core.GrownTrees],
        statistics: RowStatistics,
        boosting: Boosting,
        loss: Objective,
        target: Floats,
        n_threads: int,
    ) -> None:
        """Give the leaves of all trees of a round their values, as if each were alone in it."""
        points = boosting.scores_for_gradients()
        overwritten = self.steps > 1 or boosting.scores_for_leaves() is not points
        for number, trees in enumerate(members):
            if number > 0 and overwritten:
                statistics.fill(loss, points, target, n_threads)
            self.fit(trees, statistics, boosting, loss, target, n_threads)

    def fit(
        self,
        trees: _core.GrownTrees,
        statistics: RowStatistics,
        boosting: Boosting,
        loss: Objective,
        target: Floats,
        n_threads: int,
        slopes: Floats | None = None,
    ) -> None:
        """Give the leaves of a round their values, times the weight of the round's trees.

        ``statistics`` are those of the loss at the scores that the trees were grown at. Where
        leaves are fitted at other scores, and in further steps, they are overwritten.

        ``slopes`` [K, n]: what lines whose slopes stay add to the rows, before the weight of the
        trees. Leaves then get the constants that belong to these slopes, and statistics are
        overwritten.
        """
        tree_weight = boosting.tree_weight * self.factor
        scores = boosting.scores_for_leaves()
        others = scores is not boosting.scores_for_gradients()
        if others:
            statistics.fill(loss, scores, target, n_threads)
        if slopes is not None:
            scores, others = scores + slopes, True
        residual_leaves = loss.residual_leaves(scores, target)
        if slopes is not None and residual_leaves is None:
            statistics.move(slopes)
        if residual_leaves is not None or self.steps == 1:
            fit_leaves(trees, statistics, tree_weight, residual_leaves, others=others)
            if self.guard is not None or self.class_guard:
                trees.shorten_leaves(self.guard, tree_weight)
            return
        given = statistics.gradients, statistics.hessians, statistics.constant_hessian
        trees.begin_steps(*given, loss.log_link_power, others=others)
        moved = np.empty_like(scores)
        for _ in range(self.steps - 1):
            trees.add_to_scores(scores, moved)
            statistics.fill(loss, moved, target, n_threads)
            trees.step(*given, loss.log_link_power)
        trees.end_steps(tree_weight)


def count_steps(parameters: Parameters, objective: Objective, n_outputs: int) -> int:
    """Return the Newton steps of a leaf: one where the first already ends at the minimum.

    The minimum of a leaf is one to step towards where no other leaf moves it: not with several
    scores a row, nor with a loss of queries.
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


def fit_leaves(
    trees: _core.GrownTrees,
    statistics: RowStatistics,
    tree_weight: float,
    residual_leaves: ResidualLeaves | None = None,
    *,
    others: bool = False,
) -> None:
    """Give every leaf its value times the weight of the tree.

    The value is the Newton step of the unrounded gradients or, where the loss asks for it
    (``Objective.residual_leaves``), a statistic of the residuals of the rows that the tree was
    grown on. ``reg_lambda`` and ``reg_alpha`` belong to the Newton step alone. ``others``: the
    statistics are not those that the trees were grown from.
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
        # Slopes are those of the Newton step, the constants exact for what they leave.
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
