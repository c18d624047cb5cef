"""Rows of a continued training: digests that identify them, and replays of earlier rounds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ceiba.model.predict import add_forest, staged_leaves_of
from ceiba.reductions import summed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba import _core
    from ceiba.data.schema import Schema
    from ceiba.data.table import Table

__all__ = ["EarlierTable", "digest_rows", "earlier_digest"]

#: Rows whose hashes are computed at a time.
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class EarlierTable:
    """Rows whose scores a replay of earlier rounds updates (``state.EarlierRows``)."""

    scores: NDArray[np.float64]
    table: Table
    schema: Schema
    n_threads: int
    #: The rows in the encoding of splits, where leaves have another one.
    of_splits: Table | None = None

    def add(self, forest: _core.Forest, scores: NDArray[np.float64]) -> None:
        by_row, table = np.ascontiguousarray(scores.T), self.table.arranged(self.schema)
        add_forest(forest, table, by_row, (0, forest.n_iterations), self.n_threads)
        scores[:] = by_row.T

    def leaves(self, forest: _core.Forest) -> Iterator[NDArray[np.int32]]:
        return self._leaves(forest, self.table)

    def leaves_of_splits(self, forest: _core.Forest) -> Iterator[NDArray[np.int32]]:
        return self._leaves(forest, self.table if self.of_splits is None else self.of_splits)

    def _leaves(self, forest: _core.Forest, table: Table) -> Iterator[NDArray[np.int32]]:
        bounds = (0, forest.n_iterations)
        return staged_leaves_of(forest, table.arranged(self.schema), bounds, self.n_threads)


def digest_rows(
    scores: NDArray[np.float64],
    target: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    queries: NDArray[np.int64] | None = None,
    numbers: NDArray[np.int64] | None = None,
) -> str:
    """Return a digest of rows in their order; scores depend on features, trees and start scores.

    It is a sum of hashes of (number of the row, its values), so it does not depend on shards.
    ``numbers`` are those of the rows in the whole table, from 0 if None.
    """
    columns = [*scores, *np.atleast_2d(target.T)]
    columns += [array for array in (weights, queries) if array is not None]
    sums = np.zeros(2, dtype=np.uint64)
    n_rows = len(target)
    for begin in range(0, n_rows, _BLOCK):
        block = slice(begin, min(n_rows, begin + _BLOCK))
        places = np.arange(block.start, block.stop) if numbers is None else numbers[block]
        hashes = _mixed(places.astype(np.uint64))
        for column in columns:
            bits = np.ascontiguousarray(column[block]).view(np.uint64)
            hashes = _mixed(hashes ^ _mixed(bits))
        sums += [hashes.sum(dtype=np.uint64), _mixed(hashes).sum(dtype=np.uint64)]
    found = summed(sums.view(np.int64))
    return f"{len(columns)}:" + "".join(f"{word:016x}" for word in found.view(np.uint64).tolist())


def earlier_digest(
    scores: NDArray[np.float64],
    target: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    queries: NDArray[np.int64] | None = None,
) -> str:
    """Return the digest of rows that checkpoints of older versions have."""
    digest = hashlib.sha256()
    for array in (scores, target, weights, queries):
        if array is not None:
            digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the words after the finalizer of splitmix64."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
