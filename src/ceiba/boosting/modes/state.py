"""Boosting modes: the scores of rows and the weights of trees, round by round.

Open this file to add a boosting mode, or to see what the loop asks of one. The life of a boosting:

1. A training (or a refit) makes it from the parameters and the start scores [K, n] of its rows;
   :meth:`Boosting.replay` adds the trees of an earlier model. A refit passes ``follows``, the tree
   weights of its model, so that nothing is drawn again.
2. :meth:`Boosting.track` returns the :class:`ScoreTracker` of each eval set.
3. :meth:`Boosting.begin` opens a round and makes its random choices: trees to drop, a permutation.
4. ``scores_for_gradients`` are the scores at which gradients are computed, ``scores_for_leaves``
   those at which leaf values are fitted, and ``tree_weight`` multiplies the leaf values.
5. :meth:`Boosting.commit` adds the trees of the round to the scores. ``weights`` records changes of
   earlier tree weights (``model/tree_weights.py``).
6. :meth:`ScoreTracker.add` does the same for an eval set.

Early stopping, checkpoints, truncated models and staged predictions read the trees and ``weights``
as of a round, and so are right for every mode.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from ceiba.model.tree_weights import TreeWeights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ceiba import _core
    from ceiba.boosting.modes.removable_scores import RoundValues
    from ceiba.model.model import Model
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]

__all__ = ["Boosting", "EarlierRows", "RoundTrees", "ScoreTracker", "ScoredRows"]


class RoundTrees(Protocol):
    """The trees of a round with their leaf values."""

    def add_to_scores(self, scores: Floats) -> None:
        """Add them to the scores [K, n] of their training rows."""

    def leaves(self, binned: _core.BinnedMatrix | None = None) -> Any:
        """Return the leaf of each training row in each tree, as node numbers [n_trees, n].

        With ``binned``, the leaves of the rows of that table.
        """

    def round_values(self) -> RoundValues | None:
        """Return what their nodes add; None if they have linear leaves."""


class ScoredRows(Protocol):
    """Rows of an eval set, which owns their scores."""

    scores: Floats  # [K, n]

    def add(self, trees: Any, scores: Floats) -> None:
        """Add what the trees of a round predict for the rows to ``scores`` [K, n], in place.

        ``scores`` is the array of that name, or one with its memory layout.
        """

    def leaves(self, trees: Any) -> Any:
        """Return the leaf of each row in each tree of a round, as node numbers [n_trees, n]."""


class EarlierRows(Protocol):
    """Rows of a training that continues a model, before its first round."""

    @property
    def scores(self) -> Floats:
        """Return the start scores [K, n] of the rows, which a replay changes in place."""

    def add(self, forest: _core.Forest, scores: Floats) -> None:
        """Add all trees of a forest to ``scores`` [K, n] in place, in their order."""

    def leaves(self, forest: _core.Forest) -> Iterator[NDArray[np.int32]]:
        """Yield the leaves [n, n_trees] of each iteration."""

    def leaves_of_splits(self, forest: _core.Forest) -> Iterator[NDArray[np.int32]]:
        """Yield the same in the encoding that splits were chosen with."""


class ScoreTracker:
    """Keeps the scores of one eval set up to date: the sum of all trees so far.

    Modes with other scores derive from it and keep what they need for these rows.
    """

    def __init__(self, rows: ScoredRows) -> None:
        self.rows = rows

    def add(self, trees: Any) -> None:
        """Update the scores, in place, to those after the round of these trees."""
        self.rows.add(trees, self.rows.scores)

    def replay(self, model: Model, rows: EarlierRows) -> None:
        """Update the scores, in place, to those after the rounds of a model."""
        rows.add(model.weighted_forest(), rows.scores)


class Boosting(ABC):
    """Scores of training rows and weights of trees, round by round."""

    #: Whether gradients are the same in all rounds, so that trees of several rounds grow together.
    rounds_are_alike = False

    def __init__(
        self, parameters: Parameters, scores: Floats, weights: TreeWeights | None = None
    ) -> None:
        self.scores = scores
        self.weights = TreeWeights() if weights is None else weights
        self.round = -1
        self._rates: float | list[float] = parameters.learning_rate

    def begin(self, round: int) -> None:
        """Open the round of this number."""
        self.round = round

    @abstractmethod
    def scores_for_gradients(self) -> Floats:
        """Return the scores [K, n] at which the gradients of the round are computed."""

    @abstractmethod
    def scores_for_leaves(self) -> Floats:
        """Return the scores [K, n] at which the leaf values of the round are fitted."""

    def rate_of(self, round: int) -> float:
        """Return the learning rate of a round."""
        return self._rates[round] if isinstance(self._rates, list) else self._rates

    @property
    def rate(self) -> float:
        """Return the learning rate of the round."""
        return self.rate_of(self.round)

    @property
    def tree_weight(self) -> float:
        """Return the factor of the leaf values of the round: its learning rate."""
        return self.rate

    @abstractmethod
    def commit(self, trees: RoundTrees) -> None:
        """Add the trees of the round to the scores, in place."""

    def track(self, rows: ScoredRows) -> ScoreTracker:
        """Return what keeps the scores of an eval set up to date."""
        return ScoreTracker(rows)

    def replay(self, model: Model, rows: EarlierRows) -> None:
        """Update the scores of the training rows, in place, to those after the rounds of a model.

        Trees are added in the order in which training added them, so that a resumed training has
        the same bits.
        """
        rows.add(model.weighted_forest(), rows.scores)
