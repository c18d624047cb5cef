"""Validate targets, weights and initial scores, once, when they enter."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.plain_numbers import check_finite, check_integers, read_array, read_vector
from ceiba.errors import InvalidInputError

__all__ = ["read_init_scores", "read_target", "read_weights"]

Floats = NDArray[np.float64]


def read_target(target: Any, n_rows: int, name: str = "target") -> Floats:
    """Read one finite number per row, or [n, K] numbers for several targets."""
    array = read_array(target, name)
    if array.dtype.kind in "iu" and array.size:
        check_integers(name, array.min(), array.max())
    if array.ndim != 2 or array.shape[1] < 2:
        return read_vector(target, name, n_rows)
    columns = [read_vector(column, name, n_rows) for column in array.T]
    return np.column_stack(columns)


def read_weights(weights: Any, n_rows: int, name: str = "weight") -> Floats:
    """Read one weight per row, at least 0 and not all 0. A scalar applies to all rows."""
    array = read_array(weights, name)
    given = np.broadcast_to(array, n_rows) if array.ndim == 0 else array
    numbers = read_vector(given, name, n_rows)
    negative = np.flatnonzero(numbers < 0)
    if len(negative):
        row = int(negative[0])
        raise InvalidInputError(
            f"{name} must contain numbers of at least 0. Got {numbers[row]:g} in row {row}. Drop "
            "such rows or set their weight to 0."
        )
    if not numbers.any():
        raise InvalidInputError(
            f"{name} must be above 0 for at least one row. Got only zeros, which drop all rows."
        )
    return numbers


def read_init_scores(init_score: Any, n_rows: int) -> Floats:
    """Read one finite raw score per row, or one per row and output."""
    scores = read_array(init_score, "init_score")
    if scores.ndim != 2:
        return read_vector(init_score, "init_score", n_rows)
    if scores.shape[0] != n_rows or scores.dtype.kind not in "fiub":
        raise InvalidInputError(
            "init_score must contain numbers, with one row per row of the table. "
            f"Got shape {scores.shape} of {scores.dtype} for {n_rows} rows."
        )
    numbers = np.ascontiguousarray(scores, dtype=np.float64)
    check_finite(numbers, "init_score")
    return numbers
