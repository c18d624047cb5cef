"""Values become bins: edges are found once, then every table is coded by them.

Every level of a category is a bin of its own.

``max_bins`` includes the bin of missing values, so a column has at most ``max_bins - 1`` bins of
values. A value x belongs to the first bin whose edge is not below it: ``x <= edge`` goes left.
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
    """Return the edges of every column, from all rows.

    They depend on the values and weights alone, never on the order of rows, their blocks, their
    number type or the threads. A row with weight k counts as k rows. Columns with a limit of their
    own (``bin_limits`` of the schema) have no more bins than that, and others may have edges that
    were settled before (``bin_edges``).
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
        settled = table.schema.bin_edges  # of statistics, which are never missing
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
    """Return the codes of a table whose columns are those of ``mapper``.

    ``parts`` are the table's, where somebody has them. With ``lists``, columns that are nearly
    always the same become lists of the rows in which they are not.
    """
    if table.n_columns != mapper.n_features:
        raise InvalidInputError(
            f"The table must have the {mapper.n_features} columns whose bins were found. "
            f"Got {table.n_columns}."
        )
    with table.naming_columns():
        parts = table.parts if parts is None else parts
        return _core.BinnedMatrix.build(mapper, parts, n_threads, lists)


def rank_columns(table: Table, n_threads: int) -> _core.RankedColumns:
    """Return every column sorted once, for split methods that look at every value."""
    with table.naming_columns():
        n_bytes = 8 * table.n_rows * table.n_columns
        check_memory(
            n_bytes,
            f"split_method='exact' and 'approx' keep every column sorted, sparse ones too, and "
            f"{table.n_rows} x {table.n_columns} ranks",
        )
        return _core.RankedColumns.build(table.parts, n_threads)


def read_regressors(table: Table, columns: Sequence[int], n_threads: int) -> _core.Regressors:
    """Return some columns as they are, for lines in leaves."""
    with table.naming_columns():
        return _core.Regressors.build(table.parts, list(columns), n_threads)


def bin_edges(mapper: _core.BinMapper) -> list[NDArray[np.float64]]:
    """Return the edges of every column."""
    return [mapper.edges(j) for j in range(mapper.n_features)]
