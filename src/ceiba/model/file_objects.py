"""Model files at a path, or in a file that the user has opened."""

from __future__ import annotations

import os
from typing import Any, BinaryIO, cast

from ceiba.errors import LoadError, SaveError
from ceiba.model.file import read_file, write_file

__all__ = ["read_model", "write_model"]


def write_model(target: str | os.PathLike[str] | BinaryIO, data: bytes) -> None:
    """Write the bytes of a model; a file that is open is written where it stands."""
    write = getattr(target, "write", None)
    if not callable(write):
        write_file(cast(Any, target), data)
        return
    try:
        write(data)
    except TypeError:
        raise SaveError(
            f"A model is bytes, and {_name(target)} takes text. Open it for bytes, with "
            "open(path, 'wb')."
        ) from None
    except (OSError, ValueError) as error:  # of a full disk; of a file that is closed
        raise SaveError(f"{_name(target)} cannot be written: {error}") from error


def read_model(source: str | os.PathLike[str] | BinaryIO) -> bytes:
    """Return the bytes of a model; a file that is open is read from where it stands."""
    read = getattr(source, "read", None)
    if not callable(read):
        return read_file(cast(Any, source))
    try:
        data = read()
    except (OSError, ValueError) as error:  # text that is none is a ValueError too
        raise LoadError(f"{_name(source)} cannot be read: {error}") from error
    if not isinstance(data, bytes | bytearray | memoryview):
        raise LoadError(
            f"A model is bytes, and {_name(source)} gives text. Open it for bytes, with "
            "open(path, 'rb')."
        )
    return bytes(data)


def _name(file: Any) -> str:
    name = getattr(file, "name", None)
    return f"the file {name!r}" if isinstance(name, str) else f"the {type(file).__name__}"
