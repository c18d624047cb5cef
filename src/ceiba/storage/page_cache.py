"""`PageCache`: pages on disk that nothing outlives.

The life of a cache:

1. It opens one temporary file in each folder. The files have no name: the system removes them when
   the process ends, however it ends, so nothing is left behind.
2. :meth:`PageCache.write` packs bytes (``page.py``) and appends them to the files in turn. A folder
   that is full is skipped as long as another one has room.
3. :meth:`PageCache.read` reads and checks a page; any number of threads may call it.
   :func:`read_ahead` reads the next pages in threads while the caller works on the current one.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

from ceiba.errors import CacheError
from ceiba.storage.page import DamagedPageError, Page, pack, unpack

__all__ = ["CachedPage", "PageCache", "read_ahead"]

Given = TypeVar("Given")
Result = TypeVar("Result")

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class CachedPage(NamedTuple):
    """A page and the number of the file that holds it."""

    file: int
    page: Page


class PageCache:
    """Compressed pages with checksums in temporary files."""

    def __init__(self, folders: Sequence[str | os.PathLike[str]]) -> None:
        self.folders = [os.fspath(folder) for folder in folders]
        self._ends = [0] * len(self.folders)
        self._full: set[int] = set()
        self._next = 0
        self._files: list[Any] = []
        try:
            for folder in self.folders:
                self._files.append(_open(folder))
        except BaseException:
            self.close()
            raise

    @property
    def n_bytes(self) -> int:
        """Return the bytes on disk."""
        return sum(self._ends)

    def write(self, data: memoryview) -> CachedPage:
        """Append a page to one of the files."""
        page, stored = pack(data)
        for _ in self.folders:
            file = self._next
            self._next = (self._next + 1) % len(self.folders)
            if file in self._full:
                continue
            offset = self._ends[file]
            try:
                write_at(self._files[file].fileno(), stored, offset)
            except OSError as error:
                if error.errno not in _FULL:
                    raise self._error(file, f"cannot be written: {error.strerror}") from error
                self._full.add(file)
                continue
            self._ends[file] += len(stored)
            return CachedPage(file, page._replace(offset=offset))
        names = ", ".join(map(repr, self.folders))
        raise CacheError(
            f"The cache is full: {names} took {self.n_bytes / 2**20:,.0f} MB. Free some space, or "
            "name another folder in cache_dirs."
        )

    def read(self, cached: CachedPage) -> bytes:
        """Return the bytes of a page."""
        file, page = cached
        try:
            return unpack(page, read_at(self._files[file].fileno(), page.n_stored, page.offset))
        except DamagedPageError as error:
            raise self._error(file, f"returned a damaged page: {error}") from error
        except OSError as error:
            raise self._error(file, f"cannot be read: {error.strerror}") from error

    def _error(self, file: int, what: str) -> CacheError:
        return CacheError(
            f"The cache in {self.folders[file]!r} {what}. Check the disk, or name another folder "
            "in cache_dirs."
        )

    def close(self) -> None:
        """Remove the files."""
        for file in self._files:
            file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.close()


def _open(folder: str) -> Any:
    try:
        return tempfile.TemporaryFile(prefix="ceiba-cache-", dir=folder, buffering=0)
    except OSError as error:
        raise CacheError(
            f"The cache folder {folder!r} cannot be used: {error.strerror}. Name a folder in "
            "cache_dirs that exists and can be written."
        ) from error


def write_at(descriptor: int, data: bytes | memoryview, offset: int) -> None:
    """Write all bytes at an offset."""
    rest = memoryview(data)
    while rest:
        n_written = os.pwrite(descriptor, rest, offset)
        rest, offset = rest[n_written:], offset + n_written


def read_at(descriptor: int, n_bytes: int, offset: int) -> bytes:
    """Return the bytes at an offset, fewer if the file ends before."""
    parts, n_read = [], 0
    while n_read < n_bytes:
        part = os.pread(descriptor, n_bytes - n_read, offset + n_read)
        if not part:
            break
        parts.append(part)
        n_read += len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def read_ahead(
    read: Callable[[Given], Result], items: Iterable[Given], n_threads: int, n_ahead: int = 2
) -> Iterator[Result]:
    """Yield ``read(item)`` for each item in order, reading up to ``n_ahead`` items in advance."""
    with ThreadPoolExecutor(max(1, n_threads), "ceiba-read-ahead") as pool:
        waiting: deque[Future[Result]] = deque()
        try:
            for item in items:
                waiting.append(pool.submit(read, item))
                if len(waiting) > n_ahead:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
