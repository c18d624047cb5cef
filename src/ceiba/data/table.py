"""A table: named columns of numbers, referenced without a copy.

The life of a table:

1. ``read_table.py`` makes one from user data. Its :class:`Schema` holds the names, kinds and levels
   of the columns and the missing values. Categories are columns of level numbers.
2. :func:`join_tables` concatenates tables, :meth:`Table.take` selects rows, and
   :meth:`Table.arranged` reorders and recodes the columns to match another schema.
3. The core trains on :attr:`Table.parts`, which it reads in place. Predictions pass every block in
   turn (``Block.hand_to``). ``block.py`` defines the memory layouts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ceiba.data.block import (
    Block,
    ColumnsBlock,
    ColumnValues,
    SparseColumn,
    dense_values,
    joined_values,
)
from ceiba.data.categories import code_numbers, used_levels
from ceiba.data.levels import check_levels, sorted_levels
from ceiba.data.matching import coded_levels, joined_columns, matched, matches
from ceiba.data.plain_numbers import check_integers
from ceiba.data.schema import Schema
from ceiba.errors import InvalidInputError

__all__ = ["Columns", "Table", "join_tables"]

#: For each column the chunks that hold its rows.
Columns: TypeAlias = list[list[ColumnValues]]


@dataclass(frozen=True, eq=False)
class Table:
    """Named columns of numbers, in consecutive blocks of rows."""

    blocks: tuple[Block, ...]
    schema: Schema

    @cached_property
    def n_rows(self) -> int:
        """Return the number of rows."""
        return sum(block.shape[0] for block in self.blocks)

    @property
    def n_columns(self) -> int:
        """Return the number of columns."""
        return self.schema.n_features

    @property
    def names(self) -> list[str] | None:
        """Return the column names, or None if the columns are unnamed."""
        return list(self.schema.names) if self.schema.named else None

    @cached_property
    def columns(self) -> Columns:
        """Return the 1-D chunks of each column, as views where possible."""
        by_block = (block.columns() for block in self.blocks)
        return [list(chunks) for chunks in zip(*by_block, strict=True)]

    @property
    def parts(self) -> list[Any]:
        """Return the input of the core for training: the blocks, or else the chunks of columns."""
        parts = [block.part() for block in self.blocks]
        return self.columns if any(part is None for part in parts) else parts

    @property
    def one_block(self) -> Block:
        """Return all rows as one block; concatenates the columns of several blocks."""
        if len(self.blocks) == 1:
            return self.blocks[0]
        return ColumnsBlock([joined_values(chunks) for chunks in self.columns])

    def take(self, keep: NDArray[np.bool_]) -> Table:
        """Return a copy of the rows where ``keep`` is true."""
        ends = np.cumsum([block.shape[0] for block in self.blocks])
        kept = np.split(keep, ends[:-1])
        blocks = tuple(block.take(here) for block, here in zip(self.blocks, kept, strict=True))
        return replace(self, blocks=blocks)

    def arranged(self, schema: Schema) -> Table:
        """Return the table with the column order, kinds and levels of ``schema``."""
        table = self.select(schema.order_in(self.schema))
        own = table.schema
        if matches(own, schema):
            return table
        blocks = [_matched_block(block, own, schema) for block in table.blocks]
        plain = replace(schema, names=own.names, named=own.named, statistics=None, tells_unseen=())
        return Table(tuple(blocks), plain)

    def encoded(self, schema: Schema, n_threads: int = 1) -> Table:
        """Return the columns that trees read, for rows outside of the training table."""
        table, statistics = self.arranged(schema), schema.statistics
        if statistics is None:
            return table
        columns = (block.columns() for block in table.blocks)
        blocks = [ColumnsBlock(statistics.columns(own, n_threads)) for own in columns]
        return Table(tuple(blocks), schema.engine)

    def replaced(self, schema: Schema, derived: Sequence[NDArray[np.float64]]) -> Table:
        """Return the columns that trees read, with the encoded columns ``derived``."""
        assert schema.statistics is not None
        blocks, begin = [], 0
        for block in self.blocks:
            end, own = begin + block.shape[0], block.columns()
            kept = [own[j] for j in schema.statistics.kept]
            blocks.append(ColumnsBlock([*kept, *(own[begin:end] for own in derived)]))
            begin = end
        return Table(tuple(blocks), schema.engine)

    def select(self, order: Sequence[int] | None) -> Table:
        """Return the columns in the given order. None keeps the order."""
        if order is None:
            return self
        return Table(
            tuple(block.select(order) for block in self.blocks), self.schema.selected(order)
        )

    def compact(self) -> Table:
        """Return the table without unused levels."""
        if not self.schema.has_categories:
            return self
        levels = [
            _levels_of(chunks, own) if own else own
            for chunks, own in zip(self.columns, self.schema.levels, strict=True)
        ]
        return self.arranged(self.schema.with_columns(self.schema.kinds, levels))

    def with_categories(self, positions: Sequence[int]) -> Table:
        """Return the table with these columns of numbers read as categories."""
        new = {j for j in positions if self.schema.kinds[j] != "category"}
        if not new:
            return self
        mark, known = self.schema.reading.missing, self.schema.levels
        kinds, levels = list(self.schema.kinds), list(known or [()] * self.n_columns)
        for j in new:
            kinds[j] = "category"
            chunks = [dense_values(chunk) for chunk in self.columns[j]]
            every = [used_levels(code_numbers(chunk), mark) for chunk in chunks]
            levels[j] = sorted_levels({level for own in every for level in own})
            check_levels(levels[j], self.schema.column_label(j))
        return self.arranged(self.schema.with_columns(kinds, levels))

    def renamed(self, names: Sequence[str]) -> Table:
        """Return the same columns under other names."""
        return self.with_schema(self.schema.renamed(names))

    def with_unseen(self, unseen: Literal["missing", "error"]) -> Table:
        """Return the same columns with another treatment of unseen categories."""
        return self.with_schema(replace(self.schema, unseen=unseen))

    def with_schema(self, schema: Schema) -> Table:
        """Return the same values under a schema with other names or rules."""
        return replace(self, schema=schema)

    def n_present(self, column: int) -> int:
        """Return the number of rows without a missing value in a categorical column."""
        chunks = self.columns[column]
        return sum(int(np.count_nonzero(~np.isnan(dense_values(chunk)))) for chunk in chunks)

    @contextmanager
    def naming_columns(self) -> Iterator[None]:
        """Add the column name to the core's error about an integer that is too large."""
        try:
            yield
        except InvalidInputError:
            for j, chunks in enumerate(self.columns):
                name = self.schema.column_label(j)
                for chunk in chunks:
                    values = chunk.values if isinstance(chunk, SparseColumn) else chunk
                    if values.dtype.kind in "iu" and values.size:
                        check_integers(name, values.min(), values.max())
            raise


def join_tables(tables: Sequence[Table]) -> Table:
    """Concatenate tables with the same columns. Joins the levels of their categories."""
    if len(tables) == 1:
        return tables[0]
    schemas = [table.schema for table in tables]
    if not all(matches(schema, schemas[0]) for schema in schemas):
        schema = joined_columns(schemas, [table.columns for table in tables])
        tables = [table.arranged(schema) for table in tables]
    return replace(tables[0], blocks=tuple(block for table in tables for block in table.blocks))


def _matched_block(block: Block, own: Schema, schema: Schema) -> Block:
    return ColumnsBlock(
        [
            column
            if own.kinds[j] == schema.kinds[j] == "numeric"
            else matched(dense_values(column), own, schema, j)
            for j, column in enumerate(block.columns())
        ]
    )


def _levels_of(chunks: Sequence[ColumnValues], levels: tuple[Any, ...]) -> tuple[Any, ...]:
    used = np.zeros(len(levels), dtype=bool)
    for chunk in chunks:
        used |= coded_levels(dense_values(chunk), levels).used()
    return levels if used.all() else tuple(levels[k] for k in np.flatnonzero(used).tolist())
