"""Read a list of dictionaries (rows as in JSON) into a matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidInputError
from ceiba.messages import listed

__all__ = ["are_records", "read_records"]


def are_records(data: Any) -> bool:
    """Whether ``data`` is a list of dictionaries."""
    return isinstance(data, list | tuple) and bool(data) and isinstance(data[0], Mapping)


def read_records(rows: Sequence[Mapping[Any, Any]]) -> tuple[NDArray[Any], list[str]]:
    """Return the matrix of values and the column names, in the order of the first row.

    All rows must have the same keys: a missing value is None or NaN, not an absent key.
    """
    keys = list(rows[0])
    known = set(keys)
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise InvalidInputError(
                f"Rows must all be dictionaries. Got {type(row).__name__} in row {number}."
            )
        if row.keys() != known:
            differing = sorted(map(str, row.keys() ^ known))
            raise InvalidInputError(
                f"Rows that are dictionaries must have the same keys. Row {number} differs from "
                f"row 0 in {listed(differing)}. Pass None for a missing value."
            )
    matrix = np.empty((len(rows), len(keys)), dtype=object)
    for j, key in enumerate(keys):
        for i, row in enumerate(rows):
            matrix[i, j] = row[key]
    return matrix, [str(key) for key in keys]
