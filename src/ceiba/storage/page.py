"""Pages: arrays of bytes that are compressed and carry a checksum.

The life of a page:

1. :func:`pack` compresses bytes with LZ4 if the package is installed. A page that does not shrink
   is stored as it is.
2. :class:`Page` describes the stored bytes: where they begin, how many they are, their checksum.
3. :func:`unpack` checks them and returns the original bytes.
"""

from __future__ import annotations

import zlib
from typing import Any, NamedTuple

from ceiba.errors import CeibaError, MissingDependencyError

__all__ = ["DamagedPageError", "Page", "compressor", "pack", "unpack"]

#: A page must shrink at least to this share, or decompression costs more than it saves.
_WORTHWHILE = 0.9
#: Bytes that are packed first, to see whether the page shrinks: 1 % of the time of writing it.
_PROBE_BYTES = 2**12
#: Largest ratio of LZ4: a longer run of equal bytes needs one byte for 255 of them.
_LARGEST_RATIO = 255


class DamagedPageError(CeibaError, OSError):
    """The bytes of a page are not those that were written."""


class Page(NamedTuple):
    """Where the bytes of a page are, and what they must be."""

    offset: int
    #: Stored bytes, and bytes of the array. Equal if the page is not compressed.
    n_stored: int
    n_bytes: int
    checksum: int

    @property
    def is_compressed(self) -> bool:
        """Whether the page is compressed."""
        return self.n_stored < self.n_bytes


def compressor() -> Any:
    """Return the module ``lz4.block``, or None if it is not installed."""
    try:
        import lz4.block
    except ImportError:
        return None
    return lz4.block


def pack(data: memoryview, offset: int = 0) -> tuple[Page, bytes | memoryview]:
    """Return the description of a page and the bytes to store at ``offset``."""
    stored: bytes | memoryview = data
    lz4 = compressor()
    if lz4 is not None and _shrinks(data, lz4):
        packed = lz4.compress(data, store_size=False)
        if len(packed) <= _WORTHWHILE * len(data):
            stored = packed
    return Page(offset, len(stored), len(data), zlib.crc32(stored)), stored


def _shrinks(data: memoryview, lz4: Any) -> bool:
    """Whether a part from the middle of the page shrinks; short pages are packed as a whole."""
    if len(data) < 4 * _PROBE_BYTES:
        return True
    begin = len(data) // 2
    part = data[begin : begin + _PROBE_BYTES]
    return len(lz4.compress(part, store_size=False)) <= _WORTHWHILE * len(part)


def unpack(page: Page, stored: bytes) -> bytes:
    """Return the bytes of a page. Raise ``DamagedPageError`` if the stored bytes are wrong."""
    if len(stored) != page.n_stored or zlib.crc32(stored) != page.checksum:
        raise DamagedPageError("its content does not match its checksum")
    if not page.is_compressed:
        return stored
    lz4 = compressor()
    if lz4 is None:
        raise MissingDependencyError(
            "The file is compressed, and reading it needs lz4. Install it with: pip install "
            "'ceiba[stream]'"
        )
    if page.n_bytes > _LARGEST_RATIO * page.n_stored:
        raise DamagedPageError("it cannot be as long as it says")
    try:
        data: bytes = lz4.decompress(stored, uncompressed_size=page.n_bytes)
    except Exception as error:  # LZ4BlockError
        raise DamagedPageError("it cannot be decompressed") from error
    if len(data) != page.n_bytes:
        raise DamagedPageError("it has another length")
    return data
