"""Ordered boosting: gradients of a row come from leaf values that were fitted without the row.

Plain boosting fits leaf values to the targets of training rows and computes the next gradients of
the same rows at these values, so their gradients are smaller than those of new rows. Ordered
boosting computes gradients at other scores; ``cpp/leaf/prefix_scores.hpp`` shows them in a picture.

The life of a round:

1. ``begin`` draws one of the permutations, by a hash of (seed, round).
2. Models of prefixes of this permutation score the rows after the prefix. Gradients, and so splits,
   come from these scores.
3. Leaf values of the model are fitted to all rows at the scores of all trees, as in plain boosting.
   Eval sets, predictions and refits use them too.
4. ``commit`` fits the leaves of all prefixes of all permutations and adds them to their scores.

Prefix scores are a function of trees and training rows, so continued training rebuilds them tree by
tree, bit for bit. All scores start from the same constant, computed from all rows as in CatBoost
(unless ``base_score`` is given).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ceiba import _core
from ceiba.boosting.grow_plan import make_plan
from ceiba.boosting.modes.state import Boosting, EarlierRows, RoundTrees
from ceiba.boosting.row_statistics import RowLoss, empty_statistics
from ceiba.errors import InvalidParameterError
from ceiba.random import seed_of

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from ceiba.boosting.leaves import LeafRule
    from ceiba.model.model import Model
    from ceiba.model.tree_weights import TreeWeights
    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]

__all__ = ["LeafFitInputs", "OrderedBoosting", "check_ordered", "first_rows", "may_score_apart"]

#: Separates random numbers of permutations from other ones.
_STAGE = 0x02DE2


@dataclass(frozen=True, slots=True)
class LeafFitInputs:
    """What leaf values are fitted to, and how."""

    loss: Objective
    target: Floats
    weights: Floats | None
    leaf_rule: LeafRule
    n_threads: int
    #: The rows in the encoding of splits, where leaves have another one.
    of_splits: _core.BinnedMatrix | None = None

    @classmethod
    def of(cls, ready: Any, of_splits: _core.BinnedMatrix | None = None) -> LeafFitInputs:
        """Return the inputs of a prepared training."""
        given = ready.loss, ready.target, ready.weights, ready.leaf_rule, ready.n_threads
        return cls(*given, of_splits)


def check_ordered(parameters: Parameters, objective: Objective, target: Floats) -> None:
    """Raise for losses without Newton leaves, and for trees shared by several outputs."""
    if parameters.boosting != "ordered":
        return
    if _shares_trees(parameters, target):
        raise InvalidParameterError(
            "boosting='ordered' grows trees of their own for the classes of one target. Got "
            f"several targets, or multi_strategy={parameters.multi_strategy!r}. Give "
            "boosting='plain'."
        )
    if parameters.num_parallel_tree > 1:
        raise InvalidParameterError(
            "boosting='ordered' grows one tree (of each class) a round. Got num_parallel_tree="
            f"{parameters.num_parallel_tree}. Leave it out, or give boosting='plain'."
        )
    if not _has_newton_leaves(objective):
        raise InvalidParameterError(
            "boosting='ordered' needs a loss of single rows whose leaves are Newton steps, such as "
            f"squared_error, logistic or softmax. Got objective {objective.name}. Give "
            "boosting='plain'."
        )


def may_score_apart(parameters: Parameters, objective: Objective, target: Floats) -> bool:
    """Whether leaves can be fitted at other scores than those of the model."""
    alone = not _shares_trees(parameters, target) and parameters.num_parallel_tree == 1
    return alone and _has_newton_leaves(objective)


def _shares_trees(parameters: Parameters, target: Floats) -> bool:
    return target.ndim > 1 or parameters.multi_strategy == "vector_leaf"


def _has_newton_leaves(objective: Objective) -> bool:
    """Whether the leaves of a loss are Newton steps of single rows."""
    if objective.needs_queries or objective.shares_trees or objective.task == "custom":
        return False
    one = np.ones(1)
    return objective.residual_leaves(one[None], one) is None


def first_rows(n_rows: int) -> int:
    """Return the size of the smallest prefix: half of the rows.

    Models of few rows overfit, and the gradients at their scores are noise: with prefixes from 2 %
    of the rows on, log losses were 1 to 5 % larger.
    """
    return max(1, n_rows // 2)


class OrderedBoosting(Boosting):
    """Each tree is grown on gradients at scores from models without the row."""

    def __init__(
        self,
        parameters: Parameters,
        scores: Floats,
        weights: TreeWeights | None,
        leaf_inputs: LeafFitInputs,
    ) -> None:
        super().__init__(parameters, scores, weights)
        n_outputs, n_rows = scores.shape
        self._leaf_inputs = leaf_inputs
        self._seed = seed_of(parameters.random_state)
        self._n_permutations = self._count_permutations(parameters)
        self._points = scores
        self._prefixes = _core.PrefixScores(
            start=scores,
            n_permutations=self._n_permutations,
            first_rows=self._first_rows(n_rows),
            seed=self._seed,
            plan=make_plan(parameters, leaf_inputs.weights, n_rows, n_features=1),
            weights=leaf_inputs.weights,
            n_threads=leaf_inputs.n_threads,
        )
        seen = self._prefixes.body_rows()
        of_rows = leaf_inputs.loss, leaf_inputs.target[seen], leaf_inputs.n_threads
        self._loss = RowLoss(*of_rows)
        self._statistics = empty_statistics(leaf_inputs.loss, n_outputs, len(seen))

    def _count_permutations(self, parameters: Parameters) -> int:
        return int(parameters.ordered_permutations)

    def _first_rows(self, n_rows: int) -> int:
        return first_rows(n_rows)

    def begin(self, round: int) -> None:
        super().begin(round)
        lot = float(_core.hash_uniform(self._seed ^ _STAGE, round, 1)[0])
        self._points = self._prefixes.tails(int(lot * self._n_permutations))

    def scores_for_gradients(self) -> Floats:
        return self._points

    def scores_for_leaves(self) -> Floats:
        return self.scores

    def commit(self, trees: RoundTrees) -> None:
        trees.add_to_scores(self.scores)
        self._learn(trees.leaves(self._leaf_inputs.of_splits))

    def replay(self, model: Model, rows: EarlierRows) -> None:
        super().replay(model, rows)
        for round, leaves in enumerate(rows.leaves_of_splits(model.forest)):
            self.round = round
            self._learn(leaves.T)

    def _learn(self, leaves: NDArray[Any]) -> None:
        """Fit the leaf values of all prefix models for leaves [n_trees, n], and add them."""
        leaf_inputs, statistics = self._leaf_inputs, self._statistics
        rule = leaf_inputs.leaf_rule
        power = rule.guard
        if rule.steps > 1:
            power = leaf_inputs.loss.log_link_power
        self._prefixes.begin(np.ascontiguousarray(leaves, dtype=np.int32))
        for _ in range(rule.steps):
            statistics.fill(self._loss, self._prefixes.moved())
            self._prefixes.step(
                statistics.gradients, statistics.hessians, statistics.constant_hessian, power
            )
        self._prefixes.end(self.rate * rule.factor)
