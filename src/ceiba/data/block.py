"""Memory layouts of a block of rows: matrix, separate columns or sparse rows.

The life of a block:

1. A reader makes one: :class:`MatrixBlock` for a matrix, :class:`ColumnsBlock` for separate
   columns, :class:`SparseBlock` for a sparse matrix. It references the numbers without a copy.
2. A table selects rows and columns of its blocks (``take``, ``select``).
3. The core trains on ``part`` or ``columns``. ``hand_to`` passes the rows to the core for
   predictions, in their own layout. Sparse data stay sparse.
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

#: Matrix types that the core reads in place. It reads other types column by column.
_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


class SparseColumn(NamedTuple):
    """A sparse column: entries of some rows and one value for all others. Input of the core."""

    values: NDArray[Any]
    #: The rows of the entries, ascending.
    rows: NDArray[np.int32]
    n_rows: int
    #: The value of the other rows, usually 0, or NaN if they are missing.
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
        """Return the column with reordered rows: row k of the result is row ``order[k]``."""
        places = np.empty(self.n_rows, dtype=np.int32)
        places[order] = np.arange(self.n_rows, dtype=np.int32)
        rows = places[self.rows]
        by_row = np.argsort(rows)
        return self._replace(values=self.values[by_row], rows=rows[by_row])

    def without(self, missing: float) -> SparseColumn:
        """Return the column with NaN in place of the value ``missing``."""
        absent = np.nan if self.absent == missing else self.absent
        return self._replace(values=without_marks(self.values, missing), absent=absent)


#: A column in a form that the core reads.
ColumnValues: TypeAlias = NDArray[Any] | SparseColumn


def dense_values(column: ColumnValues) -> NDArray[Any]:
    """Return the value of every row of a column."""
    return column.dense() if isinstance(column, SparseColumn) else column


def joined_values(chunks: Sequence[ColumnValues]) -> ColumnValues:
    """Concatenate the chunks of a column. The result is sparse if all chunks are."""
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
    """Consecutive rows of all columns in one memory layout."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Return the number of rows and columns."""

    @property
    @abstractmethod
    def arrays(self) -> list[NDArray[Any]]:
        """Return the referenced arrays."""

    @abstractmethod
    def columns(self) -> list[ColumnValues]:
        """Return the columns, as views where possible."""

    @abstractmethod
    def take(self, keep: NDArray[np.bool_]) -> Block:
        """Return a copy of the rows where ``keep`` is true."""

    @abstractmethod
    def select(self, order: Sequence[int]) -> Block:
        """Return the columns in the given order."""

    @abstractmethod
    def without(self, missing: float) -> Block:
        """Return the rows with NaN in place of the value ``missing``."""

    @abstractmethod
    def hand_to(
        self,
        of_matrix: Callable[..., Result],
        of_columns: Callable[..., Result],
        *rest: Any,
        of_sparse: Callable[..., Result] | None = None,
    ) -> Result:
        """Call the function of the core for this layout, with the arguments ``rest``.

        Without ``of_sparse``, sparse rows are passed to ``of_columns`` as sparse columns.
        """

    def part(self) -> Any:
        """Return all columns as one object that the core trains on; None to use ``columns``."""
        return None


@dataclass(frozen=True, eq=False)
class MatrixBlock(Block):
    """A matrix with any strides."""

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
    """Separate columns, each with its own type. Some may be sparse."""

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
    """Rows of a sparse matrix (CSR without duplicates). Implicit entries are 0 or missing."""

    rows: Any
    absent_is_missing: bool = False

    @property
    def absent(self) -> float:
        """Return the value of implicit entries."""
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
