"""The trees of rounds, from gradients and samples of rows.

A round grows ``num_parallel_tree`` members: each is a tree for every output (or one that they
share), on rows and columns of its own. Where the rounds of a kind of boosting do not depend on each
other, the members of several rounds are grown in one call, so that every thread has a tree to
itself; what is grown does not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ceiba import _core
from ceiba.boosting.modes.removable_scores import RoundValues
from ceiba.boosting.noise import deviations
from ceiba.model.trees import Trees

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.boosting.outputs import Outputs
    from ceiba.boosting.row_statistics import RowStatistics
    from ceiba.boosting.sample import RowSelection
    from ceiba.parameters.resolving import Parameters

    #: The rows of a member of a round.
    Select = Callable[[RowStatistics, int, int], RowSelection]

__all__ = ["GrownRound", "RoundGrower", "members_of"]


class Trained(Protocol):
    """What is asked of a training."""

    @property
    def parameters(self) -> Parameters: ...

    @property
    def weights(self) -> NDArray[np.float64] | None: ...

    @property
    def n_outputs(self) -> int: ...

    @property
    def n_rounds(self) -> int: ...

    @property
    def outputs(self) -> Outputs: ...

    @property
    def n_threads(self) -> int: ...


@dataclass(frozen=True, slots=True)
class GrownRound:
    """The trees of a round, in members (``state.RoundTrees``)."""

    members: Sequence[Any]  #: GrownTrees, or what has their methods

    def add_to_scores(self, scores: NDArray[np.float64]) -> None:
        for trees in self.members:
            trees.add_to_scores(scores)

    def add_to_binned_scores(self, binned: _core.BinnedMatrix, scores: NDArray[np.float64]) -> None:
        """Add them to the scores of another table with the same bins."""
        for trees in self.members:
            trees.add_to_binned_scores(binned, scores)

    def leaves(self, binned: _core.BinnedMatrix | None = None) -> Any:
        found: list[Any] = [trees.leaves(binned) for trees in self.members]
        return found[0] if len(found) == 1 else np.concatenate(found)

    def round_values(self) -> RoundValues | None:
        found = [_values_of(trees) for trees in self.members]
        values = [own for own in found if own is not None]
        return RoundValues.joined(values) if len(values) == len(found) else None

    def forest(self, n_features: int, n_outputs: int) -> _core.Forest:
        """Return a forest of this one iteration."""
        n_parallel = len(self.members)
        return _core.Forest.from_grown(self.members, n_features, n_outputs, n_parallel=n_parallel)


class RoundGrower:
    """Grows the trees of rounds in their order."""

    def __init__(
        self,
        grower: _core.Grower,
        select: Select,
        ready: Trained,
        together: int = 1,
    ) -> None:
        self.n_parallel: int = ready.parameters.num_parallel_tree
        self._grower = grower
        self._select = select
        self._n_outputs = ready.n_outputs
        self._n_rounds = ready.n_rounds
        self._parameters, self._weights = ready.parameters, ready.weights
        self._outputs, self._n_threads = ready.outputs, ready.n_threads
        self._for_splits: RowStatistics | None = None
        self._together = 1 if ready.outputs.sketched else together  # rounds
        self._ahead: dict[int, GrownRound] = {}

    def grow(self, statistics: RowStatistics, round: int) -> GrownRound:
        """Return the trees of a round. Those of the round before can no longer be fitted, unless
        both were grown together.
        """
        if round not in self._ahead:
            self._ahead = self._grown(statistics, round)
        return self._ahead.pop(round)

    def _grown(self, of_outputs: RowStatistics, first: int) -> dict[int, GrownRound]:
        if self._for_splits is None:
            self._for_splits = self._outputs.buffers(of_outputs)
        statistics = self._for_splits
        self._outputs.for_splits(of_outputs, first, statistics, self._n_threads)
        rounds = range(first, max(first + 1, min(self._n_rounds, first + self._together)))
        samples = []
        for round in rounds:
            noise = deviations(self._parameters, statistics, self._weights, round)
            for member in range(self.n_parallel):
                chosen = self._select(of_outputs, round, member)
                samples.append(
                    _core.GrowSample(
                        rows=chosen.rows,
                        multipliers=chosen.multipliers,
                        round=round,
                        member=member,
                        noise=noise,
                        repeats=chosen.repeats,
                    )
                )
        n_grown = 1 if self._outputs.split_together else len(statistics.gradients)
        trees = self._grower.grow_samples(
            statistics.gradients,
            statistics.hessians,
            statistics.constant_hessian,
            samples,
            leaf_width=self._n_outputs // n_grown,
        )
        n = self.n_parallel
        return {round: GrownRound(trees[i * n : (i + 1) * n]) for i, round in enumerate(rounds)}


def members_of(forest: _core.Forest) -> _core.Forest:
    """Return the same trees with an iteration for each member of a round."""
    if forest.n_parallel == 1:
        return forest
    return replace(Trees.of(forest), n_parallel=1).to_forest(forest.n_features)


def _values_of(member: Any) -> RoundValues | None:
    """Return what the nodes of a member of a round add; None if it has linear leaves."""
    if not isinstance(member, _core.GrownTrees):
        values: RoundValues | None = member.round_values()
        return values
    trees = Trees.of(member)
    return RoundValues.of(trees) if trees.linear is None else None
