"""`Source`: a table that is read block by block, in several passes.

The life of a source:

1. ``open_source`` (``opening.py``) makes one from what the user gave: files, a query or a function.
2. :meth:`Source.frames` starts a pass: it yields all rows in order, in frames of any size.
3. :meth:`Source.pieces` cuts them into pieces of bounded size.

Every pass must yield the same rows in the same order. Files are checked between passes;
:class:`PassCheck` compares what was read.
"""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ceiba.data.block import SparseColumn
from ceiba.data.table import Table
from ceiba.errors import InvalidInputError, MissingDependencyError

__all__ = ["PassCheck", "Source", "missing_package"]

#: Rows of a piece, and the most values in one: 32 MB as float64.
_PIECE_ROWS, _PIECE_VALUES = 2**16, 2**22
#: Rows at both ends of a block that a checksum covers.
_CHECKED_ROWS = 512


class Source(ABC):
    """Rows that can be read several times, block by block."""

    @abstractmethod
    def frames(self) -> Iterator[Any]:
        """Start a pass over all rows.

        A frame is a table that ``Dataset`` reads, or for functions a tuple of (data, target),
        (data, target, weight) or (data, target, weight, qid).
        """

    @abstractmethod
    def __str__(self) -> str:
        """Return the description for error messages."""

    def pieces(self) -> Iterator[Any]:
        """Start a pass over all rows, in pieces of bounded size."""
        for frame in self.frames():
            data = frame[0] if isinstance(frame, tuple) else frame
            shape = _shape(data)
            if shape is None:
                yield frame
                continue
            n_rows, n_columns = shape
            at_once = max(1, min(_PIECE_ROWS, _PIECE_VALUES // max(1, n_columns)))
            if n_rows <= at_once:
                yield frame
                continue
            for begin in range(0, n_rows, at_once):
                end = min(n_rows, begin + at_once)
                if isinstance(frame, tuple):
                    yield tuple(part if part is None else _rows(part, begin, end) for part in frame)
                else:
                    yield _rows(frame, begin, end)


def missing_package(name: str, extra: str, what: str) -> MissingDependencyError:
    """Return the error for an optional package that is not installed."""
    return MissingDependencyError(
        f"{what} needs {name}. Install it with: pip install 'ceiba[{extra}]'"
    )


def _shape(data: Any) -> tuple[int, int] | None:
    shape = getattr(data, "shape", None)
    if shape is None and hasattr(data, "num_rows"):  # a batch or table of arrow
        return int(data.num_rows), int(data.num_columns)
    if shape is None or len(shape) != 2:
        return None
    return int(shape[0]), int(shape[1])


def _rows(part: Any, begin: int, end: int) -> Any:
    """Return some rows of a table or vector, without a copy where possible."""
    if hasattr(part, "iloc"):
        return part.iloc[begin:end]
    if hasattr(part, "num_rows") or type(part).__name__ == "ChunkedArray":  # arrow
        return part.slice(begin, end - begin)
    if hasattr(part, "tocsr"):
        return part.tocsr()[begin:end]
    return part[begin:end]


class PassCheck:
    """Compares the blocks of later passes with those of the first one."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._known: list[tuple[int, int]] = []
        self._n_passes = 0

    def see(self, index: int, table: Table) -> None:
        """Note a block as it was read. Raise if it differs from that of the first pass."""
        seen = _seen(table)
        if self._n_passes == 0:
            self._known.append(seen)
        elif index >= len(self._known) or self._known[index] != seen:
            raise self._changed(f"in block {index}")

    def end(self, n_blocks: int) -> None:
        """End a pass. Raise if it had fewer blocks than the first one."""
        if n_blocks != len(self._known):
            raise self._changed(f"after {n_blocks} blocks, where it ended")
        self._n_passes += 1

    def _changed(self, where: str) -> InvalidInputError:
        return InvalidInputError(
            f"{self._source} must have the same rows in the same order whenever it is read. They "
            f"differ from the first pass {where}. Do not change it while it is read; sort a query "
            "by columns that identify each row."
        )


def _seen(table: Table) -> tuple[int, int]:
    """Return the number of rows and a checksum of the rows at both ends of each column."""
    checksum = 0
    for chunks in table.columns:
        for chunk in chunks:
            values = chunk.values if isinstance(chunk, SparseColumn) else chunk
            for part in _ends(values):
                checksum = zlib.crc32(np.ascontiguousarray(part).tobytes(), checksum)
    return table.n_rows, checksum


def _ends(values: Any) -> Sequence[Any]:
    return values[:_CHECKED_ROWS], values[_CHECKED_ROWS:][-_CHECKED_ROWS:]
