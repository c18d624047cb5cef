"""Rows of a table as they lie in memory. Only this file knows in which form that is.

The life of a block:

1. a reader makes one of what the user has: :class:`MatrixBlock` of a matrix, :class:`ColumnsBlock`
   of columns that lie apart, :class:`SparseBlock` of rows that mostly hold nothing. Numbers are
   referenced, not copied;
2. a table takes rows and columns of its blocks (``take``, ``select``) and puts them into order;
3. ``hand_to`` gives the rows to the core in the form that it reads. What is sparse is made dense
   then and there, and forgotten afterwards: one block at a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ceiba.data.missing_values import without_marks
from ceiba.data.plain_numbers import check_integers

__all__ = ["Block", "ColumnsBlock", "MatrixBlock", "SparseBlock"]

Result = TypeVar("Result")

#: Matrices that the core walks as they are; of other numbers it reads columns.
_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


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
    def columns(self) -> list[NDArray[Any]]:
        """Return the columns, as views if they are in memory."""

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
        self, of_matrix: Callable[..., Result], of_columns: Callable[..., Result], *rest: Any
    ) -> Result:
        """Call what the core has for matrices, or what it has for columns, with the rest."""

    @property
    def matrix(self) -> NDArray[Any] | None:
        """Return the matrix that it is, if it is one."""
        return None

    @property
    def extra_bytes(self) -> int:
        """Return the memory that :meth:`in_memory` would need."""
        return 0

    def in_memory(self) -> Block:
        """Return the rows with every value in memory."""
        return self


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

    @property
    def matrix(self) -> NDArray[Any]:
        return self.numbers

    def columns(self) -> list[NDArray[Any]]:
        return [self.numbers[:, j] for j in range(self.numbers.shape[1])]

    def take(self, keep: NDArray[np.bool_]) -> MatrixBlock:
        return MatrixBlock(self.numbers[keep])

    def select(self, order: Sequence[int]) -> ColumnsBlock:
        return ColumnsBlock([self.numbers[:, j] for j in order])

    def without(self, missing: float) -> MatrixBlock:
        return MatrixBlock(without_marks(self.numbers, missing))

    def hand_to(
        self, of_matrix: Callable[..., Result], of_columns: Callable[..., Result], *rest: Any
    ) -> Result:
        if self.numbers.dtype in _FLOATS:
            return of_matrix(self.numbers, *rest)
        return of_columns(self.columns(), *rest)


@dataclass(frozen=True, eq=False)
class ColumnsBlock(Block):
    """Columns that lie apart, each in a type of its own."""

    apart: list[NDArray[Any]]

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.apart[0]) if self.apart else 0, len(self.apart)

    @property
    def arrays(self) -> list[NDArray[Any]]:
        return self.apart

    def columns(self) -> list[NDArray[Any]]:
        return self.apart

    def take(self, keep: NDArray[np.bool_]) -> ColumnsBlock:
        return ColumnsBlock([column[keep] for column in self.apart])

    def select(self, order: Sequence[int]) -> ColumnsBlock:
        return ColumnsBlock([self.apart[j] for j in order])

    def without(self, missing: float) -> ColumnsBlock:
        return ColumnsBlock([without_marks(column, missing) for column in self.apart])

    def hand_to(
        self, of_matrix: Callable[..., Result], of_columns: Callable[..., Result], *rest: Any
    ) -> Result:
        return of_columns(self.apart, *rest)


@dataclass(frozen=True, eq=False)
class SparseBlock(Block):
    """Rows of a sparse matrix (CSR); entries that it does not hold are 0, or missing."""

    rows: Any
    absent_is_missing: bool = False
    #: A value that means missing; None: only NaN does.
    mark: float | None = None

    @property
    def shape(self) -> tuple[int, int]:
        n_rows, n_columns = self.rows.shape
        return int(n_rows), int(n_columns)

    @property
    def arrays(self) -> list[NDArray[Any]]:
        return [self.rows.data, self.rows.indices, self.rows.indptr]

    @property
    def extra_bytes(self) -> int:
        return self.shape[0] * self.shape[1] * self._type.itemsize

    def columns(self) -> list[NDArray[Any]]:
        return self.in_memory().columns()

    def take(self, keep: NDArray[np.bool_]) -> SparseBlock:
        return replace(self, rows=self.rows[np.flatnonzero(keep)])

    def select(self, order: Sequence[int]) -> SparseBlock:
        return replace(self, rows=self.rows[:, list(order)])

    def without(self, missing: float) -> SparseBlock:
        return replace(self, mark=missing)

    def hand_to(
        self, of_matrix: Callable[..., Result], of_columns: Callable[..., Result], *rest: Any
    ) -> Result:
        return self.in_memory().hand_to(of_matrix, of_columns, *rest)

    def in_memory(self) -> MatrixBlock:
        dense = MatrixBlock(self._filled() if self.absent_is_missing else self.rows.toarray())
        return dense if self.mark is None else dense.without(self.mark)

    @property
    def _type(self) -> np.dtype[Any]:
        dtype: np.dtype[Any] = self.rows.dtype
        holds_nan = not self.absent_is_missing or dtype.kind == "f"
        return dtype if holds_nan else np.dtype(np.float64)

    def _filled(self) -> NDArray[Any]:
        """Return a matrix that is NaN but for the entries; a zero that was written stays one."""
        rows = self.rows.copy()
        rows.sum_duplicates()
        if rows.dtype.kind in "iu" and rows.nnz:
            check_integers("The sparse matrix", rows.data.min(), rows.data.max())
        dense = np.full(rows.shape, np.nan, dtype=self._type)
        row_numbers = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
        dense[row_numbers, rows.indices] = rows.data
        return dense
