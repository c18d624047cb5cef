"""Parts of trees that only some forests have: category sets and linear leaves.

Both are arrays beside those of the nodes (``trees.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["CategorySets", "LinearLeaves", "one_dimensional", "two_dimensional"]

Floats = NDArray[np.float64]
Arrays = Mapping[str, NDArray[Any]]

_BITS = 64


@dataclass(frozen=True, slots=True, eq=False)
class CategorySets:
    """Sets of categories that go left.

    A category is the number of a level. A set is a bit mask over level numbers, 64 to a word, and
    its last word is not 0. Several nodes may share a set::

        set_of_node   -1  0 -1 -1  1  0 ...     set of each node, -1 for none
        offsets        0        2     3         first word of each set, and the end
        words         |set 0   |set 1|

    Attributes
    ----------
    set_of_node : array of int32, shape (n_nodes,)
    offsets : array of int64, shape (n_sets + 1,)
    words : array of uint64
    """

    set_of_node: NDArray[np.int32]
    offsets: NDArray[np.int64]
    words: NDArray[np.uint64]

    @classmethod
    def from_levels(cls, levels_of_node: Sequence[Sequence[int] | None]) -> CategorySets:
        """Return the sets of level numbers of each node; None for nodes without a set."""
        given = [levels for levels in levels_of_node if levels is not None]
        words = [_words(levels) for levels in given]
        set_of_node = np.full(len(levels_of_node), -1, dtype=np.int32)
        has_set = [levels is not None for levels in levels_of_node]
        set_of_node[has_set] = np.arange(len(given))
        offsets = np.cumsum([0, *map(len, words)], dtype=np.int64)
        return cls(set_of_node, offsets, np.concatenate([np.zeros(0, dtype=np.uint64), *words]))

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> CategorySets | None:
        """Return the sets of a forest; None if it has none."""
        if "set_of_node" not in arrays:
            return None
        return cls(arrays["set_of_node"], arrays["set_offsets"], arrays["set_words"])

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays under the names that the core gives them; none without any set."""
        if len(self.offsets) == 1:
            return {}
        return {
            "set_of_node": self.set_of_node,
            "set_offsets": self.offsets,
            "set_words": self.words,
        }

    @property
    def levels(self) -> list[list[int]]:
        """The level numbers of each set, in increasing order."""
        return [_numbers(words) for words in np.split(self.words, self.offsets[1:-1])]

    def levels_at(self, node: int) -> list[int] | None:
        """Return the level numbers that go left at a node; None if it does not split by a set."""
        number = int(self.set_of_node[node])
        if number < 0:
            return None
        return _numbers(self.words[self.offsets[number] : self.offsets[number + 1]])

    def of_nodes(self, nodes: slice) -> CategorySets | None:
        """Return the sets of some nodes; None if they have none."""
        chosen = self.set_of_node[nodes]
        return replace(self, set_of_node=chosen) if (chosen >= 0).any() else None

    def take(self, nodes: NDArray[np.int64]) -> CategorySets:
        """Return the sets of some nodes, in any order."""
        return replace(self, set_of_node=self.set_of_node[nodes])

    @classmethod
    def joined(
        cls, pieces: Sequence[CategorySets | None], n_nodes: Sequence[int]
    ) -> CategorySets | None:
        """Return the sets of several pieces of ``n_nodes`` nodes each."""
        used = [(i, piece) for i, piece in enumerate(pieces) if piece is not None]
        if not used:
            return None
        set_of_node = [np.full(size, -1, dtype=np.int32) for size in n_nodes]
        words, sizes, n_sets = [], [np.zeros(1, dtype=np.int64)], 0
        for i, piece in used:
            # Pieces of one forest share its sets: copy only those that the nodes use.
            numbers, own = np.unique(piece.set_of_node, return_inverse=True)
            has_set = piece.set_of_node >= 0
            numbers, own = numbers[numbers >= 0], own - int(not has_set.all())
            set_of_node[i][has_set] = own[has_set] + n_sets
            n_sets += len(numbers)
            begins, ends = piece.offsets[numbers], piece.offsets[numbers + 1]
            words += [piece.words[begin:end] for begin, end in zip(begins, ends, strict=True)]
            sizes.append(ends - begins)
        offsets = np.cumsum(np.concatenate(sizes), dtype=np.int64)
        return cls(
            np.concatenate(set_of_node),
            offsets,
            np.concatenate([np.zeros(0, dtype=np.uint64), *words]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class LinearLeaves:
    """Linear parts of leaves: a leaf adds ``slope * (x - mean)`` for each of its terms.

    Attributes
    ----------
    offsets : array of int64, shape (n_nodes + 1,)
        First term of each node, and the number of terms. Splits have no terms.
    feature : array of int32, shape (n_terms,)
        Column of a term, increasing within a leaf. Never a category.
    slope : array of float64, shape (n_terms, leaf_width)
    mean, low, high : arrays of float64, shape (n_terms,)
        Of the column, over the training rows of the leaf.
    extrapolates : bool
        If false, x is clipped to [low, high].
    """

    offsets: NDArray[np.int64]
    feature: NDArray[np.int32]
    slope: Floats
    mean: Floats
    low: Floats
    high: Floats
    extrapolates: bool = False

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> LinearLeaves | None:
        """Return the linear parts of a forest; None if all its leaves are constants."""
        if "linear_offsets" not in arrays:
            return None
        return cls(
            offsets=arrays["linear_offsets"],
            slope=two_dimensional(arrays["linear_slope"]),
            extrapolates="linear_extrapolates" in arrays,
            **{name: arrays[f"linear_{name}"] for name in ("feature", "mean", "low", "high")},
        )

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays under the names that the core gives them; none without any term."""
        if not len(self.feature):
            return {}
        arrays: dict[str, NDArray[Any]] = {
            "offsets": self.offsets,
            "feature": self.feature,
            "slope": one_dimensional(self.slope),
            "mean": self.mean,
            "low": self.low,
            "high": self.high,
        }
        if self.extrapolates:
            arrays["extrapolates"] = np.ones(1, dtype=np.int32)
        return {f"linear_{name}": array for name, array in arrays.items()}

    @property
    def n_terms(self) -> NDArray[np.int64]:
        """Number of terms of each node."""
        return np.diff(self.offsets)

    def terms_at(self, node: int) -> slice:
        """Return the terms of a node."""
        return slice(int(self.offsets[node]), int(self.offsets[node + 1]))

    def scaled(self, of_node: Floats) -> LinearLeaves:
        """Return the same leaves with slopes times a factor for each node."""
        return replace(self, slope=self.slope * np.repeat(of_node, self.n_terms)[:, None])

    def of_nodes(self, nodes: slice) -> LinearLeaves | None:
        """Return the linear parts of some nodes; None if they have none."""
        offsets = self.offsets[nodes.start : nodes.stop + 1]
        terms = slice(int(offsets[0]), int(offsets[-1]))
        if terms.start == terms.stop:
            return None
        return replace(
            self,
            offsets=offsets - offsets[0],
            **{name: getattr(self, name)[terms] for name in _PER_TERM},
        )

    def take(self, nodes: NDArray[np.int64]) -> LinearLeaves:
        """Return the linear parts of some nodes, in any order."""
        counts = self.n_terms[nodes]
        offsets = np.cumsum([0, *counts], dtype=np.int64)
        terms = np.arange(offsets[-1]) + np.repeat(self.offsets[nodes] - offsets[:-1], counts)
        own = {name: getattr(self, name)[terms] for name in _PER_TERM}
        return replace(self, offsets=offsets, **own)

    @classmethod
    def joined(
        cls, pieces: Sequence[LinearLeaves | None], n_nodes: Sequence[int]
    ) -> LinearLeaves | None:
        """Return the linear parts of several pieces of ``n_nodes`` nodes each.

        Either all of them extrapolate or none does.
        """
        own = [piece for piece in pieces if piece is not None]
        if not own:
            return None
        counts = [
            np.zeros(size, dtype=np.int64) if piece is None else piece.n_terms
            for piece, size in zip(pieces, n_nodes, strict=True)
        ]
        offsets = np.cumsum([0, *np.concatenate(counts)], dtype=np.int64)
        terms: dict[str, Any] = {
            name: np.concatenate([getattr(piece, name) for piece in own]) for name in _PER_TERM
        }
        return replace(own[0], offsets=offsets, **terms)


#: Attributes of linear leaves with one entry per term.
_PER_TERM = ("feature", "slope", "mean", "low", "high")


def two_dimensional(values: Floats) -> Floats:
    """Return values of the core with one column per output of a leaf."""
    return values[:, None] if values.ndim == 1 else values


def one_dimensional(values: Floats) -> Floats:
    """Return values as the core has them: one-dimensional if leaves have one output."""
    return values[:, 0] if values.shape[1] == 1 else values


def _words(levels: Sequence[int]) -> NDArray[np.uint64]:
    """Return the bit mask of level numbers."""
    bits = np.zeros(_BITS * (max(levels, default=-1) // _BITS + 1), dtype=np.uint8)
    bits[list(levels)] = 1
    return np.packbits(bits, bitorder="little").view("<u8").astype(np.uint64)


def _numbers(words: NDArray[np.uint64]) -> list[int]:
    """Return the level numbers of a bit mask."""
    numbers: list[int] = np.flatnonzero(
        np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little")
    ).tolist()
    return numbers
