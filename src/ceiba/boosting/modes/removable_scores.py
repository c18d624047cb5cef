"""Scores from which single rounds can be removed and added again, for DART.

The life of removable scores:

1. They start from the scores [K, n] of one table.
2. :meth:`RemovableScores.add` adds the trees of a round and keeps the leaf of every row.
3. :meth:`RemovableScores.change` removes rounds, or adds them with other weights.

A score is kept in two numbers, the sum and what rounding left out
(``cpp/leaf/removable_scores.hpp``), so
nothing is left behind by what was taken out. Leaves are numbers of 1 byte for trees of up to 256
nodes, else 2 or 4, for every row and tree. Where they would need more than a GiB, the further ones
are in a temporary file.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.model.tree_parts import one_dimensional

if TYPE_CHECKING:
    from ceiba.model.trees import Trees

    Floats = NDArray[np.float64]
    Leaves = NDArray[np.unsignedinteger[Any]]

__all__ = ["RemovableScores", "RoundValues", "small_numbers"]

#: Bytes of leaves that are kept in memory, for each table.
MOST_BYTES = 2**30


@dataclass(frozen=True, slots=True)
class RoundValues:
    """What the nodes of the trees of a round add, before they count more or less."""

    values: Floats  # [n_nodes], or [n_nodes, leaf_width]
    offsets: NDArray[np.int64]  # the first node of each tree, and the end

    @classmethod
    def of(cls, trees: Trees, first: int = 0, n_trees: int | None = None) -> RoundValues:
        """Return the values of all trees, or of ``n_trees`` trees from ``first`` on."""
        last = trees.n_trees if n_trees is None else first + n_trees
        offsets = trees.offsets[first : last + 1]
        values = one_dimensional(trees.value[offsets[0] : offsets[-1]])
        return cls(values, offsets - offsets[0])

    @classmethod
    def joined(cls, pieces: Sequence[RoundValues]) -> RoundValues:
        """Return the values of the trees of several members of a round."""
        begins = np.cumsum([0, *(piece.offsets[-1] for piece in pieces)])
        offsets = [piece.offsets[:-1] + at for piece, at in zip(pieces, begins, strict=False)]
        values = np.concatenate([piece.values for piece in pieces])
        return cls(values, np.concatenate([*offsets, begins[-1:]]))

    @classmethod
    def of_rows(cls, added: Floats) -> RoundValues:
        """Return what is added to the rows [K, n] of one table, each row a node of its own."""
        n_outputs, n_rows = added.shape
        return cls(added.reshape(-1), n_rows * np.arange(n_outputs + 1))

    def columns(self, n_outputs: int, weight: float) -> list[tuple[int, int, Floats]]:
        """Return (output, tree, what its nodes add) for all that is added."""
        found = []
        for tree, (begin, end) in enumerate(zip(self.offsets, self.offsets[1:], strict=False)):
            own = self.values[begin:end] * weight
            if own.ndim == 1:
                found.append((tree % n_outputs, tree, own))
            else:
                columns = enumerate(np.ascontiguousarray(own.T))
                found.extend((output, tree, column) for output, column in columns)
        return found


class KeptLeaves:
    """The leaves [n_trees, n] of every round so far."""

    def __init__(self) -> None:
        self._rounds: list[Leaves] = []
        self._room = MOST_BYTES

    def __len__(self) -> int:
        return len(self._rounds)

    def __getitem__(self, round: int) -> Leaves:
        return self._rounds[round]

    def append(self, leaves: Leaves) -> None:
        """Keep those of the next round."""
        self._room -= leaves.nbytes
        if self._room < 0 and leaves.size:
            with tempfile.TemporaryFile() as file:
                on_disk: Leaves = np.memmap(file, leaves.dtype, "w+", shape=leaves.shape)
            on_disk[:] = leaves
            leaves = on_disk
        self._rounds.append(leaves)


class RemovableScores:
    """The scores of the rows of one table, and the leaf of every row in every tree."""

    def __init__(self, scores: Floats, n_threads: int) -> None:
        self.high = np.array(scores, order="C")
        self.low = np.zeros_like(self.high)
        self._n_threads = n_threads
        self._leaves = KeptLeaves()
        self._values: list[RoundValues] = []

    def copy(self) -> RemovableScores:
        """Return sums of their own, over the same leaves."""
        other = RemovableScores(self.high, self._n_threads)
        other.low, other._leaves, other._values = self.low.copy(), self._leaves, self._values
        return other

    def add(self, leaves: Leaves, values: RoundValues) -> None:
        """Put in the trees of the next round, whose leaves [n_trees, n] are kept."""
        self._leaves.append(leaves)
        self._values.append(values)
        self.change([(len(self._leaves) - 1, 1.0)])

    def add_rows(self, added: Floats) -> None:
        """Put in what the trees of the next round add to each row, [K, n]: leaves with lines.

        Keeps ``added``, which the caller must not change afterwards.
        """
        numbers = np.arange(added.shape[1], dtype=np.uint32)
        self.add(np.broadcast_to(numbers, added.shape), RoundValues.of_rows(added))

    def change(self, rounds: Sequence[tuple[int, float]]) -> None:
        """Put in the trees of rounds, each times a weight; a negative one takes them out."""
        n_outputs = len(self.high)
        columns: list[list[tuple[Leaves, Floats, float]]] = [[] for _ in range(n_outputs)]
        for round, weight in rounds:
            sign = -1.0 if weight < 0 else 1.0
            for output, tree, own in self._values[round].columns(n_outputs, abs(weight)):
                columns[output].append((self._leaves[round][tree], own, sign))
        for output, trees in enumerate(columns):
            if trees:
                leaves, added, signs = zip(*trees, strict=True)
                high, low = self.high[output], self.low[output]
                _core.add_leaves(high, low, leaves, added, list(signs), self._n_threads)


def small_numbers(leaves: NDArray[np.int32]) -> Leaves:
    """Return leaves [n, n_trees] as [n_trees, n], in the smallest numbers that hold them."""
    largest = int(leaves.max(initial=0))
    dtype = np.uint8 if largest < 2**8 else np.uint16 if largest < 2**16 else np.uint32
    return np.ascontiguousarray(leaves.T, dtype=dtype)
