"""Checksummed container of model files: safetensors arrays, a JSON description, one SHA-256.

Model files and the files of hybrids use it:

1. :func:`sealed` serializes arrays and a description. The description holds the SHA-256 of the
   whole file, computed with zeros in place of the digest itself. So any changed byte is detected.
2. :func:`opened` verifies the digest and returns the description. :func:`tensors` returns the
   arrays as stored; the caller checks their types.
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
    """Return the bytes of a file; ``plain`` converts values that JSON does not support.

    The digest follows the two versions, as in all formats so far.
    """
    versions = {key: description[key] for key in ("format_version", "ceiba_version")}
    rest = {key: value for key, value in description.items() if key not in versions}
    everything = {**versions, "sha256": _NO_DIGEST, **rest}
    text = json.dumps(everything, default=plain, separators=(",", ":"))
    return seal(safetensors.numpy.save(dict(arrays), metadata={_METADATA: text}))


def seal(data: bytes) -> bytes:
    """Return the file with its correct digest."""
    header_end = _header_end(data)
    digest = _stored_digest(data[LENGTH_BYTES:header_end])
    right = _digest(data, digest, header_end)
    header = data[:header_end].replace(digest.encode(), right.encode())
    return b"".join((header, memoryview(data)[header_end:]))  # a single copy


def opened(data: bytes) -> dict[str, Any]:
    """Return the description of a file; raise ModelFileError if its checksum is wrong."""
    header_end = _header_end(data)
    digest = _stored_digest(data[LENGTH_BYTES:header_end])
    if _digest(data, digest, header_end) != digest:
        raise ModelFileError(
            f"The model file is damaged: its content does not match its checksum. {ADVICE}"
        )
    return description_of(data[LENGTH_BYTES:header_end])


def tensors(data: bytes) -> dict[str, Any]:
    """Return the dtype, shape and data of each array, as safetensors returns them."""
    try:
        # Checks that every array lies within the file and that their sizes fit their shapes.
        return dict(safetensors.deserialize(data))  # type: ignore[no-untyped-call]
    except Exception as error:
        raise ModelFileError(f"The model file is damaged: {reason(error)}. {ADVICE}") from error


def description_of(header: bytes) -> dict[str, Any]:
    """Return the description in the header of a file."""
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
    """Return the message of an error as part of a sentence."""
    return f"no {error}" if isinstance(error, KeyError) else str(error).rstrip(".")


def _header_end(data: bytes) -> int:
    length = int.from_bytes(data[:LENGTH_BYTES], "little")
    if len(data) < LENGTH_BYTES or length > len(data) - LENGTH_BYTES:
        raise ModelFileError(
            f"This is not a model file, or it is truncated: it has {len(data)} bytes. {ADVICE}"
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
