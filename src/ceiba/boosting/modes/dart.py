"""DART: drop random earlier trees in each round, so that late trees learn more than details.

The life of a round:

1. ``begin`` draws the rounds whose trees are dropped. With probability ``skip_drop`` none is.
   Otherwise every earlier round is dropped with probability ``drop_rate``, or, with weighted drops,
   in proportion to its tree weights. ``one_drop`` drops at least one; ``max_drop`` limits the
   number, with equal chances. Random numbers are hashes of (seed, round, tree).
2. Gradients and leaf values are computed at the scores without the dropped trees.
3. ``commit`` adds the k dropped rounds again and scales them and the new trees, so that together
   they do not overshoot. With the learning rate r of the round:

   ============ ============= ===============
   normalize    new trees     dropped trees
   ============ ============= ===============
   lightgbm     r / (k + 1)   x k / (k + 1)
   tree         r / (k + r)   x k / (k + r)
   forest       r / (1 + r)   x 1 / (1 + r)
   ============ ============= ===============

   Without dropped rounds the weight of the new trees is r.

``model/tree_weights.py`` records the tree weights after each round. Replays and refits drop the
recorded rounds and do not draw again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ceiba import _core
from ceiba.boosting.modes.removable_scores import RemovableScores, RoundValues, small_numbers
from ceiba.boosting.modes.state import (
    Boosting,
    EarlierRows,
    RoundTrees,
    ScoredRows,
    ScoreTracker,
)
from ceiba.model.predict import count_threads
from ceiba.model.tree_weights import TreeWeights
from ceiba.model.trees import Trees
from ceiba.random import seed_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ceiba.model.model import Model
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]

__all__ = ["DartBoosting", "drawn_rounds", "new_weight", "old_factor"]

#: Separates random numbers of trees from those of rows and columns.
_STAGE = 0xDA127


def new_weight(rule: str, rate: float, n_dropped: int) -> float:
    """Return the weight of new trees."""
    if n_dropped == 0:
        return rate
    below = {"lightgbm": 1.0 + n_dropped, "tree": rate + n_dropped, "forest": 1.0 + rate}
    return rate / below[rule]


def old_factor(rule: str, rate: float, n_dropped: int) -> float:
    """Return the factor of the weights of dropped trees when they are added again."""
    if rule == "forest":
        return 1.0 / (1.0 + rate)
    return n_dropped / (n_dropped + (1.0 if rule == "lightgbm" else rate))


def drawn_rounds(parameters: Parameters, round: int, counted: Floats) -> list[int]:
    """Return the rounds to drop, ascending; ``counted`` are the tree weights of each round."""
    n = len(counted)
    if n == 0:
        return []
    seed = seed_of(parameters.random_state)
    numbers = _core.hash_uniform(seed ^ _STAGE, round, n + 1)
    lots = numbers[:n]
    if numbers[n] < parameters.skip_drop:
        return []
    shares = np.ones(n)
    total = _core.exact_sum(counted)
    if parameters.drop_sampling == "weighted" and total > 0:
        shares = counted * (n / total)
    drawn = np.flatnonzero(lots < parameters.drop_rate * shares)
    with np.errstate(divide="ignore"):
        # Exponential times with the shares as rates: the smallest choose without replacement.
        times = -_core.log(1.0 - lots) / shares
    if len(drawn) == 0 and parameters.one_drop:
        drawn = np.array([np.argmin(times)])
    if 0 < parameters.max_drop < len(drawn):
        first = np.argsort(times[drawn], kind="stable")[: parameters.max_drop]
        drawn = np.sort(drawn[first])
    return [int(number) for number in drawn]


class DartBoosting(Boosting):
    """Each tree corrects the sum of the trees that are not dropped."""

    def __init__(
        self,
        parameters: Parameters,
        scores: Floats,
        weights: TreeWeights | None = None,
        follows: TreeWeights | None = None,
    ) -> None:
        super().__init__(parameters, scores, weights)
        self._parameters = parameters
        self._follows = follows
        self.n_threads = count_threads(parameters.n_jobs)
        self._sums = RemovableScores(scores, self.n_threads)
        self._points = self._sums
        self._dropped: list[int] = []
        self._before = self._after = np.zeros(0)
        self.scores = self._sums.high

    def begin(self, round: int) -> None:
        super().begin(round)
        self._before = self.weights.as_of(round)
        if self._follows is None:
            self._dropped = drawn_rounds(self._parameters, round, self._counted())
        else:
            self._dropped = self._follows.changed_in(round)
        self._points = self._sums
        if self._dropped:
            self._points = self._sums.copy()
            self._points.change(self._at(self._dropped, -self._before))

    def scores_for_gradients(self) -> Floats:
        return self._points.high

    def scores_for_leaves(self) -> Floats:
        return self._points.high

    @property
    def tree_weight(self) -> float:
        return new_weight(self._parameters.normalize, self.rate, len(self._dropped))

    def commit(self, trees: RoundTrees) -> None:
        if self._follows is None:
            factor = old_factor(self._parameters.normalize, self.rate, len(self._dropped))
            after = [factor * self._before[number] for number in self._dropped]
            self.weights = self.weights.changed(self.round, self._dropped, after)
        else:
            self.weights = self._follows.until(self.round + 1)
        self._after = self.weights.as_of(self.round + 1)
        self._sums = self._points
        self._put_back(self._sums, self._dropped)
        values = trees.round_values()
        if values is None:
            added = np.zeros_like(self._sums.high)
            trees.add_to_scores(added)
            self._sums.add_rows(added)
        else:
            self._sums.add(trees.leaves(), values)
        self.scores = self._sums.high

    def track(self, rows: ScoredRows) -> ScoreTracker:
        return DartTracker(rows, self)

    def change_dropped(self, sums: RemovableScores) -> None:
        """Change the dropped trees of the round in ``sums`` from their old to their new weights."""
        if self._dropped:
            sums.change(self._at(self._dropped, -self._before))
        self._put_back(sums, self._dropped)

    def replay(self, model: Model, rows: EarlierRows) -> None:
        self.replay_into(self._sums, model, rows)

    def replay_into(self, sums: RemovableScores, model: Model, rows: EarlierRows) -> None:
        """Add the rounds of a model to ``sums``, as its training did, and set the scores."""
        changes, forest = model.tree_weights, model.forest
        earlier, n_trees = Trees.of(forest), forest.trees_per_iteration
        has_linear_leaves = forest.has_linear_leaves
        leaves = iter([]) if has_linear_leaves else rows.leaves(forest)
        for round in range(forest.n_iterations):
            self._before, self._after = changes.as_of(round), changes.as_of(round + 1)
            self._dropped = changes.changed_in(round)
            self.round = round
            self.change_dropped(sums)
            if has_linear_leaves:
                added = np.zeros_like(rows.scores)
                rows.add(forest.slice(round, round + 1), added)
                sums.add_rows(added)
            else:
                values = RoundValues.of(earlier, round * n_trees, n_trees)
                sums.add(small_numbers(next(leaves)), values)
        rows.scores[:] = sums.high

    def _put_back(self, sums: RemovableScores, dropped: list[int]) -> None:
        """Add dropped trees with their new weights."""
        if dropped:
            sums.change(self._at(dropped, self._after))

    def _at(self, rounds: Sequence[int], weights: Floats) -> list[tuple[int, float]]:
        return [(round, float(weights[round])) for round in rounds]

    def _counted(self) -> Floats:
        """Return what the trees of each round count: what their leaves were multiplied by, and what
        has become of it since.
        """
        rule = self._parameters.normalize
        times = np.bincount(self.weights.rounds, minlength=self.round)
        first = [new_weight(rule, self.rate_of(i), int(times[i])) for i in range(self.round)]
        return np.array(first) * self._before


class DartTracker(ScoreTracker):
    """The scores of an eval set, from which dropped trees can be removed."""

    def __init__(self, rows: ScoredRows, boosting: DartBoosting) -> None:
        super().__init__(rows)
        self._boosting = boosting
        self._sums = RemovableScores(rows.scores, boosting.n_threads)

    def add(self, trees: RoundTrees) -> None:
        rows, sums = self.rows, self._sums
        self._boosting.change_dropped(sums)
        values = trees.round_values()
        if values is None:
            added = np.zeros_like(rows.scores)
            rows.add(trees, added)
            sums.add_rows(added)
        else:
            sums.add(rows.leaves(trees), values)
        rows.scores[:] = sums.high

    def replay(self, model: Model, rows: EarlierRows) -> None:
        self._boosting.replay_into(self._sums, model, rows)
