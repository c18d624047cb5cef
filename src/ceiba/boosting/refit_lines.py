"""Refits of leaves that hold lines: slopes stay, and constants are fitted to what they leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba import _core
from ceiba.model.predict import add_forest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.boosting.state import Boosting
    from ceiba.data.table import Table

    Floats = NDArray[np.float64]

__all__ = ["LinesOfTrees", "MixedLines"]


@dataclass(frozen=True, slots=True)
class MixedLines:
    """The trees of a member of a round with old and new constants mixed (``state.RoundTrees``)."""

    forest: _core.Forest
    added: Floats  # [K, n]

    def add_to_scores(self, scores: Floats) -> None:
        scores += self.added

    def leaves(self) -> Any:
        raise NotImplementedError  # what lines add is known by row

    def arrays(self) -> dict[str, NDArray[Any]]:
        return self.forest.arrays()


@dataclass(frozen=True, slots=True)
class MovedScores:
    """A boosting whose rows have what the slopes of some trees add."""

    scores: Floats
    tree_weight: float

    def scores_for_gradients(self) -> Floats:
        return self.scores

    def scores_for_leaves(self) -> Floats:
        return self.scores


@dataclass(frozen=True, slots=True)
class LinesOfTrees:
    """Trees with lines, and the rows of a refit."""

    members: _core.Forest
    table: Table
    n_threads: int

    @classmethod
    def of(cls, members: _core.Forest, table: Table, n_threads: int) -> LinesOfTrees | None:
        """Return those of a forest with an iteration for each member of a round, if it has any."""
        return cls(members, table, n_threads) if "linear_offsets" in members.arrays() else None

    def moved(self, boosting: Boosting, member: int) -> MovedScores:
        """Return the scores with what the slopes of a member add."""
        values = np.zeros_like(self.members.slice(member, member + 1).arrays()["value"])
        return MovedScores(
            boosting.scores_for_leaves() + self._added(member, values).added, boosting.tree_weight
        )

    def mixed(self, member: int, values: Floats) -> MixedLines:
        """Return the trees of a member with other values [n_nodes, leaf_width]."""
        return self._added(member, values[:, 0] if values.shape[1] == 1 else values)

    def _added(self, member: int, values: Floats) -> MixedLines:
        arrays = self.members.slice(member, member + 1).arrays()
        own = {**arrays, "value": np.ascontiguousarray(values)}
        forest = _core.Forest(self.members.n_features, self.members.n_outputs, own)
        added = np.zeros((self.table.n_rows, forest.n_outputs))
        add_forest(forest, self.table, added, (0, 1), self.n_threads)
        return MixedLines(forest, np.ascontiguousarray(added.T))
