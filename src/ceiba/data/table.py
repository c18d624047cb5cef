"""Any table becomes named columns of numbers that are only referenced.

The life of a table:

1. :func:`read_table` takes what the user has: a numpy array, a DataFrame of pandas, polars or
   arrow, a scipy sparse matrix, or lists of rows. Its :class:`Schema` says what the columns are and
   what meant missing. :func:`read_like` reads a later table as the schema of the first one says.
2. :func:`join_tables` puts blocks of rows one after the other, :meth:`Table.take` drops rows,
   :meth:`Table.arranged` puts the columns into the order of a schema.
3. :attr:`Table.parts` goes to the core, which reads the numbers where they lie; or every block is
   handed to it in turn (``Block.hand_to``). In which form rows lie is the blocks' own matter.

NaN and the missing marks of other libraries mean a missing value, and whatever else a
:class:`ceiba.data.missing_values.Reading` names; infinities are ordinary values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ceiba.data.block import Block, MatrixBlock
from ceiba.data.from_frame import as_frame, frame_block, frame_names
from ceiba.data.from_sparse import is_sparse, sparse_blocks
from ceiba.data.memory import check_memory
from ceiba.data.missing_values import PLAIN, Reading
from ceiba.data.plain_numbers import check_integers, plain_numbers
from ceiba.data.schema import Schema
from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.messages import listed

__all__ = ["Columns", "Table", "join_tables", "read_like", "read_table"]

#: For each column the chunks that hold its rows.
Columns: TypeAlias = list[list[NDArray[Any]]]


@dataclass(frozen=True, eq=False)
class Table:
    """Named columns of numbers, in blocks of rows one after the other."""

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
        """Return the names of the columns, where the user gave some."""
        return list(self.schema.names) if self.schema.named else None

    @cached_property
    def columns(self) -> Columns:
        """For each column the 1-D chunks that hold its rows, as views."""
        by_block = (block.columns() for block in self.in_memory().blocks)
        return [list(chunks) for chunks in zip(*by_block, strict=True)]

    @property
    def parts(self) -> list[NDArray[Any]] | Columns:
        """What the core reads: the matrices as they are, or else the chunks of each column."""
        whole = self.in_memory()
        matrices = [matrix for block in whole.blocks if (matrix := block.matrix) is not None]
        return matrices if len(matrices) == len(whole.blocks) else whole.columns

    def in_memory(self) -> Table:
        """Return the table with every value in memory: what is sparse needs more of it then."""
        n_bytes = sum(block.extra_bytes for block in self.blocks)
        if n_bytes == 0:
            return self
        check_memory(
            n_bytes,
            f"A sparse matrix is made dense for training, and {self.n_rows} x {self.n_columns} "
            "values",
        )
        return replace(self, blocks=tuple(block.in_memory() for block in self.blocks))

    def take(self, keep: NDArray[np.bool_]) -> Table:
        """Return the rows where ``keep`` is true, copied in their own type."""
        ends = np.cumsum([block.shape[0] for block in self.blocks])
        kept = np.split(keep, ends[:-1])
        blocks = tuple(block.take(here) for block, here in zip(self.blocks, kept, strict=True))
        return replace(self, blocks=blocks)

    def arranged(self, schema: Schema) -> Table:
        """Return the table with the columns of ``schema``, in its order."""
        order = schema.order_in(self.schema)
        if order is None:
            return self
        return Table(tuple(block.select(order) for block in self.blocks), schema)

    def renamed(self, names: Sequence[str]) -> Table:
        """Return the same columns under other names."""
        return replace(self, schema=self.schema.renamed(names))

    @contextmanager
    def naming_columns(self) -> Iterator[None]:
        """Name the column of an integer that the core, which knows no names, finds too large."""
        try:
            yield
        except InvalidInputError:
            for j, chunks in enumerate(self.columns):
                name = f"Column {self.schema.names[j]!r}" if self.schema.named else f"Column {j}"
                for chunk in chunks:
                    if chunk.dtype.kind in "iu" and chunk.size:
                        check_integers(name, chunk.min(), chunk.max())
            raise


def read_table(
    data: Any, *, feature_names: Sequence[str] | None = None, reading: Reading = PLAIN
) -> Table:
    """Return any table as columns of numbers.

    Parameters
    ----------
    data : array, DataFrame, sparse matrix, list of rows, or Table
        Two-dimensional numbers. A Table has been read already.
    feature_names : sequence of str, optional
        Names of the columns; they replace the names that the table has.
    reading : Reading, optional
        What means missing besides NaN.
    """
    if isinstance(data, Table):
        return data if feature_names is None else data.renamed(_checked(feature_names, data))
    names: Sequence[str] | None = None
    blocks: Sequence[Block]
    if isinstance(data, np.ndarray):
        blocks = [_from_array(data)]
    elif is_sparse(data):
        blocks = sparse_blocks(data, zero_as_missing=reading.zero_as_missing)
    elif (frame := as_frame(data)) is not None:
        names = frame_names(frame)
        if names is not None:
            _check_names(names, frame.shape[1])
            names = [str(name) for name in names]
        blocks = [frame_block(frame, zero_as_missing=reading.zero_as_missing)]
    else:
        blocks = [_from_array(_as_array(data))]
    n_rows, n_columns = blocks[0].shape
    if n_columns == 0:
        raise InvalidInputError(
            f"Found array with 0 feature(s) (shape=({n_rows}, 0)) while a minimum of 1 is "
            "required. Give a table with at least one column."
        )
    if reading.missing is not None:
        blocks = [block.without(reading.missing) for block in blocks]
    table = Table(tuple(blocks), Schema.of(names, n_columns, reading))
    return table if feature_names is None else table.renamed(_checked(feature_names, table))


def read_like(data: Any, schema: Schema) -> Table:
    """Return a table, read in the way of the one that ``schema`` is of; its columns are its own."""
    return read_table(data, reading=schema.reading)


def join_tables(tables: Sequence[Table]) -> Table:
    """Return the rows of several tables with the same columns, one after the other."""
    if len(tables) == 1:
        return tables[0]
    return replace(tables[0], blocks=tuple(block for table in tables for block in table.blocks))


def _from_array(array: NDArray[Any]) -> MatrixBlock:
    if array.ndim != 2:
        advice = (
            "Reshape your data either using array.reshape(-1, 1) if your data has a single feature "
            "or array.reshape(1, -1) if it contains a single sample."
        )
        raise InvalidInputError(
            f"Expected 2D array, got {'scalar' if array.ndim == 0 else f'{array.ndim}D'} array "
            f"instead, of shape {array.shape}. {advice}"
        )
    return MatrixBlock(plain_numbers(array, "The table"))


def _as_array(data: Any) -> NDArray[Any]:
    """Return lists of rows, or anything that numpy takes, as an array."""
    none = InvalidTypeError(
        f"A table must be an array, a DataFrame, a sparse matrix or a list of rows. Got "
        f"{type(data).__name__}. Make a DataFrame of it first."
    )
    if isinstance(data, dict | set | str | bytes) or data is None:
        raise none
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise InvalidInputError(
            f"The rows must be numbers and have the same length. numpy says: {error}"
        ) from None
    if array.ndim == 0 and array.dtype.kind == "O":  # something that numpy knows nothing of
        raise none
    if array.dtype.kind in "US" and not isinstance(data, np.ndarray):
        array = np.asarray(data, dtype=object)  # so that the numbers among the text stay numbers
    return array


def _checked(names: Any, table: Table) -> list[str]:
    """Return the names that a user gives the columns."""
    if isinstance(names, str | bytes) or not isinstance(names, Iterable):
        raise InvalidTypeError(
            f"feature_names must be a list of strings, one for each column. Got {names!r}."
        )
    given = list(names)
    _check_names(given, table.n_columns)
    return [str(name) for name in given]  # numpy's strings become Python's


def _check_names(names: Sequence[str], n_columns: int) -> None:
    if not all(isinstance(name, str) for name in names):
        raise InvalidTypeError(f"feature_names must be strings. Got {list(names)!r}.")
    if len(names) != n_columns:
        raise InvalidInputError(
            f"feature_names must name every column. Got {len(names)} names for {n_columns} columns."
        )
    if len(set(names)) != len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise InvalidInputError(
            f"Columns must have different names. Got more than one column called {listed(twice)}. "
            "Rename or drop one of them."
        )
