"""Find bin edges and code tables by them.

``max_bins`` includes the bin of missing values, so a column has at most ``max_bins - 1`` bins of
values. A value x belongs to the first bin with ``x <= edge``. Each level of a category is one bin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.data.memory import check_memory
from ceiba.errors import InvalidInputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ceiba.data.table import Table

#: Codes of smaller tables are made without asking how much memory is left: they take 64 MB.
_CHECKED_CODES = 2**25
_ADVICE = (
    "Use fewer rows or columns. If the values themselves fill the memory, read them with "
    "Dataset.from_source, which keeps only codes."
)

__all__ = ["apply_bins", "bin_edges", "find_bins", "rank_columns", "read_regressors"]


def find_bins(
    table: Table,
    weight: NDArray[np.float64] | None,
    max_bins: int,
    min_data_in_bin: int,
    n_threads: int,
    *,
    parts: list[Any] | None = None,
) -> _core.BinMapper:
    """Find the bin edges of every column from all rows.

    The edges depend only on values and weights, not on row order, blocks, number types or threads.
    A row with weight k counts as k rows. ``bin_limits`` of the schema limits the bins of a column,
    and ``bin_edges`` sets its edges.
    """
    limits = table.schema.bin_limits
    with table.naming_columns():
        if not limits:
            parts = table.parts if parts is None else parts
            return _core.BinMapper.find(
                parts, weight, max_bins, min_data_in_bin, n_threads, table.schema.n_levels
            )
        chunks = table.columns
        found: dict[int, tuple[_core.BinMapper, int]] = {}
        n_levels = table.schema.n_levels or [0] * table.n_columns
        settled = table.schema.bin_edges  # of target means, which are never missing
        for limit in sorted(set(limits)):
            own = [j for j, most in enumerate(limits) if most == limit and not settled[j]]
            most = min(max_bins, limit) if limit else max_bins
            levels = [n_levels[j] for j in own]
            columns = [chunks[j] for j in own]
            mapper = _core.BinMapper.find(columns, weight, most, min_data_in_bin, n_threads, levels)
            found |= {j: (mapper, place) for place, j in enumerate(own)}
    places = [found.get(j) for j in range(table.n_columns)]
    return _core.BinMapper(
        [
            list(known) if place is None else place[0].edges(place[1]).tolist()
            for known, place in zip(settled, places, strict=True)
        ],
        [place is not None and place[0].has_missing(place[1]) for place in places],
        n_levels,
    )


def apply_bins(
    mapper: _core.BinMapper,
    table: Table,
    n_threads: int,
    *,
    parts: list[Any] | None = None,
    lists: bool = True,
) -> _core.BinnedMatrix:
    """Code a table by the edges of ``mapper``.

    ``parts`` avoids computing ``table.parts`` again. With ``lists``, nearly constant columns are
    stored as lists of the rows with other values.
    """
    if table.n_columns != mapper.n_features:
        raise InvalidInputError(
            f"The table must have {mapper.n_features} columns, as the table that the bins were "
            f"found from. Got {table.n_columns}."
        )
    with table.naming_columns():
        parts = table.parts if parts is None else parts
        if table.n_rows * table.n_columns > _CHECKED_CODES:
            n_bytes = _core.BinnedMatrix.least_bytes(mapper, parts, lists)
            check_memory(
                n_bytes, f"The bin codes of {table.n_rows} x {table.n_columns} values", _ADVICE
            )
        return _core.BinnedMatrix.build(mapper, parts, n_threads, lists)


def rank_columns(table: Table, n_threads: int) -> _core.RankedColumns:
    """Sort every column, for the split methods "exact" and "approx"."""
    with table.naming_columns():
        n_bytes = 8 * table.n_rows * table.n_columns
        check_memory(
            n_bytes,
            "split_method='exact' and 'approx' store all columns sorted, including sparse ones: "
            f"{table.n_rows} x {table.n_columns} ranks",
        )
        return _core.RankedColumns.build(table.parts, n_threads)


def read_regressors(table: Table, columns: Sequence[int], n_threads: int) -> _core.Regressors:
    """Return the raw values of some columns, for linear leaves."""
    with table.naming_columns():
        return _core.Regressors.build(table.parts, list(columns), n_threads)


def bin_edges(mapper: _core.BinMapper) -> list[NDArray[np.float64]]:
    """Return the edges of every column."""
    return [mapper.edges(j) for j in range(mapper.n_features)]
