"""Digests of the rows of a training, by which one that is resumed knows them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.boosting.eval_sets import EvalSet
    from ceiba.data.queries import Queries

__all__ = ["digest_eval_sets", "digest_rows"]


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
