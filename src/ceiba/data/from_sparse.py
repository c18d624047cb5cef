"""Sparse matrices become dense blocks of rows."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.plain_numbers import check_integers
from ceiba.errors import InsufficientMemoryError, InvalidInputError

__all__ = ["dense_blocks", "is_sparse"]

_BLOCK_BYTES = 64 * 2**20


def is_sparse(data: Any) -> bool:
    """Whether it is a sparse matrix or array of scipy."""
    sparse = sys.modules.get("scipy.sparse")  # nobody has a sparse matrix without importing it
    return sparse is not None and bool(sparse.issparse(data))


def dense_blocks(matrix: Any, *, absent: float) -> list[NDArray[Any]]:
    """Return the rows as dense blocks, with ``absent`` (0 or NaN) where the matrix has no entry."""
    if matrix.ndim != 2:
        raise InvalidInputError(f"Expected 2D array, got a sparse array of shape {matrix.shape}.")
    if matrix.dtype.kind == "c":
        raise InvalidInputError(
            "Complex data not supported. The sparse matrix holds complex numbers."
        )
    n_rows, n_columns = (int(size) for size in matrix.shape)
    dtype = matrix.dtype
    if np.isnan(absent) and dtype.kind != "f":
        dtype = np.dtype(np.float64)
    n_bytes = n_rows * n_columns * dtype.itemsize
    free = _available_bytes()
    if n_bytes > free:
        raise InsufficientMemoryError(
            f"A sparse matrix is made dense for training, and {n_rows} x {n_columns} values of "
            f"{dtype} need {n_bytes / 2**30:.1f} GB. Free are {free / 2**30:.1f} GB. "
            "Give fewer rows or columns."
        )
    rows = matrix.tocsr()
    n_at_once = max(1, _BLOCK_BYTES // max(1, n_columns * dtype.itemsize))
    begins = range(0, max(n_rows, 1), n_at_once)
    if absent == 0:
        return [rows[begin : begin + n_at_once].toarray() for begin in begins]
    return [_filled(rows[begin : begin + n_at_once], dtype) for begin in begins]


def _filled(rows: Any, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return a block that is NaN but for the entries; a zero that was written down stays one."""
    rows = rows.copy()
    rows.sum_duplicates()
    if rows.dtype.kind in "iu" and dtype == np.float64 and rows.nnz:
        check_integers("The sparse matrix", rows.data.min(), rows.data.max())
    block = np.full(rows.shape, np.nan, dtype=dtype)
    row_numbers = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    block[row_numbers, rows.indices] = rows.data
    return block


def _available_bytes() -> int:
    """Return the memory that the system says is free for use."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:  # noqa: PTH123
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return sys.maxsize
