"""Read a source into bin codes, block by block, for `Dataset.from_source`.

The life of such a reading:

1. The first pass reads all blocks: :class:`CommonSchema` joins their columns, and ``EdgeSearch``
   samples values.
2. Later passes find the bin edges (``cpp/data/binning/edge_search.hpp``), usually in two more.
3. The last pass codes the blocks and keeps targets, weights and query ids.

With a page cache, only the first pass reads the source, and later ones the cache.

Blocks are read one at a time, so the values of at most one piece are in memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.data.bin_cache import BinSettings
from ceiba.data.block import dense_values
from ceiba.data.cached_blocks import CachedBlocks
from ceiba.data.coded_table import CodedTable, FixedBins
from ceiba.data.levels import sorted_levels
from ceiba.data.memory import check_memory
from ceiba.data.missing_values import Reading
from ceiba.data.named_target import part_target
from ceiba.data.plain_numbers import read_vector
from ceiba.data.queries import Queries, join_ids, read_ids, read_queries
from ceiba.data.read_table import read_like, read_table
from ceiba.data.row_values import read_target
from ceiba.data.schema import Schema
from ceiba.data.sources.source import PassCheck, Source
from ceiba.data.table import Table
from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.messages import listed, shown
from ceiba.storage.page_cache import PageCache

__all__ = ["CodedRows", "SourceReading", "read_source"]

Floats = NDArray[np.float64]

#: Smaller tables are coded without asking how much memory is left.
_CHECKED_BYTES = 2**26
#: Parts of a block that may be named columns, in the order of the tuples of a function.
_PARTS = ("target", "weight", "qid")


class Rows(NamedTuple):
    """A block of rows: the columns of features, and what belongs to each row."""

    table: Table
    target: Any
    weight: Floats | None
    qid: NDArray[Any] | None
    #: Which rows of the block these are, if some have weight 0; and the rows of the block.
    keep: NDArray[np.bool_] | None
    n_given: int

    def kept(self) -> Rows:
        """Return the rows with a weight above 0."""
        keep = self.keep
        if keep is None:
            return self
        target, weight, qid = (None if part is None else part[keep] for part in self[1:4])
        table = self.table.take(keep).compact()
        return Rows(table, target, weight, qid, keep, self.n_given)


class CodedRows(NamedTuple):
    """A source in bin codes."""

    table: CodedTable
    bins: FixedBins
    target: Floats | None
    weight: Floats | None
    queries: Queries | None
    row_numbers: NDArray[np.int64] | None
    n_given: int


@dataclass(slots=True)
class CommonSchema:
    """The columns of all blocks: those of the first, with the levels of all."""

    first: Schema | None = None
    kinds: list[str] = field(default_factory=list)
    levels: list[set[Any]] = field(default_factory=list)
    #: Columns of numbers that had only missing values so far.
    empty: set[int] = field(default_factory=set)

    def add(self, table: Table) -> Table:
        """Return a block with the columns in the order of the first. Raise if they differ."""
        if self.first is None:
            own = table.schema
            self.first, self.kinds = own, list(own.kinds)
            self.levels = [set(levels) for levels in own.levels or [()] * own.n_features]
            self.empty = {j for j in range(own.n_features) if _is_empty(table, j)}
            return table
        table = self.ordered(table)
        own = table.schema
        for j, kind in enumerate(own.kinds):
            if kind != self.kinds[j]:
                if _is_empty(table, j):
                    continue
                if j not in self.empty:
                    raise InvalidInputError(
                        f"{own.column_label(j)} must have one type in all blocks. Got "
                        f"{self.kinds[j]} and {kind}. Convert it to one type in all blocks."
                    )
                self.kinds[j] = kind
            if j in self.empty and not _is_empty(table, j):
                self.empty.discard(j)
            if own.levels:
                self.levels[j].update(own.levels[j])
        return table

    def ordered(self, table: Table) -> Table:
        """Return a block with the columns in the order of the first. Raise if others are there."""
        assert self.first is not None
        given, first = table.schema, self.first
        if given.n_features != first.n_features:
            raise InvalidInputError(
                f"It has {given.n_features} columns, and block 0 has {first.n_features}. All "
                "blocks must have the same columns."
            )
        extra = sorted(set(given.names) - set(first.names))
        if given.named and first.named and extra:
            absent = sorted(set(first.names) - set(given.names))
            raise InvalidInputError(
                f"It has {listed(extra)} where block 0 has {listed(absent)}. All blocks must have "
                "the same columns."
            )
        return table.select(first.order_in(given))

    def joined(self) -> Schema:
        """Return the schema of all blocks."""
        assert self.first is not None
        return self.first.with_columns(self.kinds, [sorted_levels(own) for own in self.levels])


def _is_empty(table: Table, column: int) -> bool:
    """Whether a column of numbers has only missing values."""
    if table.schema.kinds[column] == "category":
        return not table.schema.levels[column]
    chunks = (dense_values(chunk) for chunk in table.columns[column])
    return all(chunk.dtype.kind == "f" and bool(np.isnan(chunk).all()) for chunk in chunks)


@dataclass(frozen=True, slots=True)
class SourceReading:
    """How the blocks of a source are read."""

    #: A dataset in bins whose columns and bins these rows get.
    reference: tuple[Schema, FixedBins] | None = None

    #: Names of the columns with the target, weight and query id, or None.
    named: tuple[str | None, str | None, str | None] = (None, None, None)
    feature_names: Sequence[str] | None = None
    reading: Reading = Reading()  # noqa: RUF009 (it is immutable)
    categorical: Any = "auto"

    def read(self, piece: Any) -> Rows:
        """Read a piece of a source: a table, or a tuple of a table and values of its rows."""
        parts = piece if isinstance(piece, tuple) else (piece,)
        if not 1 <= len(parts) <= 4:
            raise InvalidTypeError(
                "Each block must be a table or a tuple (data, target), (data, target, weight) or "
                f"(data, target, weight, qid). Got a tuple of {len(parts)}."
            )
        data, *rest = parts
        values: list[Any] = [*rest, *[None] * (3 - len(rest))]
        for i, (what, name) in enumerate(zip(_PARTS, self.named, strict=True)):
            if name is None:
                continue
            if values[i] is not None:
                raise InvalidInputError(
                    f"{what}={shown(name)} is a column name, but the blocks bring the {what} as "
                    "well. Pass only one of them."
                )
            data, values[i] = part_target(data, name, what)
        table = self._read_table(data)
        target, weight, qid = values
        n_rows = table.n_rows
        weight = None if weight is None else _weights(weight, n_rows)
        rows = Rows(
            table,
            None if target is None else read_target(target, n_rows),
            weight,
            None if qid is None else read_ids(qid, n_rows),
            None if weight is None or weight.all() else weight != 0,
            n_rows,
        )
        return rows.kept()

    def _read_table(self, data: Any) -> Table:
        if self.reference is None:
            return read_table(
                data,
                feature_names=self.feature_names,
                reading=self.reading,
                categorical=self.categorical,
            )
        return read_like(data, self.reference[0]).arranged(self.reference[0])


def _weights(given: Any, n_rows: int) -> Floats:
    weights = read_vector(given, "weight", n_rows)
    if (weights < 0).any():
        raise InvalidInputError(
            f"weight must contain numbers of at least 0. Got {weights.min():g}. Drop such rows or "
            "set their weight to 0."
        )
    return weights


class _Passes:
    """Passes over the blocks of a source, all with the same rows."""

    def __init__(
        self, source: Source, how: SourceReading, cache: PageCache | None, n_threads: int
    ) -> None:
        self.source, self.how = source, how
        self.cached = None if cache is None else CachedBlocks(cache)
        self.n_threads = n_threads
        self.common = CommonSchema()
        self.schema: Schema | None = None
        self.check = PassCheck(source)
        self.given: list[bool] | None = None  # which of the parts the blocks have

    def blocks(self) -> Iterator[Rows]:
        """Start a pass over all blocks. In the first one, each has levels of its own."""
        if self.cached is not None and self.schema is not None:
            for blocks, own, *parts in self.cached.read(self.n_threads):
                yield Rows(Table(blocks, own).arranged(self.schema), *parts)
            return
        index = -1
        for index, piece in enumerate(self.source.pieces()):
            try:
                rows = self.how.read(piece)
                self.check.see(index, rows.table)
                table = self._matched(rows.table)
                given = [part is not None for part in rows[1:4]]
                if self.given not in (None, given):
                    raise InvalidInputError(
                        "Either all blocks or no block must have a target, weights and query ids."
                    )
                self.given = given
            except (InvalidInputError, InvalidTypeError) as error:
                raise type(error)(f"{self.source}, block {index}: {error}") from None
            if self.cached is not None:
                self.cached.add((table.blocks, table.schema, *rows[1:]))
            yield rows._replace(table=table)
        self.check.end(index + 1)

    def _matched(self, table: Table) -> Table:
        if self.schema is None:
            return self.common.add(table)
        return self.common.ordered(table).arranged(self.schema)


class _RowParts:
    """What belongs to the rows besides their values, filled block by block."""

    def __init__(self, n_rows: int, n_given: int) -> None:
        self._n_rows = n_rows
        self._n_read = self._n_before = 0
        self.target: Floats | None = None
        self.weight: Floats | None = None
        self.ids: list[NDArray[Any]] = []
        #: Numbers of the rows among those given, if some had weight 0.
        self.numbers: NDArray[np.int64] | None = None
        if n_rows < n_given:
            self.numbers = np.empty(n_rows, dtype=np.int64)

    def add(self, rows: Rows) -> None:
        begin, end = self._n_read, self._n_read + rows.table.n_rows
        if rows.target is not None:
            if self.target is None:
                self.target = np.empty((self._n_rows, *rows.target.shape[1:]))
            self.target[begin:end] = rows.target
        if rows.weight is not None:
            if self.weight is None:
                self.weight = np.empty(self._n_rows)
            self.weight[begin:end] = rows.weight
        if rows.qid is not None:
            self.ids.append(rows.qid)
        if self.numbers is not None:
            keep = np.ones(rows.n_given, dtype=bool) if rows.keep is None else rows.keep
            self.numbers[begin:end] = self._n_before + np.flatnonzero(keep)
        self._n_read, self._n_before = end, self._n_before + rows.n_given


def read_source(
    source: Source,
    how: SourceReading,
    settings: BinSettings,
    n_threads: int,
    cache_dirs: Sequence[str | os.PathLike[str]] = (),
) -> CodedRows:
    """Read all rows of a source as bin codes, only once if there are ``cache_dirs``."""
    if not cache_dirs:
        return _coded(_Passes(source, how, None, n_threads), settings, n_threads)
    with PageCache(cache_dirs) as cache:
        return _coded(_Passes(source, how, cache, n_threads), settings, n_threads)


class _Found(NamedTuple):
    """What the last pass needs to know."""

    schema: Schema
    mapper: _core.BinMapper
    #: The code that most rows of each column have, or -1.
    usual: list[int]
    n_rows: int
    n_given: int


def _coded(passes: _Passes, settings: BinSettings, n_threads: int) -> CodedRows:
    reference = passes.how.reference
    if reference is None:
        found = _find_bins(passes, settings, n_threads)
    else:
        found = _count_rows(passes, *reference)
        settings = reference[1].settings
    _check_memory(found)
    coded = _core.BinnedBlocks(found.mapper, found.n_rows, found.usual, settings.lists)
    kept = _RowParts(found.n_rows, found.n_given)
    for rows in passes.blocks():
        coded.add(rows.table.parts, n_threads)
        kept.add(rows)
    binned = coded.finish(n_threads)
    weight = kept.weight
    if weight is not None and (weight == 1.0).all():
        weight = None
    return CodedRows(
        CodedTable(found.schema, binned),
        FixedBins(settings, found.mapper, binned),
        kept.target,
        weight,
        read_queries(join_ids(kept.ids), None, binned.n_rows) if kept.ids else None,
        kept.numbers,
        found.n_given,
    )


def _find_bins(passes: _Passes, settings: BinSettings, n_threads: int) -> _Found:
    """Find the columns and bin edges of all blocks."""
    search: _core.EdgeSearch | None = None
    n_given = 0
    for rows in passes.blocks():
        n_given += rows.n_given
        if search is None:
            search = _core.EdgeSearch(rows.table.n_columns, *settings.of_edges)
        with rows.table.naming_columns():
            search.add(rows.table.parts, rows.weight, n_threads)
    if search is None or not search.n_rows:
        raise _no_rows(passes.source, n_given)
    schema = passes.schema = passes.common.joined()
    while not search.end_pass(schema.n_levels, n_threads):
        for rows in passes.blocks():
            search.add(rows.table.parts, rows.weight, n_threads)
    mapper = search.mapper
    return _Found(schema, mapper, search.usual_codes(mapper), search.n_rows, n_given)


def _count_rows(passes: _Passes, schema: Schema, bins: FixedBins) -> _Found:
    """Count the rows that get the columns and bins of another dataset."""
    n_rows = n_given = 0
    for rows in passes.blocks():
        n_rows, n_given = n_rows + rows.table.n_rows, n_given + rows.n_given
    if not n_rows:
        raise _no_rows(passes.source, n_given)
    passes.schema = schema
    usual = [bins.binned.usual_code(j) for j in range(schema.n_features)]
    return _Found(schema, bins.mapper, usual, n_rows, n_given)


def _no_rows(source: Source, n_given: int) -> InvalidInputError:
    what = "rows of a weight above 0" if n_given else "rows"
    return InvalidInputError(f"{source} must have at least one row. Got no {what}.")


def _check_memory(found: _Found) -> None:
    """Raise if codes and targets do not fit, before the last pass."""
    mapper, n_rows = found.mapper, found.n_rows
    widths = (1 if mapper.n_bins(j) < 256 else 2 for j, own in enumerate(found.usual) if own < 0)
    n_bytes = n_rows * (2 * sum(widths) + 8)
    if n_bytes > _CHECKED_BYTES:
        what = f"The bin codes of {n_rows} x {mapper.n_features} values"
        check_memory(n_bytes, what, "Use fewer rows or columns.")
