"""Model files of hybrids: one file with a checksum (``model/checksum.py``).

A file holds arrays and a JSON description. A forest is stored as the bytes of its own model file,
which has a second checksum. :class:`Stored` checks type, shape and range of every entry before the
hybrid uses it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import __version__
from ceiba.data.missing_values import PLAIN
from ceiba.data.schema import Schema
from ceiba.errors import CeibaError, LoadError, ModelFileError
from ceiba.model.checksum import ADVICE, opened, reason, sealed, tensors
from ceiba.model.file import classes_from_json, classes_to_json, decode, plain
from ceiba.model.model import Model, model_of

__all__ = ["Stored", "decode_hybrid", "digest_of", "encode_hybrid", "model_bytes"]

#: Newest format version of hybrid files. Model files have their own numbering.
FORMAT_VERSION = 1

_TYPES = {"F64": "float64", "I64": "int64", "U8": "uint8", "BOOL": "bool"}


@dataclass(frozen=True)
class Stored:
    """Content of a hybrid's model file: schema, classes, plain values and arrays."""

    schema: Schema
    classes: NDArray[Any] | None
    values: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]

    def whole(self, name: str, low: int = 0) -> int:
        """Return an integer >= ``low``."""
        value = self.values[name]
        if type(value) is not int or not low <= value < 2**53:
            raise ValueError(f"its {name} is not an integer >= {low}")
        return value

    def listed(self, name: str) -> list[Any]:
        """Return a list of plain values."""
        value = self.values[name]
        if not isinstance(value, list):
            raise ValueError(f"its {name} is not a list")
        return value

    def numbers(self, name: str, *shape: int) -> NDArray[np.float64]:
        """Return finite numbers of the given shape."""
        array = self.arrays[name]
        if array.dtype != np.float64 or array.shape != shape or not np.isfinite(array).all():
            raise ValueError(f"its {name} is not an array of {shape} finite numbers")
        return array

    def model(self, name: str) -> Model:
        """Return a ceiba model with the columns of the hybrid."""
        array = self.arrays[name]
        if array.dtype != np.uint8 or array.ndim != 1:
            raise ValueError(f"its {name} is not a model")
        model = model_of(decode(array.tobytes()))
        if model.schema.to_dict() != self.schema.to_dict():
            raise ValueError(f"its {name} has different columns")
        return model


def encode_hybrid(name: str, stored: Stored, parameters: Mapping[str, Any]) -> bytes:
    """Return the bytes of a model file. Equal hybrids give equal bytes."""
    description = {
        "format_version": FORMAT_VERSION,
        "ceiba_version": __version__,
        "hybrid": name,
        "schema": stored.schema.to_dict(),
        "classes": classes_to_json(stored.classes),
        "values": dict(stored.values),
        "parameters": dict(parameters),
    }
    arrays = {key: np.ascontiguousarray(array) for key, array in stored.arrays.items()}
    return sealed(arrays, description, plain)


def decode_hybrid(data: bytes, name: str) -> Stored:
    """Parse a hybrid's model file; raise ModelFileError if it is damaged."""
    description = opened(data)
    kind = description.get("hybrid")
    if kind is None:
        raise LoadError("The file holds a ceiba.Model, not a hybrid. Use ceiba.load_model.")
    if kind != name:
        raise LoadError(f"The file holds a {kind}, not a {name}. Use ceiba.{kind}.load_model.")
    version = description["format_version"]
    if type(version) is not int or not 1 <= version <= FORMAT_VERSION:
        raise ModelFileError(
            f"The hybrid's file has format version {version!r}. This ceiba reads versions 1 to "
            f"{FORMAT_VERSION}. Load the file with the ceiba that wrote it "
            f"({description.get('ceiba_version')}) or a newer one."
        )
    arrays = {}
    for key, tensor in tensors(data).items():
        if tensor["dtype"] not in _TYPES:
            raise ModelFileError(f"The model file is damaged: array {key!r}. {ADVICE}")
        array = np.frombuffer(tensor["data"], dtype=_TYPES[tensor["dtype"]])
        arrays[key] = array.reshape(tensor["shape"])
    try:
        schema, values = description["schema"], description["values"]
        if not isinstance(schema, dict) or not isinstance(values, dict):
            raise ValueError("its columns have the wrong type")
        classes = classes_from_json(description["classes"])
        return Stored(Schema.from_dict(schema, PLAIN), classes, values, arrays)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, CeibaError):
            raise
        raise ModelFileError(f"The model file is damaged: {reason(error)}. {ADVICE}") from error


def model_bytes(model: Model) -> NDArray[np.uint8]:
    """Return a ceiba model as an array of bytes."""
    return np.frombuffer(model.to_bytes(), dtype=np.uint8)


def digest_of(name: str, stored: Stored, models: Mapping[str, Model]) -> str:
    """Return the SHA-256 of everything that predictions depend on.

    The models enter by their own fingerprints.
    """
    described = {
        "hybrid": name,
        "schema": stored.schema.to_dict(),
        "classes": None if stored.classes is None else stored.classes.tolist(),
        "values": dict(stored.values),
        "models": {key: model.fingerprint() for key, model in sorted(models.items())},
    }
    sha = hashlib.sha256(json.dumps(described, sort_keys=True, default=plain).encode())
    for key in sorted(stored.arrays):
        if key not in models:
            array = np.ascontiguousarray(stored.arrays[key])
            sha.update(f"\n{key} {array.dtype.name} {array.shape}\n".encode())
            sha.update(array.tobytes())
    return sha.hexdigest()
