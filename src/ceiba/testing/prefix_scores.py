"""Reference implementation of ordered boosting scores, model by model and row by row.

``cpp/leaf/prefix_scores.hpp`` has a picture. Sums are numpy sums, so scores equal those of the C++
core up to rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ceiba.testing.columns import hash64

__all__ = ["PrefixModel", "ordered_tails", "prefix_models", "rows_in_order"]

Reals = NDArray[np.float64]
#: Compute gradients and hessians of rows from their scores and targets.
Derivatives = Callable[[Reals, Reals], tuple[Reals, Reals]]


def rows_in_order(seed: int, permutation: int, n_rows: int) -> list[int]:
    """Return the rows in the order of a random permutation."""
    key = hash64(seed, 0x02DE2ED, permutation)
    return sorted(range(n_rows), key=lambda row: (hash64(key, row), row))


@dataclass
class PrefixModel:
    """Rows that train a prefix model and rows that it scores, with their scores."""

    seen: list[int]
    scored: list[int]
    scores: Reals = field(default_factory=lambda: np.zeros(0))


def prefix_models(order: list[int], first_rows: int) -> list[PrefixModel]:
    """Return the prefix models of one permutation. ``first_rows=0``: one model with all rows."""
    if first_rows == 0:
        return [PrefixModel(list(order), list(order))]
    n = len(order)
    first = min(first_rows, n // 2)
    if first == 0:
        return []
    models = [PrefixModel(order[first : 2 * first], order[:first])]
    seen = first
    while seen < n:
        models.append(PrefixModel(order[:seen], order[seen : 2 * seen]))
        seen *= 2
    return models


def ordered_tails(
    order: list[int],
    first_rows: int,
    start: Reals,
    target: Reals,
    weights: Reals,
    rounds: list[NDArray[np.int32]],
    derivatives: Derivatives,
    reg_lambda: float,
    n_steps: int,
    rate: float,
) -> Reals:
    """Return the score of each row after the given rounds of leaves, for one permutation.

    Uses ``leaf_penalty="step"`` and no backtracking.
    """
    tails = start.copy()
    models = prefix_models(order, first_rows)
    for model in models:
        model.scores = start[model.seen]
    for leaves in rounds:
        for model in models:
            seen = model.seen
            values = np.zeros(leaves.max() + 1)
            for _ in range(n_steps):
                moved = model.scores + values[leaves[seen]]
                gradients, hessians = derivatives(moved, target[seen])
                size = len(values)
                g = np.bincount(leaves[seen], gradients * weights[seen], minlength=size)
                h = np.bincount(leaves[seen], hessians * weights[seen], minlength=size)
                below = h + reg_lambda
                values -= np.divide(g, below, out=np.zeros(size), where=below > 0)
            model.scores = model.scores + rate * values[leaves[seen]]
            tails[model.scored] += rate * values[leaves[model.scored]]
    return tails
