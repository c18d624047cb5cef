"""Read and write the bytes of model files, by path or through open files.

Files are untrusted input: the first 8 bytes give the length of the header, the header gives the
length of the rest, and no more than that is read. So a named pipe, a device or an endless stream
raises an error instead of blocking or exhausting memory. Writing checks how many bytes an open file
accepted.
"""

from __future__ import annotations

import io
import json
import os
import stat
from typing import Any, BinaryIO, cast

from ceiba.errors import LoadError, ModelFileError, SaveError
from ceiba.model.checksum import ADVICE, LENGTH_BYTES, description_of
from ceiba.storage.atomic_write import check_path, shown, write_file

__all__ = ["read_file", "read_model", "write_model"]

#: Longest header that the safetensors format allows.
_MAX_HEADER_BYTES = 100_000_000
#: Bytes per read, so that a header with a wrong length does not allocate memory.
_CHUNK_BYTES = 2**24
_NON_BLOCKING = (
    "it is in non-blocking mode. Call os.set_blocking(file.fileno(), True) first, or use "
)


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


def read_model(source: str | os.PathLike[str] | BinaryIO) -> bytes:
    """Return the bytes of a model at a path, or of an open file from its current position."""
    if not callable(getattr(source, "read", None)):
        return read_file(cast(Any, source))
    try:
        return _read_all(source, _name(source))
    except (LoadError, ModelFileError):
        raise
    except MemoryError as error:
        raise LoadError(f"{_name(source)} is larger than the available memory.") from error
    except (OSError, ValueError) as error:  # ValueError: undecodable text
        raise LoadError(f"{_name(source)} cannot be read: {error}") from error


def read_file(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of the model file at a path."""
    check_path(path)
    try:
        with open(path, "rb", opener=_open_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise LoadError(
                    f"A model must be loaded from a regular file. Got {shown(path)}. To load it "
                    "from a pipe, open the pipe and give the open file."
                )
            return _read_all(file, shown(path))
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


def _read_all(file: Any, name: str) -> bytes:
    """Read the bytes that the header declares; raise if the file has fewer or more."""
    start = _read_exactly(file, LENGTH_BYTES, name)
    length = int.from_bytes(start, "little")
    if length > _MAX_HEADER_BYTES:
        raise ModelFileError(f"{name} is not a model file of ceiba. {ADVICE}")
    header = _read_exactly(file, length, name, read=LENGTH_BYTES)
    description_of(header)
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


def _read_exactly(file: Any, n_bytes: int, name: str, *, read: int = 0) -> bytes:
    """Read ``n_bytes``, after ``read`` earlier bytes."""
    parts, missing = [], n_bytes
    while missing:
        part = file.read(min(missing, _CHUNK_BYTES))
        if part is None:
            raise LoadError(f"{name} has no bytes yet: {_NON_BLOCKING}another file.")
        if not isinstance(part, bytes | bytearray | memoryview):
            raise LoadError(
                f"A model must be loaded from a binary file. Got {name} in text mode. Open it "
                "with open(path, 'rb')."
            )
        if not part:
            raise ModelFileError(
                f"{name} is not a model file, or it is truncated: it has "
                f"{read + n_bytes - missing} bytes. {ADVICE}"
            )
        parts.append(bytes(part))
        missing -= len(part)
    return b"".join(parts)


def _name(file: Any) -> str:
    name = getattr(file, "name", None)
    return f"the file {name!r}" if isinstance(name, str) else f"the {type(file).__name__}"
