"""What a kind of boosting is: the scores of the rows, and how much trees count, round by round.

The life of a boosting:

1. It is made once for a training (or for a refit), from the parameters and the scores [K, n] that
   the rows start from; :meth:`Boosting.replay` adds the trees of a model that it goes on from.
   A refit says whose changes it ``follows``: then nothing is drawn anew.
2. :meth:`Boosting.begin` opens a round, and with it every choice that the round needs: which trees
   to drop, which permutation to look along.
3. ``scores_for_gradients`` are the scores at which the gradients are taken, ``scores_for_leaves``
   those that the values of leaves are fitted at, and ``tree_weight`` multiplies those values.
4. :meth:`Boosting.commit` takes the trees of the round into the scores. Where earlier trees count
   otherwise from now on, ``weights`` has it (``model/tree_weights.py``).
5. :meth:`Boosting.score` brings the scores of rows that are only looked at to where they are after
   this round.

Whatever comes after a round (early stopping, checkpoints, models that are cut, stages) reads the
trees and ``weights`` as of that round, and so is right for every kind.
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

__all__ = ["Boosting", "EarlierRows", "RoundTrees", "ScoredRows"]


class RoundTrees(Protocol):
    """The trees of a round, once their leaves have values."""

    def add_to_scores(self, scores: Floats) -> None:
        """Add them to the scores [K, n] of the rows that they were grown on."""

    def leaves(self, binned: _core.BinnedMatrix | None = None) -> Any:
        """Return the node of each tree where each of those rows ends, [n_trees, n].

        With ``binned``, where each row of that table does.
        """

    def round_values(self) -> RoundValues | None:
        """Return what their nodes add; None if they have linear leaves."""


class ScoredRows(Protocol):
    """Rows that are scored and never learned from."""

    scores: Floats  # [K, n]

    def add(self, trees: Any, scores: Floats) -> None:
        """Add what the trees of a round predict for the rows to ``scores`` [K, n], in place.

        ``scores`` is the array of that name, or one with its memory layout.
        """

    def leaves(self, trees: Any) -> Any:
        """Return the node of each tree of a round where each row ends, [n_trees, n]."""


class EarlierRows(Protocol):
    """Rows of a training that goes on from a model, before its first round."""

    @property
    def scores(self) -> Floats:
        """Return the scores [K, n] that the rows start from, to be changed."""

    @property
    def of(self) -> ScoredRows | None:
        """Return the eval set whose rows they are; None: they are those that are learned from."""

    def add(self, forest: _core.Forest, scores: Floats) -> None:
        """Add all trees of a forest to ``scores`` [K, n] in place, in their order."""

    def leaves(self, forest: _core.Forest) -> Iterator[NDArray[np.int32]]:
        """Yield the leaves [n, n_trees] of each iteration."""

    def leaves_of_splits(self, forest: _core.Forest) -> Iterator[NDArray[np.int32]]:
        """Yield the same for the rows as splits knew them, where leaves knew them otherwise."""


class Boosting(ABC):
    """Scores and weights of trees, as rounds go by."""

    #: Whether the gradients of all rounds are the same, so that trees of several grow together.
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
        """Return the scores [K, n] at which the gradients of the round are taken."""

    @abstractmethod
    def scores_for_leaves(self) -> Floats:
        """Return the scores [K, n] at which the leaves of the round get their values."""

    def rate_of(self, round: int) -> float:
        """Return the learning rate of a round."""
        return self._rates[round] if isinstance(self._rates, list) else self._rates

    @property
    def rate(self) -> float:
        """Return the learning rate of the round."""
        return self.rate_of(self.round)

    @property
    def tree_weight(self) -> float:
        """Return what the leaf values of the round are multiplied by: its learning rate."""
        return self.rate

    @abstractmethod
    def commit(self, trees: RoundTrees) -> None:
        """Take the trees of the round into the scores, in place."""

    @abstractmethod
    def score(self, rows: ScoredRows, trees: Any) -> None:
        """Bring the scores of other rows to what they are after the round, in place."""

    def replay(self, model: Model, rows: EarlierRows) -> None:
        """Bring the scores of rows to where the rounds of a model left them, in place.

        A resumed training wants the bits that it had, so trees are added as its rounds added them.
        """
        rows.add(model.weighted_forest(), rows.scores)
