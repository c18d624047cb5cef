"""Blocks of rows in a page cache, so that a source is read only once."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np

from ceiba.storage.page_cache import CachedPage, PageCache, read_ahead

__all__ = ["CachedBlocks"]


class CachedBlocks:
    """Objects with arrays, in pages: one for each array, and one for everything else."""

    def __init__(self, cache: PageCache) -> None:
        self._cache = cache
        self._blocks: list[tuple[CachedPage, list[CachedPage]]] = []

    def add(self, block: Any) -> None:
        """Append a block."""
        arrays: list[pickle.PickleBuffer] = []
        rest = pickle.dumps(block, protocol=5, buffer_callback=arrays.append)
        pages = [self._cache.write(array.raw()) for array in arrays]
        self._blocks.append((self._cache.write(memoryview(rest)), pages))

    def read(self, n_threads: int) -> Iterator[Any]:
        """Yield all blocks in order. Threads read the next ones."""
        return read_ahead(self._read, self._blocks, n_threads)

    def _read(self, block: tuple[CachedPage, list[CachedPage]]) -> Any:
        rest, pages = block
        # The file has no name and its pages have checksums: nobody else can have written it.
        arrays = [np.frombuffer(self._cache.read(page), dtype=np.uint8) for page in pages]
        return pickle.loads(self._cache.read(rest), buffers=arrays)
