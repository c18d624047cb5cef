"""Rows of Parquet, Arrow and CSV files.

Several files are one table: they are read in the order given, those of a pattern in the order of
their names. All must have the same columns. A file that changes or disappears while a source is in
use raises an error.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ceiba.data.sources.source import Source, missing_package
from ceiba.errors import InvalidInputError
from ceiba.messages import listed

__all__ = ["FileSource"]

#: Rows that are decoded at once.
_BATCH_ROWS = 2**16


class _State(NamedTuple):
    """What changes when a file is written again."""

    size: int
    time: int
    inode: int


class FileSource(Source):
    """One or several files with the same columns."""

    def __init__(self, paths: Sequence[str | os.PathLike[str]]) -> None:
        self.paths = [path for given in paths for path in _matching(os.fspath(given))]
        endings = {_ending(path) for path in self.paths}
        if len(endings) > 1:
            raise InvalidInputError(
                f"All files of a source must have one format. Got {listed(sorted(endings))}."
            )
        self._read = _READERS[endings.pop()]
        self._states = {path: _state(path) for path in self.paths}

    def frames(self) -> Iterator[Any]:
        self._check()
        for path in self.paths:
            with _naming(path):
                yield from self._read(path, self)
            self._check(path)

    def _check(self, *paths: str) -> None:
        """Raise if a file has changed since the source was opened."""
        for path in paths or self.paths:
            if _state(path) != self._states[path]:
                raise InvalidInputError(
                    f"The file {path!r} changed while it was in use. Do not write to the files of "
                    "a source, and start again."
                )

    def __str__(self) -> str:
        rest = f" and {len(self.paths) - 1} more" if len(self.paths) > 1 else ""
        return f"The file {self.paths[0]!r}{rest}"

    #: Types of the columns of CSV files, found in the first pass.
    csv_types: dict[str, Any] | None = None


def _matching(path: str) -> list[str]:
    """Return the files of a path or pattern."""
    if Path(path).is_file():
        found = [path]
    elif Path(path).is_dir():
        raise InvalidInputError(
            f"{path!r} is a folder. Pass a pattern for its files, for example "
            f"{os.path.join(path, '*.parquet')!r}."  # noqa: PTH118
        )
    else:
        found = sorted(name for name in glob.glob(path, recursive=True) if Path(name).is_file())  # noqa: PTH207
    if not found:
        raise InvalidInputError(f"There is no file {path!r}. Check the path.")
    return found


def _ending(path: str) -> str:
    name = path.lower().removesuffix(".gz") if path.lower().endswith(".csv.gz") else path.lower()
    ending = Path(name).suffix
    if ending not in _READERS:
        raise InvalidInputError(
            f"The name of a file must end with {listed(sorted(_READERS), show=str)}. Got {path!r}."
        )
    return ending


def _state(path: str) -> _State:
    try:
        found = os.stat(path)  # noqa: PTH116
    except OSError as error:
        raise InvalidInputError(
            f"The file {path!r} cannot be read: {error.strerror}. Files of a source must stay in "
            "place while it is in use."
        ) from error
    return _State(found.st_size, found.st_mtime_ns, found.st_ino)


@contextmanager
def _naming(path: str) -> Iterator[None]:
    """Name the file in errors of the libraries that read it."""
    try:
        yield
    except ImportError as error:
        raise missing_package(error.name or "a package", "files", "Reading files") from error
    except Exception as error:
        kinds = {kind.__module__.split(".")[0] for kind in type(error).__mro__}
        if isinstance(error, OSError) or kinds & {"pyarrow", "duckdb", "_duckdb"}:
            raise InvalidInputError(f"The file {path!r} cannot be read: {error}") from error
        raise


def _read_parquet(path: str, _: FileSource) -> Iterator[Any]:
    import pyarrow.parquet

    # Without a buffer of whole row groups.
    with pyarrow.parquet.ParquetFile(path, pre_buffer=False, memory_map=False) as file:
        yield from file.iter_batches(batch_size=_BATCH_ROWS)


def _read_arrow(path: str, _: FileSource) -> Iterator[Any]:
    import pyarrow as pa

    with pa.OSFile(path) as file:
        if file.read(6) == b"ARROW1":
            reader = pa.ipc.open_file(file)
            for number in range(reader.num_record_batches):
                yield reader.get_batch(number)
        else:
            file.seek(0)
            yield from pa.ipc.open_stream(file)


def _read_csv(path: str, source: FileSource) -> Iterator[Any]:
    """Read text with DuckDB, which finds types from all rows."""
    import duckdb

    connection = duckdb.connect()
    try:
        if source.csv_types is None:
            every: Any = list(source.paths)
            found = connection.read_csv(every, sample_size=-1)
            source.csv_types = dict(zip(found.columns, found.types, strict=True))
        rows = connection.read_csv(path, columns=None, dtype=source.csv_types, sample_size=-1)
        yield from rows.to_arrow_reader(_BATCH_ROWS)
    finally:
        connection.close()


_READERS: dict[str, Callable[[str, FileSource], Iterator[Any]]] = {
    ".parquet": _read_parquet,
    ".pq": _read_parquet,
    ".arrow": _read_arrow,
    ".feather": _read_arrow,
    ".ipc": _read_arrow,
    ".csv": _read_csv,
    ".tsv": _read_csv,
}
