"""Model files: safetensors with a checksum, written so that a crash never costs the old file.

The life of a model file:

1. :func:`encode` puts the arrays of a model and, as JSON in the metadata, everything else into
   bytes, and seals them with a checksum (``checksum.py``).
2. :func:`write_file` (``atomic_write.py``) replaces the file in one step: whoever looks finds the
   old file or the new one.
3. :func:`read_file` (``file_objects.py``) reads no more than the header announces, :func:`decode`
   checks the digest, the version, and the type of everything. That the trees are trees is checked
   when a forest is made of them.

A reader takes its own format and all older ones; a writer writes the lowest that can express the
model; an array that a model does not need is not there.

The layout is that of safetensors, so other programs can read the arrays::

    8 bytes   length of the header
    header    JSON: {"__metadata__": {"ceiba": "..."}, "feature": {"dtype": ..., ...}, ...}
    the rest  the arrays
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.errors import LoadError, ModelFileError, SaveError
from ceiba.model.checksum import (
    ADVICE,
    opened,
    reason,
    seal,
    sealed,
    tensors,
)

__all__ = [
    "FORMAT_VERSION",
    "ModelParts",
    "as_stored",
    "classes_from_json",
    "classes_to_json",
    "decode",
    "encode",
    "plain",
    "seal",
]

#: The newest format. It is raised when a reader of today would misunderstand a file of tomorrow.
FORMAT_VERSION = 4


class StoredArray(NamedTuple):
    """An array of a file: its type in numpy, the format that it came with, whether it may lack."""

    dtype: str
    since: int = 1
    optional: bool = False


#: Every array that a file may hold. One that came later is optional: older files do without it, and
#: so does every model that does not need it.
_ARRAYS: dict[str, StoredArray] = {
    **{name: StoredArray(dtype) for name, dtype in _core.tree_array_types().items()},
    **{
        name: StoredArray(dtype, since=2, optional=True)  # of trees that split by sets of levels
        for name, dtype in _core.tree_array_types("sets").items()
    },
    **{
        name: StoredArray(dtype, since=4, optional=True)  # of trees whose leaves hold lines
        for name, dtype in _core.tree_array_types("linear").items()
    },
    "linear_extrapolates": StoredArray("int32", since=4, optional=True),
    "start_scores": StoredArray("float64"),
    "weight_round": StoredArray("int32", since=2, optional=True),  # model/tree_weights.py
    "weight_tree": StoredArray("int32", since=2, optional=True),
    "weight_factor": StoredArray("float64", since=2, optional=True),
    "weight_mean": StoredArray("int32", since=3, optional=True),
    "n_parallel": StoredArray("int32", since=3, optional=True),  # cpp/tree/tree_arrays.hpp
    "statistics_offsets": StoredArray("int64", since=3, optional=True),  # data/target_statistics.py
    "statistics_keys": StoredArray("uint64", since=3, optional=True),
    "statistics_weights": StoredArray("float64", since=3, optional=True),
    "statistics_sums": StoredArray("float64", since=3, optional=True),
    "statistics_totals": StoredArray("float64", since=3, optional=True),
}

#: What else needs a newer format than the first.
_NEEDS: tuple[tuple[int, Callable[[ModelParts], bool]], ...] = (
    (2, lambda parts: parts.arrays["value"].ndim > 1),  # leaves that add to several outputs
    (2, lambda parts: bool(parts.schema.get("levels"))),
    (3, lambda parts: "statistics" in parts.schema),
)

#: Types of arrays, in numpy and in safetensors.
_STORED_TYPES = {"uint8": "U8", "int32": "I32", "int64": "I64", "uint64": "U64", "float64": "F64"}
_CLASS_TYPES = frozenset(
    {"bool", "object", "str", "float16", "float32", "float64"}
    | {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
)


@dataclass(frozen=True)
class ModelParts:
    """What a model file holds, as plain values."""

    arrays: Mapping[str, NDArray[Any]]
    start_scores: NDArray[np.float64]
    objective: Mapping[str, Any]
    schema: Mapping[str, Any]
    parameters: Mapping[str, Any]
    best_iteration: int
    history: Mapping[str, Mapping[str, Any]]
    classes: NDArray[Any] | None
    version: str
    #: What a resumed training needs besides the model; only a checkpoint has it.
    training: Mapping[str, Any] | None = None


# ---- bytes -------------------------------------------------------------------------------------


def encode(parts: ModelParts) -> bytes:
    """Return the file of a model. The same model gives the same bytes."""
    description = {
        "format_version": format_version(parts),
        "ceiba_version": parts.version,
        "objective": dict(parts.objective),
        "schema": dict(parts.schema),
        "parameters": dict(parts.parameters),
        "best_iteration": parts.best_iteration,
        "history": {name: dict(metrics) for name, metrics in parts.history.items()},
        "classes": classes_to_json(parts.classes),
    }
    if parts.training is not None:
        description["training"] = dict(parts.training)
    return sealed({**parts.arrays, "start_scores": parts.start_scores}, description, plain)


def format_version(parts: ModelParts) -> int:
    """Return the lowest format that can express a model."""
    needed = (version for version, is_needed in _NEEDS if is_needed(parts))
    return max([1, *(_ARRAYS[name].since for name in parts.arrays), *needed])


def decode(data: bytes) -> ModelParts:
    """Return what the file holds; raise ModelFileError if anything about it is wrong."""
    description = opened(data)
    if "hybrid" in description:
        name = str(description["hybrid"])
        raise LoadError(f"The file holds a {name}. Load it with ceiba.{name}().load_model(path).")
    version = description["format_version"]
    if type(version) is not int or not 1 <= version <= FORMAT_VERSION:
        raise ModelFileError(
            f"The model file has format {version!r}, and this version of ceiba reads formats 1 to "
            f"{FORMAT_VERSION}. Load it with the version that wrote it "
            f"({description.get('ceiba_version')}), or a newer one."
        )
    arrays = _arrays(data)
    try:
        parts = ModelParts(
            start_scores=arrays.pop("start_scores"),
            arrays=arrays,
            objective=_mapping(description, "objective"),
            schema=_mapping(description, "schema"),
            parameters=_mapping(description, "parameters"),
            best_iteration=_whole_number(description, "best_iteration"),
            history=_history(description),
            classes=classes_from_json(description["classes"]),
            version=str(description["ceiba_version"]),
            training=_mapping(description, "training") if "training" in description else None,
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ModelFileError(f"The model file is damaged: {reason(error)}. {ADVICE}") from error
    if format_version(parts) > version:
        raise ModelFileError(
            f"The model file is damaged: it says format {version}, and holds what that does not "
            f"have. {ADVICE}"
        )
    return parts


def _arrays(data: bytes) -> dict[str, NDArray[Any]]:
    arrays, stored = {}, tensors(data)
    for name, (dtype, _, optional) in _ARRAYS.items():
        tensor = stored.get(name)
        if tensor is None and optional:
            continue
        dimensions = (1, 2) if name in ("value", "linear_slope") else (1,)
        if (
            tensor is None
            or tensor["dtype"] != _STORED_TYPES[dtype]
            or len(tensor["shape"]) not in dimensions
        ):
            raise ModelFileError(
                f"The model file is damaged: its array {name!r} is missing or has the wrong type. "
                f"{ADVICE}"
            )
        arrays[name] = np.frombuffer(tensor["data"], dtype=dtype).reshape(tensor["shape"])
    return arrays


# ---- plain values ------------------------------------------------------------------------------


def as_stored(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as they come back from a file."""
    stored: dict[str, Any] = json.loads(json.dumps(dict(values), default=plain))
    return stored


def plain(value: Any) -> Any:
    """Turn what JSON does not know into what it knows."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if callable(value):
        return getattr(value, "__qualname__", repr(value))
    return repr(value)


def classes_to_json(classes: NDArray[Any] | None) -> dict[str, Any] | None:
    """Return class labels as plain values; refuse those that cannot be kept."""
    if classes is None:
        return None
    name = "str" if classes.dtype.kind == "U" else classes.dtype.name
    values = [value.item() if isinstance(value, np.generic) else value for value in classes]
    if name not in _CLASS_TYPES or not all(isinstance(v, (bool, int, float, str)) for v in values):
        raise SaveError(
            f"Class labels must be numbers, booleans or strings to be saved. Got {classes!r}."
        )
    return {"dtype": name, "values": values}


def classes_from_json(classes: Any) -> NDArray[Any] | None:
    """Return the labels that :func:`classes_to_json` wrote."""
    if classes is None:
        return None
    dtype, values = classes["dtype"], classes["values"]
    scalars = isinstance(values, list) and all(
        isinstance(value, (bool, int, float, str)) for value in values
    )
    if not scalars or dtype not in _CLASS_TYPES:
        raise ValueError("its class labels have the wrong type")
    restored = np.array(values, dtype=np.dtype(dtype))
    restored.setflags(write=False)
    return restored


def _mapping(description: dict[str, Any], name: str) -> dict[str, Any]:
    value = description[name]
    if not isinstance(value, dict):
        raise TypeError(f"its {name} has the wrong type")
    return value


def _whole_number(description: dict[str, Any], name: str) -> int:
    value = description[name]
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > 2**53:
        raise TypeError(f"its {name} is not a whole number")
    return value


def _history(description: dict[str, Any]) -> dict[str, dict[str, list[float]]]:
    history = _mapping(description, "history")
    for name in history:
        metrics = _mapping(history, name)
        for values in metrics.values():
            numbers = isinstance(values, list) and all(isinstance(v, (int, float)) for v in values)
            if not numbers:
                raise TypeError("its history has the wrong type")
    return history
