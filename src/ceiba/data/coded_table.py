"""`CodedTable`: the columns of a table of which only bin codes are in memory.

A dataset that was read from a source or loaded from a file holds codes instead of values, about
two bytes for each. Histogram splits need nothing else. What does need values raises an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.data.bin_cache import BinCache, BinSettings
from ceiba.data.table import Table
from ceiba.errors import InvalidInputError, InvalidParameterError

if TYPE_CHECKING:
    from ceiba.data.schema import Schema

__all__ = ["CodedTable", "FixedBins", "copied_codes"]

Floats = NDArray[np.float64]


class CodedTable(Table):
    """Named columns without values."""

    def __init__(self, schema: Schema, binned: _core.BinnedMatrix) -> None:
        object.__setattr__(self, "schema", schema)
        object.__setattr__(self, "binned", binned)

    @property
    def blocks(self) -> NoReturn:
        """Raise: there are no values."""
        raise InvalidInputError(
            "This Dataset holds bin codes instead of values, because it was loaded from a file or "
            "read by Dataset.from_source. It supports split_method='hist' with constant leaves "
            "and categorical='onehot' or 'subset'. Target encoding, linear leaves, other split "
            "methods, continued training, predictions and explanations need values: use "
            "Dataset(table)."
        )

    def __repr__(self) -> str:
        """Return the schema."""
        return f"<CodedTable: {self.n_rows} rows, {self.schema!r}>"

    @property
    def n_rows(self) -> int:
        """Return the number of rows."""
        n_rows: int = self.binned.n_rows  # type: ignore[attr-defined]
        return n_rows

    def n_present(self, column: int) -> int:
        """Return the number of rows without a missing value in a column."""
        binned: _core.BinnedMatrix = self.binned  # type: ignore[attr-defined]
        missing = len(self.schema.levels[column])
        return int(np.count_nonzero(binned.column(column) < missing))

    def compact(self) -> CodedTable:
        """Return the table: codes are numbers of all levels, also of unused ones."""
        return self

    def with_schema(self, schema: Schema) -> CodedTable:
        """Return the same columns under other names or with other treatment of categories."""
        return CodedTable(schema, self.binned)  # type: ignore[attr-defined]

    @contextmanager
    def naming_columns(self) -> Iterator[None]:
        """Do nothing: there are no values to name the column of."""
        yield


class FixedBins(BinCache):
    """Bins that were found when the values were read."""

    def __init__(
        self, settings: BinSettings, mapper: _core.BinMapper, binned: _core.BinnedMatrix
    ) -> None:
        super().__init__()
        self.settings, self.mapper, self.binned = settings, mapper, binned

    def edges(
        self, table: Table, weight: Floats | None, settings: BinSettings, n_threads: int
    ) -> _core.BinMapper:
        """Return the edges of every column. Weights do not change them."""
        for name, own, asked in zip(
            ("max_bins", "min_data_in_bin"), self.settings.of_edges, settings.of_edges, strict=True
        ):
            if own != asked:
                raise InvalidParameterError(
                    f"{name} must be {own}, as the Dataset was binned with. Got {asked}. Set "
                    f"{name}={own}, or read the table again with {name}={asked}."
                )
        return self.mapper

    def codes(
        self, table: Table, weight: Floats | None, settings: BinSettings, n_threads: int
    ) -> tuple[_core.BinMapper, _core.BinnedMatrix]:
        """Return the edges and the codes of all rows."""
        mapper = self.edges(table, weight, settings, n_threads)
        if settings.lists != self.settings.lists:
            self.binned = copied_codes(self.binned, mapper, None, settings.lists, n_threads)
            self.settings = settings
        return mapper, self.binned

    def codes_by(self, mapper: _core.BinMapper) -> _core.BinnedMatrix | None:
        """Return the codes if they are those of ``mapper`` or one with equal edges, else None."""
        return self.binned if _same_bins(self.mapper, mapper) else None

    def ranked(self, table: Table, n_threads: int) -> _core.RankedColumns:
        """Raise: sorted columns need values."""
        return table.parts  # type: ignore[return-value]

    def take(self, keep: NDArray[np.bool_]) -> FixedBins:
        """Return the bins of some rows."""
        taken = copied_codes(self.binned, self.mapper, keep, self.settings.lists, 1)
        return FixedBins(self.settings, self.mapper, taken)


def _same_bins(one: _core.BinMapper, other: _core.BinMapper) -> bool:
    if one is other:
        return True
    return one.n_features == other.n_features and all(
        one.has_missing(j) == other.has_missing(j)
        and one.n_levels(j) == other.n_levels(j)
        and np.array_equal(one.edges(j), other.edges(j))
        for j in range(one.n_features)
    )


def copied_codes(
    binned: _core.BinnedMatrix,
    mapper: _core.BinMapper,
    keep: NDArray[np.bool_] | None,
    lists: bool,
    n_threads: int,
) -> _core.BinnedMatrix:
    """Return the codes of some rows, or of all, as another table."""
    n_rows = binned.n_rows if keep is None else int(np.count_nonzero(keep))
    usual = [binned.usual_code(j) for j in range(binned.n_features)]
    made = _core.BinnedBlocks(mapper, n_rows, usual, lists)
    for j in range(binned.n_features):
        codes: Any = binned.column(j)
        made.put(j, codes if keep is None else codes[keep])
    return made.finish(n_threads)
