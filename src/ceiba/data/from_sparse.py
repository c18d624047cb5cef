"""Sparse matrices become a block of rows, which stays sparse."""

from __future__ import annotations

import sys
from typing import Any

from ceiba.data.block import SparseBlock
from ceiba.data.plain_numbers import plain_numbers
from ceiba.errors import InvalidInputError

__all__ = ["is_sparse", "sparse_blocks"]


def is_sparse(data: Any) -> bool:
    """Whether it is a sparse matrix or array of scipy."""
    sparse = sys.modules.get("scipy.sparse")  # nobody has a sparse matrix without importing it
    return sparse is not None and bool(sparse.issparse(data))


def sparse_blocks(matrix: Any, *, zero_as_missing: bool = False) -> list[SparseBlock]:
    """Return the rows as a block; entries that the matrix does not hold are 0, or missing."""
    if matrix.ndim != 2:
        raise InvalidInputError(f"Expected 2D array, got a sparse array of shape {matrix.shape}.")
    if matrix.dtype.kind == "c":
        raise InvalidInputError(
            "Complex data not supported. The sparse matrix holds complex numbers."
        )
    rows = matrix.tocsr()
    if not rows.has_canonical_format:  # entries of one place count together
        rows = rows.copy()
        rows.sum_duplicates()
    numbers = plain_numbers(rows.data, "The sparse matrix")
    if numbers is not rows.data:
        rows = type(rows)((numbers, rows.indices, rows.indptr), shape=rows.shape)
    return [SparseBlock(rows, zero_as_missing)]
