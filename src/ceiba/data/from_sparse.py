"""Read sparse matrices of scipy into sparse blocks of rows."""

from __future__ import annotations

import sys
from typing import Any

from numpy.typing import NDArray

from ceiba.data.block import SparseBlock
from ceiba.data.plain_numbers import plain_numbers
from ceiba.errors import InvalidInputError

__all__ = ["is_sparse", "sparse_blocks"]


def is_sparse(data: Any) -> bool:
    """Whether ``data`` is a sparse matrix or array of scipy."""
    sparse = sys.modules.get("scipy.sparse")  # any sparse matrix has imported it
    return sparse is not None and bool(sparse.issparse(data))


def sparse_blocks(matrix: Any, *, zero_as_missing: bool = False) -> list[SparseBlock]:
    """Return the rows as one block. With ``zero_as_missing``, implicit entries are missing."""
    if matrix.ndim != 2:
        raise InvalidInputError(f"Expected 2D array, got a sparse array of shape {matrix.shape}.")
    if matrix.dtype.kind == "c":
        raise InvalidInputError(
            "Complex data not supported. The sparse matrix contains complex numbers."
        )
    _check_sound(matrix)
    rows = matrix.tocsr()
    if not rows.has_canonical_format:  # sum duplicate entries
        rows = rows.copy()
        rows.sum_duplicates()
    numbers = plain_numbers(rows.data, "The sparse matrix")
    if numbers is not rows.data:
        rows = type(rows)((numbers, rows.indices, rows.indptr), shape=rows.shape)
    return [SparseBlock(rows, zero_as_missing)]


def _check_sound(matrix: Any) -> None:
    """Raise for indices outside of the matrix: scipy would access memory out of bounds."""
    if matrix.format in ("csr", "csc"):
        n_lines, n_places = matrix.shape if matrix.format == "csr" else matrix.shape[::-1]
        ends = matrix.indptr
        sound = (
            len(ends) == n_lines + 1
            and ends[0] == 0
            and ends[-1] <= min(len(matrix.indices), len(matrix.data))
            and bool((ends[1:] >= ends[:-1]).all())
            and _are_below(matrix.indices[: ends[-1]], n_places)
        )
    elif matrix.format == "coo":
        sound = all(map(_are_below, (matrix.row, matrix.col), matrix.shape))
    else:
        return
    if not sound:
        raise InvalidInputError(
            "The sparse matrix is damaged: its indptr must increase from 0 to the number of "
            "entries, and its indices must be below the number of rows or columns. Rebuild it."
        )


def _are_below(places: NDArray[Any], end: int) -> bool:
    return not places.size or (int(places.min()) >= 0 and int(places.max()) < end)
