"""Rows of a table as they lie in memory. Only this file knows in which form that is.

The life of a block:

1. a reader makes one of what the user has: :class:`MatrixBlock` of a matrix, :class:`ColumnsBlock`
   of columns that lie apart, :class:`SparseBlock` of rows that mostly hold nothing. Numbers are
   referenced, not copied;
2. a table takes rows and columns of its blocks (``take``, ``select``) and puts them into order;
3. ``part`` or ``columns`` go to the core for training, and ``hand_to`` gives the rows to it for
   predictions, in the form in which they lie. What is sparse stays sparse.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.data.missing_values import without_marks

__all__ = [
    "Block",
    "ColumnValues",
    "ColumnsBlock",
    "MatrixBlock",
    "SparseBlock",
    "SparseColumn",
    "dense_values",
    "joined_values",
]

Result = TypeVar("Result")

#: Matrices that the core walks as they are; of other numbers it reads columns.
_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


class SparseColumn(NamedTuple):
    """A column that holds entries of some rows; all others have one value. The core reads it so."""

    values: NDArray[Any]
    #: The rows of the entries, ascending.
    rows: NDArray[np.int32]
    n_rows: int
    #: The value of the other rows: mostly 0, or NaN where they are missing.
    absent: float

    def dense(self) -> NDArray[Any]:
        """Return the value of every row."""
        dtype = self.values.dtype
        holds = dtype.kind == "f" or (dtype.kind != "b" and float(self.absent).is_integer())
        if dtype.kind == "b" and self.absent in (0.0, 1.0):
            holds = True
        column = np.full(self.n_rows, self.absent, dtype=dtype if holds else np.float64)
        column[self.rows] = self.values
        return column

    def take(self, keep: NDArray[np.bool_]) -> SparseColumn:
        """Return the rows where ``keep`` is true."""
        kept = keep[self.rows]
        places = (np.cumsum(keep) - 1).astype(np.int32)
        return SparseColumn(
            self.values[kept], places[self.rows[kept]], int(np.count_nonzero(keep)), self.absent
        )

    def ordered(self, order: NDArray[np.int64]) -> SparseColumn:
        """Return the column with the rows in another order: the k-th is row ``order[k]``."""
        places = np.empty(self.n_rows, dtype=np.int32)
        places[order] = np.arange(self.n_rows, dtype=np.int32)
        rows = places[self.rows]
        by_row = np.argsort(rows)
        return self._replace(values=self.values[by_row], rows=rows[by_row])

    def without(self, missing: float) -> SparseColumn:
        """Return the column with NaN where the value ``missing`` stands."""
        absent = np.nan if self.absent == missing else self.absent
        return self._replace(values=without_marks(self.values, missing), absent=absent)


#: A column, as the core reads it.
ColumnValues: TypeAlias = NDArray[Any] | SparseColumn


def dense_values(column: ColumnValues) -> NDArray[Any]:
    """Return the value of every row of a column."""
    return column.dense() if isinstance(column, SparseColumn) else column


def joined_values(chunks: Sequence[ColumnValues]) -> ColumnValues:
    """Return the rows of a column, one chunk after the other; sparse where all chunks are so."""
    sparse = [chunk for chunk in chunks if isinstance(chunk, SparseColumn)]
    absent = {"nan" if np.isnan(chunk.absent) else chunk.absent for chunk in sparse}
    if len(sparse) < len(chunks) or len(absent) > 1:
        dense = [dense_values(chunk) for chunk in chunks]
        return np.ascontiguousarray(dense[0] if len(dense) == 1 else np.concatenate(dense))
    if len(sparse) == 1:
        return sparse[0]
    firsts = np.cumsum([0, *(chunk.n_rows for chunk in sparse)])
    rows = [chunk.rows + first for chunk, first in zip(sparse, firsts[:-1], strict=True)]
    values = np.concatenate([chunk.values for chunk in sparse])
    every = np.concatenate(rows).astype(np.int32)
    return SparseColumn(values, every, int(firsts[-1]), sparse[0].absent)


class Block(ABC):
    """Some rows of all columns."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Return the number of rows and of columns."""

    @property
    @abstractmethod
    def arrays(self) -> list[NDArray[Any]]:
        """Return the memory that it refers to."""

    @abstractmethod
    def columns(self) -> list[ColumnValues]:
        """Return the columns, as views if they lie there."""

    @abstractmethod
    def take(self, keep: NDArray[np.bool_]) -> Block:
        """Return the rows where ``keep`` is true, copied in their own type."""

    @abstractmethod
    def select(self, order: Sequence[int]) -> Block:
        """Return the columns in another order."""

    @abstractmethod
    def without(self, missing: float) -> Block:
        """Return the rows with NaN where the value ``missing`` stands."""

    @abstractmethod
    def hand_to(
        self,
        of_matrix: Callable[..., Result],
        of_columns: Callable[..., Result],
        *rest: Any,
        of_sparse: Callable[..., Result] | None = None,
    ) -> Result:
        """Call what the core has for matrices, columns or sparse rows, with the rest.

        Where it has nothing for sparse rows, these are sparse columns.
        """

    def part(self) -> Any:
        """Return all columns as one object that the core trains on; None: it reads columns."""
        return None


@dataclass(frozen=True, eq=False)
class MatrixBlock(Block):
    """A matrix, of any strides."""

    numbers: NDArray[Any]

    @property
    def shape(self) -> tuple[int, int]:
        n_rows, n_columns = self.numbers.shape
        return n_rows, n_columns

    @property
    def arrays(self) -> list[NDArray[Any]]:
        return [self.numbers]

    def part(self) -> NDArray[Any]:
        return self.numbers

    def columns(self) -> list[ColumnValues]:
        return [self.numbers[:, j] for j in range(self.numbers.shape[1])]

    def take(self, keep: NDArray[np.bool_]) -> MatrixBlock:
        return MatrixBlock(self.numbers[keep])

    def select(self, order: Sequence[int]) -> ColumnsBlock:
        return ColumnsBlock([self.numbers[:, j] for j in order])

    def without(self, missing: float) -> MatrixBlock:
        return MatrixBlock(without_marks(self.numbers, missing))

    def hand_to(
        self,
        of_matrix: Callable[..., Result],
        of_columns: Callable[..., Result],
        *rest: Any,
        of_sparse: Callable[..., Result] | None = None,
    ) -> Result:
        if self.numbers.dtype in _FLOATS:
            return of_matrix(self.numbers, *rest)
        return of_columns(self.columns(), *rest)


@dataclass(frozen=True, eq=False)
class ColumnsBlock(Block):
    """Columns that lie apart, each in a type of its own; some may be sparse."""

    apart: list[ColumnValues]

    @property
    def shape(self) -> tuple[int, int]:
        if not self.apart:
            return 0, 0
        first = self.apart[0]
        return first.n_rows if isinstance(first, SparseColumn) else len(first), len(self.apart)

    @property
    def arrays(self) -> list[NDArray[Any]]:
        return [
            column.values if isinstance(column, SparseColumn) else column for column in self.apart
        ]

    def columns(self) -> list[ColumnValues]:
        return self.apart

    def take(self, keep: NDArray[np.bool_]) -> ColumnsBlock:
        return ColumnsBlock(
            [
                column.take(keep) if isinstance(column, SparseColumn) else column[keep]
                for column in self.apart
            ]
        )

    def select(self, order: Sequence[int]) -> ColumnsBlock:
        return ColumnsBlock([self.apart[j] for j in order])

    def without(self, missing: float) -> ColumnsBlock:
        return ColumnsBlock(
            [
                column.without(missing)
                if isinstance(column, SparseColumn)
                else without_marks(column, missing)
                for column in self.apart
            ]
        )

    def hand_to(
        self,
        of_matrix: Callable[..., Result],
        of_columns: Callable[..., Result],
        *rest: Any,
        of_sparse: Callable[..., Result] | None = None,
    ) -> Result:
        return of_columns(self.apart, *rest)


@dataclass(frozen=True, eq=False)
class SparseBlock(Block):
    """Rows of a sparse matrix (CSR, no entry twice); what it does not hold is 0, or missing."""

    rows: Any
    absent_is_missing: bool = False

    @property
    def absent(self) -> float:
        """Return the value of entries that the matrix does not hold."""
        return np.nan if self.absent_is_missing else 0.0

    @property
    def shape(self) -> tuple[int, int]:
        n_rows, n_columns = self.rows.shape
        return int(n_rows), int(n_columns)

    @property
    def arrays(self) -> list[NDArray[Any]]:
        return [self.rows.data, self.rows.indices, self.rows.indptr]

    def part(self) -> Any:
        return _core.SparseColumns.of_rows(self._parts(), self.shape[1], _core.available_threads())

    def columns(self) -> list[ColumnValues]:
        by_column = self.rows.tocsc()
        rows = by_column.indices.astype(np.int32, copy=False)
        ends = by_column.indptr.tolist()
        return [
            SparseColumn(by_column.data[begin:end], rows[begin:end], self.shape[0], self.absent)
            for begin, end in pairwise(ends)
        ]

    def take(self, keep: NDArray[np.bool_]) -> SparseBlock:
        return replace(self, rows=self.rows[np.flatnonzero(keep)])

    def select(self, order: Sequence[int]) -> SparseBlock:
        return replace(self, rows=self.rows[:, list(order)])

    def without(self, missing: float) -> SparseBlock:
        rows = self.rows
        values = without_marks(rows.data, missing)
        if values is not rows.data:
            rows = type(rows)((values, rows.indices, rows.indptr), shape=rows.shape)
        return SparseBlock(rows, self.absent_is_missing or missing == 0)

    def hand_to(
        self,
        of_matrix: Callable[..., Result],
        of_columns: Callable[..., Result],
        *rest: Any,
        of_sparse: Callable[..., Result] | None = None,
    ) -> Result:
        if of_sparse is None:
            return of_columns(self.columns(), *rest)
        return of_sparse(self._parts(), *rest)

    def _parts(self) -> tuple[Any, ...]:
        return (*self.arrays, self.absent)
