"""`GrownRound`: the trees of one round, in members."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba import _core
from ceiba.boosting.modes.removable_scores import RoundValues
from ceiba.model.trees import Trees

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["GrownRound", "members_of"]


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
