"""Queries of ranking data: groups of rows (documents) that are ranked together.

The life of queries:

1. :func:`read_queries` makes them from ``qid`` (one id per row, in any order) or ``group`` (sizes
   of consecutive queries).
2. A Dataset holds them beside its target. :meth:`Queries.take` selects rows.
3. The core reads ``rows`` and ``offsets``: the rows of query q are
   ``rows[offsets[q]:offsets[q + 1]]``. Queries are numbered in the order of their sorted ids (of
   ``group``: in the order of the rows), so a permutation of the rows leaves the numbers alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.data.plain_numbers import is_missing_mark, read_array, read_vector
from ceiba.errors import InvalidInputError

__all__ = ["Queries", "join_ids", "read_ids", "read_queries", "spread_weights"]

Integers = NDArray[np.int64]

_ADVICE = "Pass one id per row: an integer or a string."


@dataclass(frozen=True, eq=False)
class Queries:
    """Row indices grouped by query."""

    #: The number of the query of each row.
    numbers: Integers
    rows: Integers
    offsets: Integers

    @classmethod
    def of_numbers(cls, numbers: NDArray[Any]) -> Queries:
        """Make queries from one query number per row. Numbers need not be consecutive."""
        _, numbers = np.unique(numbers, return_inverse=True)
        numbers = np.ascontiguousarray(numbers, dtype=np.int64)
        offsets = np.concatenate([[0], np.cumsum(np.bincount(numbers))]).astype(np.int64)
        return cls(numbers, np.argsort(numbers, kind="stable").astype(np.int64), offsets)

    @property
    def n_queries(self) -> int:
        """Return the number of queries."""
        return len(self.offsets) - 1

    @property
    def sizes(self) -> Integers:
        """Return the number of rows of each query."""
        return np.diff(self.offsets)

    def take(self, keep: NDArray[Any]) -> Queries:
        """Return the queries of some of the rows. Drops queries without rows."""
        return Queries.of_numbers(self.numbers[keep])

    def weights(self, row_weights: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
        """Return the weight of each query: the mean weight of its rows."""
        if row_weights is None:
            return None
        return _core.mean_of_queries(self.rows, self.offsets, row_weights)


def read_queries(qid: Any, group: Any, n_rows: int) -> Queries | None:
    """Return the queries of ``qid`` or ``group``, or None if neither is given."""
    if qid is not None and group is not None:
        raise InvalidInputError("qid and group both define the queries. Pass only one of them.")
    if qid is not None:
        return Queries.of_numbers(read_ids(qid, n_rows))
    if group is not None:
        sizes = _read_sizes(group, n_rows)
        return Queries.of_numbers(np.repeat(np.arange(len(sizes)), sizes))
    return None


def read_ids(qid: Any, n_rows: int) -> NDArray[Any]:
    """Return one comparable id per row: integers, dates or strings."""
    ids = read_array(qid, "qid")
    if ids.ndim != 1 or len(ids) != n_rows:
        raise InvalidInputError(
            f"qid must contain one query id for each of the {n_rows} rows. Got shape {ids.shape}. "
            "For the sizes of consecutive queries use group."
        )
    if ids.dtype.kind == "O":
        ids = _read_objects(ids)
    if ids.dtype.kind == "f":
        wrong = ~np.isfinite(ids) | (ids != np.floor(ids)) | (np.abs(ids) > 2.0**53)
        _refuse(ids, wrong)
        ids = ids.astype(np.int64)
    elif ids.dtype.kind == "M":
        _refuse(ids, np.isnat(ids))
    elif ids.dtype.kind in "bi" or (ids.dtype.kind == "u" and (ids < 2**63).all()):
        ids = ids.astype(np.int64)
    elif ids.dtype.kind not in "uU":
        raise InvalidInputError(
            f"qid must contain integers or strings. Got an array of {ids.dtype}. {_ADVICE}"
        )
    return ids


def join_ids(blocks: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Concatenate the ids of blocks of rows. A query may have rows in several blocks."""
    kinds = {ids.dtype.kind for ids in blocks}
    if len(kinds) > 1:
        raise InvalidInputError(
            "qid must have one type in all blocks: integers, dates or strings. Got several "
            f"({', '.join(sorted(str(ids.dtype) for ids in blocks))})."
        )
    return np.concatenate(blocks)


def spread_weights(weight: Any, queries: Queries | None) -> Any:
    """Return row weights. Expands one weight per query to all rows of the query."""
    if weight is None or queries is None or queries.n_queries == len(queries.rows):
        return weight
    array = read_array(weight, "weight")
    if array.ndim == 0:  # one number for all rows
        return weight
    if array.ndim != 1 or len(array) not in (queries.n_queries, len(queries.rows)):
        raise InvalidInputError(
            f"weight must contain one number for each of the {len(queries.rows)} rows, or for each "
            f"of the {queries.n_queries} queries. Got shape {array.shape}."
        )
    if len(array) == queries.n_queries:
        return read_vector(weight, "weight", queries.n_queries)[queries.numbers]
    return weight


def _read_sizes(group: Any, n_rows: int) -> Integers:
    sizes = read_array(group, "group")
    if sizes.ndim != 1 or sizes.dtype.kind not in "iuf":
        raise InvalidInputError(
            "group must be a list of the sizes of the queries, in the order of the rows. "
            f"Got shape {sizes.shape} of {sizes.dtype}."
        )
    wrong = ~(np.isfinite(sizes) & (sizes >= 1) & (sizes == np.floor(sizes)))
    if wrong.any():
        where = int(np.flatnonzero(wrong)[0])
        raise InvalidInputError(
            f"group must contain integers of at least 1. Got {sizes[where]} at position {where}."
        )
    total = sum(int(size) for size in sizes)
    if total != n_rows:
        raise InvalidInputError(
            f"The sizes in group must add up to the number of rows, {n_rows}. Got a sum of "
            f"{total}. For one query id per row use qid."
        )
    return sizes.astype(np.int64)


def _read_objects(ids: NDArray[Any]) -> NDArray[Any]:
    _refuse(ids, np.array([is_missing_mark(value) or value != value for value in ids], dtype=bool))
    if all(isinstance(value, str) for value in ids):
        return ids.astype(np.str_)
    if all(isinstance(value, int | float | np.number) for value in ids):
        return np.array(ids.tolist())
    kinds = sorted({type(value).__name__ for value in ids})
    raise InvalidInputError(f"qid must contain ids of one type. Got {', '.join(kinds)}. {_ADVICE}")


def _refuse(ids: NDArray[Any], wrong: NDArray[Any]) -> None:
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise InvalidInputError(
            f"qid must contain a query id in every row. Got {ids[row]} in row {row}. {_ADVICE}"
        )
