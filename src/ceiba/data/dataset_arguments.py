"""Validate the arguments of `Dataset` and `Dataset.take`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.missing_values import Reading
from ceiba.data.plain_numbers import read_array
from ceiba.errors import InvalidInputError
from ceiba.messages import shown
from ceiba.parameters import BY_NAME
from ceiba.parameters.constraints import Boolean, MissingMark, check_value

__all__ = ["checked_categorical", "checked_reading", "read_row_mask"]


def checked_reading(missing: Any, zero_as_missing: Any) -> Reading:
    """Validate ``missing`` and ``zero_as_missing``."""
    mark = None if missing is None else check_value("missing", MissingMark(), missing)
    return Reading(mark, check_value("zero_as_missing", Boolean(), zero_as_missing))


def checked_categorical(given: Any) -> Any:
    """Validate the form of ``categorical_features``."""
    if given is None:
        return "auto"
    return check_value("categorical_features", BY_NAME["categorical_features"].constraint, given)


def read_row_mask(rows: Any, n_rows: int) -> NDArray[np.bool_]:
    """Return a mask of the rows that indices or a mask select."""
    given = read_array(rows, "rows")
    if given.dtype == np.bool_ and given.shape == (n_rows,):
        return given
    keep = np.zeros(n_rows, dtype=bool)
    if given.ndim != 1 or given.dtype.kind not in "iu" or not given.size:
        raise InvalidInputError(
            f"rows must be a non-empty list of row indices, or a mask of {n_rows} booleans. "
            f"Got {shown(rows)}."
        )
    if given.min() < 0 or given.max() >= n_rows:
        wrong = given.min() if given.min() < 0 else given.max()
        raise InvalidInputError(
            f"rows must contain indices between 0 and {n_rows - 1}. Got {wrong}."
        )
    keep[given] = True
    if np.count_nonzero(keep) != given.size:
        raise InvalidInputError(
            "rows must not contain duplicate indices. Use weights to repeat rows."
        )
    return keep
