"""Any table becomes named, typed columns that are only referenced.

The life of a table:

1. :func:`read_table` takes what the user has: a numpy array, a DataFrame of pandas, polars or
   arrow, a scipy sparse matrix, or lists of rows. Numbers in memory are referenced, not copied.
2. :func:`join_tables` puts blocks of rows one after the other, :meth:`Table.take` drops rows.
3. :attr:`Table.parts` goes to the core, which reads the numbers where they lie.

NaN and the missing marks of other libraries mean a missing value, and whatever else a
:class:`ceiba.data.missing_values.Reading` names; infinities are ordinary values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ceiba.data.from_frame import as_frame, frame_block, frame_names
from ceiba.data.from_sparse import dense_blocks, is_sparse
from ceiba.data.missing_values import PLAIN, Reading, without_marks
from ceiba.data.plain_numbers import plain_numbers
from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.messages import listed

__all__ = ["Columns", "Table", "join_tables", "read_table"]

#: For each column the chunks that hold its rows.
Columns: TypeAlias = list[list[NDArray[Any]]]


@dataclass(frozen=True)
class Table:
    """Columns of numbers; ``blocks`` are matrices, or lists of columns, one after the other."""

    blocks: list[NDArray[Any] | list[NDArray[Any]]]
    names: list[str] | None
    n_rows: int
    n_columns: int

    @cached_property
    def columns(self) -> Columns:
        """For each column the 1-D chunks that hold its rows, as views."""
        by_block = [
            [block[:, j] for j in range(self.n_columns)] if isinstance(block, np.ndarray) else block
            for block in self.blocks
        ]
        return [list(chunks) for chunks in zip(*by_block, strict=True)]

    @property
    def parts(self) -> list[NDArray[Any]] | Columns:
        """What the core reads: the matrices as they are, or else the chunks of each column."""
        matrices = [block for block in self.blocks if isinstance(block, np.ndarray)]
        return matrices if len(matrices) == len(self.blocks) else self.columns

    @property
    def kinds(self) -> tuple[str, ...]:
        """How each column is used. It does not depend on the number type that holds it."""
        return ("numeric",) * self.n_columns

    def take(self, keep: NDArray[np.bool_]) -> Table:
        """Return the rows where ``keep`` is true, copied in their own type."""
        blocks: list[NDArray[Any] | list[NDArray[Any]]] = []
        begin = 0
        for block in self.blocks:
            n_here = len(block) if isinstance(block, np.ndarray) else len(block[0])
            kept = keep[begin : begin + n_here]
            if isinstance(block, np.ndarray):
                blocks.append(block[kept])
            else:
                blocks.append([column[kept] for column in block])
            begin += n_here
        return Table(blocks, self.names, int(np.count_nonzero(keep)), self.n_columns)

    def select(self, order: Sequence[int]) -> Table:
        """Return the columns in another order."""
        names = None if self.names is None else [self.names[j] for j in order]
        blocks: list[NDArray[Any] | list[NDArray[Any]]] = [
            [block[:, j] for j in order]
            if isinstance(block, np.ndarray)
            else [block[j] for j in order]
            for block in self.blocks
        ]
        return Table(blocks, names, self.n_rows, len(order))


def read_table(
    data: Any, *, feature_names: Sequence[str] | None = None, reading: Reading = PLAIN
) -> Table:
    """Return any table as columns of numbers.

    Parameters
    ----------
    data : array, DataFrame, sparse matrix, list of rows, or Table
        Two-dimensional numbers.
    feature_names : sequence of str, optional
        Names of the columns; they replace the names that the table has.
    reading : Reading, optional
        What means missing besides NaN. A Table has been read already: only ``reading.missing`` is
        looked for.
    """
    if isinstance(data, Table):
        table = data
    elif isinstance(data, np.ndarray):
        table = _from_array(data)
    elif is_sparse(data):
        dense = dense_blocks(data, absent=np.nan if reading.zero_as_missing else 0.0)
        table = join_tables([_from_array(block) for block in dense])
    elif (frame := as_frame(data)) is not None:
        table = _from_frame(frame, reading.zero_as_missing)
    else:
        table = _from_array(_as_array(data))
    if table.n_columns == 0:
        raise InvalidInputError(
            f"Found array with 0 feature(s) (shape=({table.n_rows}, 0)) while a minimum of 1 is "
            "required. Give a table with at least one column."
        )
    names = table.names if feature_names is None else _listed_names(feature_names)
    if names is not None:
        _check_names(names, table.n_columns)
        plain = [str(name) for name in names]  # numpy's strings become Python's
        table = Table(table.blocks, plain, table.n_rows, table.n_columns)
    if reading.missing is not None:
        unmarked = [without_marks(block, reading.missing) for block in table.blocks]
        table = Table(unmarked, table.names, table.n_rows, table.n_columns)
    return table


def join_tables(tables: Sequence[Table]) -> Table:
    """Return the rows of several tables with the same columns, one after the other."""
    if len(tables) == 1:
        return tables[0]
    blocks = [block for table in tables for block in table.blocks]
    n_rows = sum(table.n_rows for table in tables)
    return Table(blocks, tables[0].names, n_rows, tables[0].n_columns)


def _from_array(array: NDArray[Any]) -> Table:
    if array.ndim != 2:
        advice = (
            "Reshape your data either using array.reshape(-1, 1) if your data has a single feature "
            "or array.reshape(1, -1) if it contains a single sample."
        )
        raise InvalidInputError(
            f"Expected 2D array, got {'scalar' if array.ndim == 0 else f'{array.ndim}D'} array "
            f"instead, of shape {array.shape}. {advice}"
        )
    numbers = plain_numbers(array, "The table")
    return Table([numbers], None, numbers.shape[0], numbers.shape[1])


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


def _from_frame(frame: Any, zero_as_missing: bool) -> Table:
    names = frame_names(frame)
    n_rows, n_columns = frame.shape
    if names is not None:
        _check_names(names, n_columns)
    block = frame_block(frame, zero_as_missing=zero_as_missing)
    return Table([block], names, n_rows, n_columns)


def _listed_names(names: Any) -> list[Any]:
    if isinstance(names, str | bytes) or not isinstance(names, Iterable):
        raise InvalidTypeError(
            f"feature_names must be a list of strings, one for each column. Got {names!r}."
        )
    return list(names)


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
