"""Bytes that tell when they were damaged: arrays in safetensors, JSON beside them, one checksum.

Model files and the files of hybrids are made of it:

1. :func:`sealed` puts arrays and a description into bytes. The description holds the SHA-256 of
   the whole file, taken while the place of the digest itself holds zeros. So there is no byte that
   can change unnoticed.
2. :func:`opened` checks the digest and returns the description; :func:`tensors` returns the arrays
   as they are stored. What they must be is known to those who ask.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import safetensors
import safetensors.numpy
from numpy.typing import NDArray

from ceiba.errors import ModelFileError

__all__ = [
    "ADVICE",
    "LENGTH_BYTES",
    "description_of",
    "opened",
    "reason",
    "seal",
    "sealed",
    "tensors",
]

ADVICE = "Load another copy of the model, or train it again."
LENGTH_BYTES = 8
_METADATA = "ceiba"
_NO_DIGEST = "0" * 64


def sealed(arrays: Mapping[str, NDArray[Any]], description: Mapping[str, Any], plain: Any) -> bytes:
    """Return the bytes of a file; ``plain`` turns what JSON does not know into what it knows.

    The digest stands after the two versions, where files have always had it.
    """
    versions = {key: description[key] for key in ("format_version", "ceiba_version")}
    rest = {key: value for key, value in description.items() if key not in versions}
    everything = {**versions, "sha256": _NO_DIGEST, **rest}
    text = json.dumps(everything, default=plain, separators=(",", ":"))
    return seal(safetensors.numpy.save(dict(arrays), metadata={_METADATA: text}))


def seal(data: bytes) -> bytes:
    """Return the file with the right digest in its place, whatever was there."""
    header_end = _header_end(data)
    digest = _stored_digest(data[LENGTH_BYTES:header_end])
    right = _digest(data, digest, header_end)
    header = data[:header_end].replace(digest.encode(), right.encode())
    return b"".join((header, memoryview(data)[header_end:]))  # one copy, of what may be large


def opened(data: bytes) -> dict[str, Any]:
    """Return the description of a file; raise ModelFileError if its checksum is wrong."""
    header_end = _header_end(data)
    digest = _stored_digest(data[LENGTH_BYTES:header_end])
    if _digest(data, digest, header_end) != digest:
        raise ModelFileError(
            "The model file is damaged: its content does not have the checksum that was stored "
            f"with it. {ADVICE}"
        )
    return description_of(data[LENGTH_BYTES:header_end])


def tensors(data: bytes) -> dict[str, Any]:
    """Return the arrays of a file as safetensors has them: dtype, shape and data of each."""
    try:
        # Checks that every array lies within the file and that their sizes fit their shapes.
        return dict(safetensors.deserialize(data))  # type: ignore[no-untyped-call]
    except Exception as error:
        raise ModelFileError(f"The model file is damaged: {reason(error)}. {ADVICE}") from error


def description_of(header: bytes) -> dict[str, Any]:
    """Return our part of the header."""
    try:
        description = json.loads(json.loads(header)["__metadata__"][_METADATA])
        if not isinstance(description, dict) or "format_version" not in description:
            raise KeyError("format_version")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ModelFileError(
            f"This is not a model file of ceiba, or its header is damaged. {ADVICE}"
        ) from error
    return description


def reason(error: BaseException) -> str:
    """Return what an error says, as part of a sentence."""
    return f"no {error}" if isinstance(error, KeyError) else str(error).rstrip(".")


def _header_end(data: bytes) -> int:
    length = int.from_bytes(data[:LENGTH_BYTES], "little")
    if len(data) < LENGTH_BYTES or length > len(data) - LENGTH_BYTES:
        raise ModelFileError(
            f"This is not a model file, or it was cut short: it has {len(data)} bytes. {ADVICE}"
        )
    return LENGTH_BYTES + length


def _stored_digest(header: bytes) -> str:
    digest = str(description_of(header).get("sha256"))
    is_digest = len(digest) == len(_NO_DIGEST) and digest.isascii()
    if not is_digest or header.count(digest.encode()) != 1:
        raise ModelFileError(f"The model file has no checksum: its header is damaged. {ADVICE}")
    return digest


def _digest(data: bytes, stored: str, header_end: int) -> str:
    content = hashlib.sha256(data[:header_end].replace(stored.encode(), _NO_DIGEST.encode()))
    content.update(memoryview(data)[header_end:])
    return content.hexdigest()
