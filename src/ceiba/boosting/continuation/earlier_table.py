"""Rows of a continued training: digests that identify them, and replays of earlier rounds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ceiba.model.predict import add_forest, staged_leaves_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba import _core
    from ceiba.data.queries import Queries
    from ceiba.data.schema import Schema
    from ceiba.data.table import Table

__all__ = ["EarlierTable", "digest_rows"]


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
    target: NDArray[np.float64] | None,
    weights: NDArray[np.float64] | None,
    queries: Queries | None = None,
) -> str:
    """Return a digest of rows in their order; scores depend on features, trees and start scores."""
    digest = hashlib.sha256()
    for array in (scores, target, weights, None if queries is None else queries.numbers):
        if array is not None:
            digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()
