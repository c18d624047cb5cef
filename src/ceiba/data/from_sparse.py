"""Sparse matrices become blocks of rows that stay sparse until the core reads them."""

from __future__ import annotations

import sys
from typing import Any

from ceiba.data.block import SparseBlock
from ceiba.data.plain_numbers import plain_numbers
from ceiba.errors import InvalidInputError

__all__ = ["is_sparse", "sparse_blocks"]

#: What a block may need when it is made dense.
_BLOCK_BYTES = 64 * 2**20


def is_sparse(data: Any) -> bool:
    """Whether it is a sparse matrix or array of scipy."""
    sparse = sys.modules.get("scipy.sparse")  # nobody has a sparse matrix without importing it
    return sparse is not None and bool(sparse.issparse(data))


def sparse_blocks(matrix: Any, *, zero_as_missing: bool = False) -> list[SparseBlock]:
    """Return the rows in blocks; entries that the matrix does not hold are 0, or missing."""
    if matrix.ndim != 2:
        raise InvalidInputError(f"Expected 2D array, got a sparse array of shape {matrix.shape}.")
    if matrix.dtype.kind == "c":
        raise InvalidInputError(
            "Complex data not supported. The sparse matrix holds complex numbers."
        )
    rows = matrix.tocsr()
    numbers = plain_numbers(rows.data, "The sparse matrix")
    if numbers is not rows.data:
        rows = type(rows)((numbers, rows.indices, rows.indptr), shape=rows.shape)
    n_rows, n_columns = (int(size) for size in rows.shape)
    n_at_once = max(1, _BLOCK_BYTES // max(1, n_columns * 8))
    if n_rows <= n_at_once:
        return [SparseBlock(rows, zero_as_missing)]
    return [
        SparseBlock(rows[begin : begin + n_at_once], zero_as_missing)
        for begin in range(0, n_rows, n_at_once)
    ]
