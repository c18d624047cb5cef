"""Files of hybrids: one file with everything, sealed with a checksum (``model/checksum.py``).

A file holds arrays of numbers and, as JSON, the rest; a forest of the engine is kept as the bytes
of its own model file, which has a checksum of its own. What a hybrid finds in its file it checks by
type, shape and range before anything is made of it: :class:`Stored` is that reading.
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

#: The newest format of hybrids, which have numbers of their own.
FORMAT_VERSION = 1

_TYPES = {"F64": "float64", "I64": "int64", "U8": "uint8", "BOOL": "bool"}


@dataclass(frozen=True)
class Stored:
    """What a hybrid is made of: its columns, classes, plain values and arrays."""

    schema: Schema
    classes: NDArray[Any] | None
    values: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]

    def whole(self, name: str, low: int = 0) -> int:
        """Return a whole number that is ``low`` or more."""
        value = self.values[name]
        if type(value) is not int or not low <= value < 2**53:
            raise ValueError(f"its {name} is no whole number of {low} or more")
        return value

    def listed(self, name: str) -> list[Any]:
        """Return a list of plain values."""
        value = self.values[name]
        if not isinstance(value, list):
            raise ValueError(f"its {name} is no list")
        return value

    def numbers(self, name: str, *shape: int) -> NDArray[np.float64]:
        """Return finite numbers of a shape."""
        array = self.arrays[name]
        if array.dtype != np.float64 or array.shape != shape or not np.isfinite(array).all():
            raise ValueError(f"its {name} are not {shape} finite numbers")
        return array

    def model(self, name: str) -> Model:
        """Return a model of the engine."""
        array = self.arrays[name]
        if array.dtype != np.uint8 or array.ndim != 1:
            raise ValueError(f"its {name} is no model")
        model = model_of(decode(array.tobytes()))
        if model.schema.to_dict() != self.schema.to_dict():
            raise ValueError(f"its {name} has other columns")
        return model


def encode_hybrid(name: str, stored: Stored, parameters: Mapping[str, Any]) -> bytes:
    """Return the file of a hybrid. The same hybrid gives the same bytes."""
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
    """Return what the file of a hybrid holds; raise ModelFileError if anything of it is wrong."""
    description = opened(data)
    kind = description.get("hybrid")
    if kind is None:
        raise LoadError("The file holds a model of the engine. Load it with ceiba.load_model.")
    if kind != name:
        raise LoadError(f"The file holds a {kind}, no {name}. Load it with ceiba.{kind}.")
    version = description["format_version"]
    if type(version) is not int or not 1 <= version <= FORMAT_VERSION:
        raise ModelFileError(
            f"The file of the hybrid has format {version!r}, and this version of ceiba reads "
            f"formats 1 to {FORMAT_VERSION}. Load it with the version that wrote it "
            f"({description.get('ceiba_version')}), or a newer one."
        )
    arrays = {}
    for key, tensor in tensors(data).items():
        if tensor["dtype"] not in _TYPES:
            raise ModelFileError(f"The model file is damaged: its array {key!r}. {ADVICE}")
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
    """Return a model of the engine as an array of a file."""
    return np.frombuffer(model.to_bytes(), dtype=np.uint8)


def digest_of(name: str, stored: Stored, models: Mapping[str, Model]) -> str:
    """Return the SHA-256 of all that decides a prediction; models count by their own digests."""
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
