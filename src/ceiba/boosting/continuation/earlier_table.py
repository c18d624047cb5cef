"""Rows of a training that goes on: what they were, and where earlier rounds left them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ceiba.model.predict import add_forest, staged_leaves_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba import _core
    from ceiba.boosting.eval_sets import EvalSet
    from ceiba.data.queries import Queries
    from ceiba.data.schema import Schema
    from ceiba.data.table import Table

__all__ = ["EarlierTable", "digest_eval_sets", "digest_rows"]


@dataclass(frozen=True, slots=True)
class EarlierTable:
    """Rows that a kind of boosting brings to where a model left them (``state.EarlierRows``)."""

    scores: NDArray[np.float64]
    table: Table
    schema: Schema
    n_threads: int
    of: EvalSet | None = None
    #: The rows as splits knew them, where leaves knew them otherwise.
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
    """Return a digest of rows in their order. Scores tell of features, trees and start scores."""
    digest = hashlib.sha256()
    for array in (scores, target, weights, None if queries is None else queries.numbers):
        if array is not None:
            digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def digest_eval_sets(evals: Sequence[EvalSet]) -> dict[str, str]:
    """Return a digest of the rows of each eval set, by name."""
    return {
        entry.name: digest_rows(entry.scores, entry.target, entry.rows.weight, entry.rows.queries)
        for entry in evals
    }
