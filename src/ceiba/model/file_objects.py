"""Read and write the bytes of model files, by path or through open files.

Files are untrusted input: the first 8 bytes give the length of the header, the header gives the
length of the rest, and no more than that is read. So a named pipe, a device or an endless stream
raises an error instead of blocking or exhausting memory. Files of other libraries, recognized by
their first bytes, are read to their end, up to a limit. Writing checks how many bytes an open file
accepted.
"""

from __future__ import annotations

import io
import json
import os
import stat
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from ceiba.errors import LoadError, ModelFileError, SaveError
from ceiba.model.checksum import ADVICE, LENGTH_BYTES, description_of
from ceiba.storage.atomic_write import check_path, shown, write_file

__all__ = ["FIRST_BYTES", "is_own_file", "name_of", "read_file", "read_model", "write_model"]

#: Longest header that the safetensors format allows.
_MAX_HEADER_BYTES = 100_000_000
#: Bytes per read, so that a header with a wrong length does not allocate memory.
_CHUNK_BYTES = 2**24
#: Longest file of another library: its text needs some ten times its size in memory.
_MOST_FOREIGN_BYTES = 2**30
#: Bytes by which files are recognized. A header of ceiba is longer.
FIRST_BYTES = 64
_NON_BLOCKING = (
    "it is in non-blocking mode. Call os.set_blocking(file.fileno(), True) first, or use "
)

Foreign = Callable[[bytes], bool]


# ---- writing -----------------------------------------------------------------------------------


def write_model(target: str | os.PathLike[str] | BinaryIO, data: bytes) -> None:
    """Write the bytes of a model to a path, or to an open file at its current position."""
    if not callable(getattr(target, "write", None)):
        write_file(cast(Any, target), data)
        return
    file = cast(Any, target)
    try:
        _write_all(file, data)
        flush = getattr(file, "flush", None)
        if callable(flush):
            flush()  # report a full disk here, not when the caller closes the file
    except TypeError:
        raise SaveError(
            f"A model must be saved to a binary file. Got {_name(file)} in text mode. Open it "
            "with open(path, 'wb')."
        ) from None
    except BlockingIOError as error:
        advice = f"{_NON_BLOCKING}io.BytesIO and send its bytes."
        raise SaveError(f"{_name(file)} did not accept the whole model: {advice}") from error
    except SaveError:
        raise
    except (OSError, ValueError) as error:  # full disk; closed file
        raise SaveError(f"{_name(file)} cannot be written: {error}") from error


def _write_all(file: Any, data: bytes) -> None:
    """Call ``write`` until the file has accepted every byte; unbuffered files accept a part."""
    rest: bytes | memoryview = data
    while rest:
        written = file.write(rest)
        if written is None and isinstance(file, io.RawIOBase):
            raise BlockingIOError  # an unbuffered file in non-blocking mode
        if not isinstance(written, int):
            return  # not the interface of `io`: accepts everything or raises
        if written <= 0:
            raise SaveError(
                f"{_name(file)} did not accept the whole model: {len(data) - len(rest):,} of "
                f"{len(data):,} bytes were written. Use another file."
            )
        rest = memoryview(rest)[written:]


# ---- reading -----------------------------------------------------------------------------------


def read_model(
    source: str | os.PathLike[str] | BinaryIO, is_foreign: Foreign | None = None
) -> bytes:
    """Return the bytes of a model at a path, or of an open file from its current position.

    If ``is_foreign`` says so of the first bytes, the file is read to its end: files of other
    libraries do not begin with their length.
    """
    if not callable(getattr(source, "read", None)):
        return read_file(cast(Any, source), is_foreign)
    try:
        return _read_all(source, _name(source), is_foreign)
    except (LoadError, ModelFileError):
        raise
    except MemoryError as error:
        raise LoadError(f"{_name(source)} is larger than the available memory.") from error
    except (OSError, ValueError) as error:  # ValueError: undecodable text
        raise LoadError(f"{_name(source)} cannot be read: {error}") from error


def read_file(path: str | os.PathLike[str], is_foreign: Foreign | None = None) -> bytes:
    """Return the bytes of the model file at a path."""
    check_path(path)
    try:
        with open(path, "rb", opener=_open_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise LoadError(
                    f"A model must be loaded from a regular file. Got {shown(path)}. To load it "
                    "from a pipe, open the pipe and give the open file."
                )
            return _read_all(file, shown(path), is_foreign)
    except FileNotFoundError as error:
        raise LoadError(f"There is no model file {shown(path)}. Check the path.") from error
    except IsADirectoryError as error:
        raise LoadError(f"{shown(path)} is a folder. Give the model file in it.") from error
    except MemoryError as error:
        raise LoadError(f"{shown(path)} is larger than the available memory.") from error
    except (LoadError, ModelFileError):
        raise
    except (OSError, ValueError) as error:
        raise LoadError(f"{shown(path)} cannot be read: {error}.") from error


def _open_without_waiting(path: str, flags: int) -> int:
    """Open a path for reading, without blocking on a named pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def name_of(source: Any) -> str:
    """Return how messages call a path or an open file."""
    return _name(source) if callable(getattr(source, "read", None)) else shown(source)


def is_own_file(start: bytes) -> bool:
    """Whether a file begins like one of ceiba: the length of a header, and the header."""
    length = int.from_bytes(start[:LENGTH_BYTES], "little")
    return length <= _MAX_HEADER_BYTES and start[LENGTH_BYTES : LENGTH_BYTES + 1] == b"{"


def _read_all(file: Any, name: str, is_foreign: Foreign | None) -> bytes:
    """Read the bytes that the header declares; raise if the file has fewer or more."""
    start = _read_exactly(file, LENGTH_BYTES, name)
    length = int.from_bytes(start, "little")
    begin = b""
    if is_foreign is not None:
        begin = _read_some(file, FIRST_BYTES - LENGTH_BYTES, name)
        if not is_own_file(start + begin) and is_foreign(start + begin):
            return _read_to_end(file, name, start + begin)
    if length > _MAX_HEADER_BYTES:
        raise ModelFileError(f"{name} is not a model file of ceiba. {ADVICE}")
    rest = _read_exactly(file, max(0, length - len(begin)), name, read=LENGTH_BYTES + len(begin))
    header, begin = (begin + rest)[:length], begin[length:]
    description_of(header)
    if begin:  # shorter than any description
        raise ModelFileError(f"{name} is not a model file of ceiba. {ADVICE}")
    arrays = _read_exactly(file, _arrays_length(header), name, read=LENGTH_BYTES + length)
    if file.read(1):
        raise ModelFileError(
            f"{name} is damaged: it has bytes after the end of the model. {ADVICE}"
        )
    return b"".join((start, header, arrays))


def _arrays_length(header: bytes) -> int:
    """Return the bytes after the header: where the last array ends."""
    try:
        entries = json.loads(header)
        ends = [entry["data_offsets"][1] for key, entry in entries.items() if key != "__metadata__"]
        longest = max(ends, default=0)
        if type(longest) is not int or longest < 0:
            raise ValueError("its arrays end nowhere")
    except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise ModelFileError(f"The model file is damaged: its header. {ADVICE}") from error
    return longest


def _read_to_end(file: Any, name: str, start: bytes) -> bytes:
    """Read a file that does not begin with its length."""
    parts, n_bytes = [start], len(start)
    while part := _read_some(file, _CHUNK_BYTES, name):
        parts.append(part)
        n_bytes += len(part)
        if n_bytes > _MOST_FOREIGN_BYTES:
            raise LoadError(
                f"A model file of another library must have at most {_MOST_FOREIGN_BYTES:,} bytes. "
                f"{name} has more."
            )
    return b"".join(parts)


def _read_some(file: Any, n_bytes: int, name: str) -> bytes:
    """Read ``n_bytes``, or fewer at the end of the file."""
    parts, missing = [], n_bytes
    while missing:
        part = _read_part(file, missing, name)
        if not part:
            break
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def _read_exactly(file: Any, n_bytes: int, name: str, *, read: int = 0) -> bytes:
    """Read ``n_bytes``, after ``read`` earlier bytes."""
    data = _read_some(file, n_bytes, name)
    if len(data) < n_bytes:
        raise ModelFileError(
            f"{name} is not a model file, or it is truncated: it has "
            f"{read + len(data)} bytes. {ADVICE}"
        )
    return data


def _read_part(file: Any, n_bytes: int, name: str) -> bytes:
    """Read at most ``n_bytes``, nothing at the end of the file."""
    part = file.read(min(n_bytes, _CHUNK_BYTES))
    if part is None:
        raise LoadError(f"{name} has no bytes yet: {_NON_BLOCKING}another file.")
    if not isinstance(part, bytes | bytearray | memoryview):
        raise LoadError(
            f"A model must be loaded from a binary file. Got {name} in text mode. Open it "
            "with open(path, 'rb')."
        )
    return bytes(part)


def _name(file: Any) -> str:
    name = getattr(file, "name", None)
    return f"the file {name!r}" if isinstance(name, str) else f"the {type(file).__name__}"
