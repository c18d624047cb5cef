r"""Files of datasets in bins.

The layout::

    8 bytes   b"ceibads\\0"
    pages     codes by column in blocks of rows, then edges, target, weights, ...
    index     JSON: schema, settings, and the pages of each column and array
    48 bytes  length of the index (8 bytes), its SHA-256 (32 bytes), b"ceibads\\0"

The index has the checksum of every page (``storage/page.py``). Files are untrusted input: lengths
are checked before memory is allocated, and the core checks edges and codes. A reader supports its
own format version and older ones.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ceiba import __version__, _core
from ceiba.data.bin_cache import BinSettings
from ceiba.data.missing_values import Reading
from ceiba.data.queries import Queries
from ceiba.data.schema import Schema
from ceiba.errors import CeibaError, DatasetFileError, LoadError, MissingDependencyError
from ceiba.storage.atomic_write import check_path, replace_file, shown, write_whole
from ceiba.storage.page import Page, pack, unpack

__all__ = ["StoredDataset", "read_dataset", "write_dataset"]

FORMAT_VERSION = 1
_MAGIC = b"ceibads\0"
_END_BYTES = 8 + 32 + len(_MAGIC)
#: Codes of a page.
_PAGE_ROWS = 2**18
#: An index has about 100 bytes per page. Longer ones are not read.
_MOST_INDEX_BYTES = 2**31
_ADVICE = "Load another copy, or make the dataset again."

Floats = NDArray[np.float64]


class StoredDataset(NamedTuple):
    """What belongs to the rows of a dataset besides their codes."""

    target: Floats | None
    weight: Floats | None
    init_score: Floats | None
    queries: Queries | None
    #: Numbers of the rows among those given, if some had weight 0; and how many were given.
    row_numbers: NDArray[np.int64] | None
    n_given: int


# ---- writing -----------------------------------------------------------------------------------


def write_dataset(
    path: str | os.PathLike[str],
    schema: Schema,
    settings: BinSettings,
    mapper: _core.BinMapper,
    binned: _core.BinnedMatrix,
    rows: StoredDataset,
) -> None:
    """Write a dataset file, atomically."""

    def write(descriptor: int) -> None:
        writer = _Writer(descriptor)
        numbers = None if rows.queries is None else rows.queries.numbers
        index = {
            "format_version": FORMAT_VERSION,
            "ceiba_version": __version__,
            "schema": schema.to_dict(),
            "reading": schema.reading.as_parameters(),
            "unseen": schema.unseen,
            "max_bins": settings.max_bins,
            "min_data_in_bin": settings.min_data_in_bin,
            "n_rows": binned.n_rows,
            "n_given": rows.n_given,
            "columns": [writer.column(mapper, binned, j) for j in range(binned.n_features)],
            "target": writer.array(rows.target),
            "weight": writer.array(rows.weight),
            "init_score": writer.array(rows.init_score),
            "queries": writer.array(numbers),
            "row_numbers": writer.array(rows.row_numbers),
        }
        text = json.dumps(index, separators=(",", ":")).encode()
        digest = hashlib.sha256(text).digest()
        writer.write(text + len(text).to_bytes(8, "little") + digest + _MAGIC)

    replace_file(path, write, "dataset")


class _Writer:
    """Writes pages one after the other."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._offset = 0
        self.write(_MAGIC)

    def write(self, data: bytes | memoryview) -> None:
        write_whole(self._descriptor, data)  # type: ignore[arg-type]
        self._offset += len(data)

    def page(self, array: NDArray[Any]) -> Page:
        data = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
        page, stored = pack(data, self._offset)
        self.write(stored)
        return page

    def array(self, array: NDArray[Any] | None) -> dict[str, Any] | None:
        if array is None:
            return None
        rows = max(1, _PAGE_ROWS * len(array) // max(array.size, 1))
        parts = [array[begin : begin + rows] for begin in range(0, len(array), rows)]
        pages = [self.page(part) for part in parts]
        return {"dtype": array.dtype.name, "shape": array.shape, "pages": pages}

    def column(self, mapper: _core.BinMapper, binned: _core.BinnedMatrix, j: int) -> dict[str, Any]:
        dtype = _code_type(mapper, j)
        pages = [
            self.page(binned.column(j, begin, n).astype(dtype))
            for begin, n in _parts(binned.n_rows)
        ]
        return {
            "edges": self.array(mapper.edges(j)),
            "has_missing": mapper.has_missing(j),
            "usual": binned.usual_code(j),
            "pages": pages,
        }


def _parts(n_rows: int) -> Iterator[tuple[int, int]]:
    """Yield the first row and the number of rows of each page of codes."""
    for begin in range(0, n_rows, _PAGE_ROWS):
        yield begin, min(_PAGE_ROWS, n_rows - begin)


def _code_type(mapper: _core.BinMapper, column: int) -> type[np.unsignedinteger[Any]]:
    # Without missing values in training, the code of a missing one follows the bins.
    n_codes = mapper.n_bins(column) + (not mapper.has_missing(column))
    return np.uint8 if n_codes <= 256 else np.uint16


# ---- reading -----------------------------------------------------------------------------------

Read = tuple[Schema, BinSettings, _core.BinMapper, _core.BinnedMatrix, StoredDataset]


def read_dataset(path: str | os.PathLike[str], n_threads: int) -> Read:
    """Read a dataset file. Raise ``DatasetFileError`` if it is damaged."""
    check_path(path)
    name = shown(path)
    try:
        with open(path, "rb", opener=_open_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise LoadError(f"A dataset must be loaded from a regular file. Got {name}.")
            return _read(file.fileno(), name, n_threads)
    except FileNotFoundError as error:
        raise LoadError(f"There is no dataset file {name}. Check the path.") from error
    except MemoryError as error:
        raise LoadError(f"{name} is larger than the available memory.") from error
    except (LoadError, DatasetFileError, MissingDependencyError):
        raise
    except CeibaError as error:  # of the core or a page
        raise DatasetFileError(f"The dataset file {name} is damaged: {error} {_ADVICE}") from error
    except OSError as error:
        raise LoadError(f"{name} cannot be read: {error}.") from error
    except (KeyError, IndexError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise DatasetFileError(
            f"The dataset file {name} is damaged: its index is wrong. {_ADVICE}"
        ) from error


def _open_without_waiting(path: str, flags: int) -> int:
    """Open a path for reading, without blocking on a named pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _read(descriptor: int, name: str, n_threads: int) -> Read:
    size = os.fstat(descriptor).st_size
    reader = _Reader(descriptor, size)
    index = _index(reader, size, name)
    version = index["format_version"]
    if type(version) is not int or not 1 <= version <= FORMAT_VERSION:
        raise DatasetFileError(
            f"The dataset file {name} must have a format from 1 to {FORMAT_VERSION}. Got "
            f"{version!r}. Load it with ceiba {index.get('ceiba_version')} or newer."
        )
    schema = _schema(index)
    n_rows = _count(index["n_rows"])
    settings = BinSettings(_count(index["max_bins"]), _count(index["min_data_in_bin"]))
    columns = index["columns"]
    if len(columns) != schema.n_features or n_rows == 0:
        raise ValueError("columns")
    n_levels = schema.n_levels or [0] * schema.n_features
    edges = [reader.array(column["edges"], "float64", None).tolist() for column in columns]
    mapper = _core.BinMapper(edges, [bool(own["has_missing"]) for own in columns], n_levels)
    for j, column in enumerate(columns):
        reader.check_pages(column["pages"], n_rows * np.dtype(_code_type(mapper, j)).itemsize)
    usual = [int(column["usual"]) for column in columns]
    made = _core.BinnedBlocks(mapper, n_rows, usual)
    for j, column in enumerate(columns):
        dtype = _code_type(mapper, j)
        for page in column["pages"]:
            codes = np.frombuffer(reader.page(page), dtype=dtype)
            made.put(j, codes.astype(np.uint16))
    numbers = reader.optional(index["queries"], "int64", (n_rows,))
    rows = StoredDataset(
        reader.optional(index["target"], "float64", (n_rows,), wide=True),
        reader.optional(index["weight"], "float64", (n_rows,)),
        reader.optional(index["init_score"], "float64", (n_rows,), wide=True),
        None if numbers is None else Queries.of_numbers(numbers),
        reader.optional(index["row_numbers"], "int64", (n_rows,)),
        _count(index["n_given"]),
    )
    _check_rows(rows, n_rows)
    return schema, settings, mapper, made.finish(n_threads), rows


def _check_rows(rows: StoredDataset, n_rows: int) -> None:
    """Raise ValueError for values that no dataset has."""
    for values in (rows.target, rows.weight, rows.init_score):
        if values is not None and not np.isfinite(values).all():
            raise ValueError("not finite")
    if rows.weight is not None and not (rows.weight > 0).all():
        raise ValueError("weight")
    numbers = rows.row_numbers
    if numbers is None:
        if rows.n_given != n_rows:
            raise ValueError("n_given")
    elif numbers[0] < 0 or numbers[-1] >= rows.n_given or (np.diff(numbers) <= 0).any():
        raise ValueError("row_numbers")


def _index(reader: _Reader, size: int, name: str) -> dict[str, Any]:
    least = len(_MAGIC) + _END_BYTES
    if size < least or reader.bytes_at(0, len(_MAGIC)) != _MAGIC:
        raise DatasetFileError(f"{name} is not a dataset file of ceiba, or it is truncated.")
    end = reader.bytes_at(size - _END_BYTES, _END_BYTES)
    length = int.from_bytes(end[:8], "little")
    if end[-len(_MAGIC) :] != _MAGIC or length > min(size - least, _MOST_INDEX_BYTES):
        raise DatasetFileError(f"The dataset file {name} is truncated or damaged. {_ADVICE}")
    text = reader.bytes_at(size - _END_BYTES - length, length)
    if hashlib.sha256(text).digest() != end[8:40]:
        raise DatasetFileError(
            f"The dataset file {name} is damaged: its index does not match its checksum. {_ADVICE}"
        )
    index = json.loads(text)
    if not isinstance(index, dict):
        raise TypeError("index")
    return index


def _schema(index: Mapping[str, Any]) -> Schema:
    reading = index["reading"]
    unseen = index["unseen"]
    if unseen not in ("missing", "error") or not isinstance(index["schema"], dict):
        raise ValueError("schema")
    if not isinstance(reading, dict):
        raise TypeError("reading")
    missing = reading.get("missing")
    if missing is not None and type(missing) not in (int, float):
        raise TypeError("missing")
    return Schema.from_dict(index["schema"], Reading.of(reading), unseen)


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 2**31:
        raise ValueError("not a count")
    return value


class _Reader:
    """Reads pages with pread."""

    def __init__(self, descriptor: int, size: int) -> None:
        self._descriptor = descriptor
        self._size = size

    def bytes_at(self, offset: int, n_bytes: int) -> bytes:
        """Return bytes of the file, fewer if it ends before."""
        parts, read = [], 0
        while read < n_bytes:
            part = os.pread(self._descriptor, n_bytes - read, offset + read)
            if not part:
                break
            parts.append(part)
            read += len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def page(self, stored: Any) -> bytes:
        page = self._checked(stored)
        return unpack(page, self.bytes_at(page.offset, page.n_stored))

    def _checked(self, stored: Any) -> Page:
        if not isinstance(stored, list) or not all(type(number) is int for number in stored):
            raise TypeError("page")
        page = Page(*stored)
        if not 0 <= page.n_stored <= page.n_bytes or min(page) < 0:
            raise ValueError("page")
        if page.offset + page.n_stored > self._size:
            raise ValueError("page")
        return page

    def check_pages(self, pages: Any, n_bytes: int) -> None:
        """Raise ValueError unless pages have this many bytes and can be as long as they say."""
        checked = [self._checked(page) for page in pages]
        if sum(page.n_bytes for page in checked) != n_bytes:
            raise ValueError("pages")
        if any(page.n_bytes > 256 * page.n_stored for page in checked):
            raise ValueError("pages")

    def array(self, stored: Any, dtype: str, shape: tuple[int, ...] | None) -> NDArray[Any]:
        """Return an array of an expected type, and of an expected shape if given."""
        own = tuple(_count(length) for length in stored["shape"])
        if stored["dtype"] != dtype or len(own) not in (1, 2) or shape not in (None, own):
            raise ValueError("array")
        n_bytes = np.dtype(dtype).itemsize * int(np.prod(own, dtype=object))
        self.check_pages(stored["pages"], n_bytes)
        data = b"".join(self.page(page) for page in stored["pages"])
        return np.frombuffer(data, dtype=dtype).reshape(own)

    def optional(
        self, stored: Any, dtype: str, shape: tuple[int, ...], *, wide: bool = False
    ) -> Any:
        """Return an array or None. ``wide``: it may have several columns."""
        if stored is None:
            return None
        own = stored["shape"]
        if wide and len(own) == 2 and own[0] == shape[0]:
            shape = (shape[0], _count(own[1]))
        return self.array(stored, dtype, shape)
