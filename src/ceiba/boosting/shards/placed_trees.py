"""Trees with leaf values as shards see them: structure and values, with the leaf of every row kept.

Shards keep the leaf of each row of the trees in growth (``_core.ShardRows``), so a tree with its
values is all that they need to update their scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba import _core
from ceiba.boosting.modes.removable_scores import RoundValues, small_numbers
from ceiba.model.tree_parts import one_dimensional

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["PlacedTree", "PlacedTrees"]


@dataclass(frozen=True, slots=True)
class PlacedTree:
    """A tree under its number in the shards. It has values for ``width`` outputs in each leaf."""

    tree: int
    nodes: NDArray[np.int64]  #: routes (``cpp/bind/plain_exchange.hpp``)
    sets: list[Any]
    values: Floats  # [n_nodes * width]
    width: int


class PlacedTrees:
    """The trees of a round on the rows of one shard (``modes/state.RoundTrees``).

    ``members`` are the trees of each member of the round. Without ``core`` there are no rows.
    """

    def __init__(
        self, members: Sequence[Sequence[PlacedTree]], core: _core.ShardRows | None
    ) -> None:
        self._members = members
        self._core = core

    def add_to_scores(self, scores: Floats, moved: Floats | None = None) -> None:
        """Add the trees to scores [K, n], in place or into an array of their own."""
        for member in self._members:
            for place, tree in enumerate(member):
                outputs = slice(place * tree.width, (place + 1) * tree.width)
                to = scores if moved is None else moved
                to[outputs] = self._added(tree, tree.values, scores[outputs])

    def add_to_binned_scores(self, binned: _core.BinnedMatrix, scores: Floats) -> None:
        """Add the trees to the scores [K, n] of other rows with the same bins, in place."""
        for member in self._members:
            for place, tree in enumerate(member):
                leaves = _core.routed_leaves(binned, tree.nodes, tree.sets)
                values = tree.values.reshape(-1, tree.width)
                for column in range(tree.width):
                    scores[place * tree.width + column] += values[leaves, column]

    def leaves(self, binned: _core.BinnedMatrix | None = None) -> NDArray[np.unsignedinteger[Any]]:
        """Return the leaf of each row in each tree, [n_trees, n]."""
        if binned is not None:
            trees = [tree for member in self._members for tree in member]
            found = [_core.routed_leaves(binned, tree.nodes, tree.sets) for tree in trees]
            return small_numbers(np.array(found).T)
        n_rows = 0 if self._core is None else self._core.n_rows
        found = []
        for member in self._members:
            for tree in member:
                numbers = np.arange(len(tree.nodes), dtype=np.float64)
                found.append(self._added(tree, numbers, np.zeros((1, n_rows)))[0])
        return small_numbers(np.array(found, dtype=np.int32).T)

    def round_values(self) -> RoundValues:
        """Return what the nodes add."""
        pieces = []
        for member in self._members:
            values = [tree.values.reshape(-1, tree.width) for tree in member]
            offsets = np.cumsum([0, *(len(own) for own in values)])
            pieces.append(RoundValues(one_dimensional(np.concatenate(values)), offsets))
        return RoundValues.joined(pieces)

    def _added(self, tree: PlacedTree, values: Floats, scores: Floats) -> Floats:
        if self._core is None:
            return scores
        given = np.ascontiguousarray(scores)
        return self._core.add_to_scores(tree.tree, tree.nodes, tree.sets, values, given)
