"""Format of model files: safetensors with a checksum.

The life of a model file:

1. :func:`encode` serializes the arrays of a model and, as JSON in the metadata, everything else. It
   adds a checksum (``checksum.py``).
2. :func:`write_file` (``storage/atomic_write.py``) replaces the file atomically.
3. :func:`read_file` (``file_objects.py``) reads exactly the bytes that the header declares.
   :func:`decode` checks checksum, version and types. The C++ core checks the trees.

A reader supports its own format version and all older ones. A writer uses the lowest version that
can express the model, and leaves out arrays that the model does not need.

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
from ceiba.model.decisions import NO_DECISIONS, Decisions

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

#: Newest format version. Raise it when older readers would misread new files.
FORMAT_VERSION = 4


class StoredArray(NamedTuple):
    """An array of a file: numpy type, first format version, and whether it may be absent."""

    dtype: str
    since: int = 1
    optional: bool = False


#: All arrays of the format. Arrays added after version 1 are optional: older files and models that
#: do not need them lack them.
_ARRAYS: dict[str, StoredArray] = {
    **{name: StoredArray(dtype) for name, dtype in _core.tree_array_types().items()},
    **{
        name: StoredArray(dtype, since=2, optional=True)  # of trees that split by sets of levels
        for name, dtype in _core.tree_array_types("sets").items()
    },
    **{
        name: StoredArray(dtype, since=4, optional=True)  # of trees with linear leaves
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

#: Other conditions that need a newer format version.
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
    """Content of a model file as plain values."""

    arrays: Mapping[str, NDArray[Any]]
    start_scores: NDArray[np.float64]
    objective: Mapping[str, Any]
    schema: Mapping[str, Any]
    parameters: Mapping[str, Any]
    best_iteration: int
    history: Mapping[str, Mapping[str, Any]]
    classes: NDArray[Any] | None
    version: str
    #: State of the training; only in checkpoints.
    training: Mapping[str, Any] | None = None
    #: What recipe auto decided; files without decisions have none.
    decisions: Decisions = NO_DECISIONS


# ---- bytes -------------------------------------------------------------------------------------


def encode(parts: ModelParts) -> bytes:
    """Return the bytes of a model file. The same model always gives the same bytes."""
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
    if parts.decisions:
        description["decisions"] = parts.decisions.to_json()
    if parts.training is not None:
        description["training"] = dict(parts.training)
    return sealed({**parts.arrays, "start_scores": parts.start_scores}, description, plain)


def format_version(parts: ModelParts) -> int:
    """Return the lowest format version that can express a model."""
    needed = (version for version, is_needed in _NEEDS if is_needed(parts))
    return max([1, *(_ARRAYS[name].since for name in parts.arrays), *needed])


def decode(data: bytes) -> ModelParts:
    """Return the content of a model file; raise ModelFileError if it is damaged."""
    description = opened(data)
    if "hybrid" in description:
        name = str(description["hybrid"])
        raise LoadError(f"The file has a {name}. Load it with ceiba.{name}().load_model(path).")
    version = description["format_version"]
    if type(version) is not int or not 1 <= version <= FORMAT_VERSION:
        raise ModelFileError(
            f"The model file must have a format from 1 to {FORMAT_VERSION}. Got format "
            f"{version!r}. Load it with the version of ceiba that wrote it "
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
            decisions=Decisions.from_json(description.get("decisions", [])),
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ModelFileError(f"The model file is damaged: {reason(error)}. {ADVICE}") from error
    if format_version(parts) > version:
        raise ModelFileError(
            f"The model file is damaged: format {version} does not support its content. {ADVICE}"
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
    """Return values as a file would return them."""
    stored: dict[str, Any] = json.loads(json.dumps(dict(values), default=plain))
    return stored


def plain(value: Any) -> Any:
    """Convert a value that JSON does not support."""
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
    """Return class labels as plain values; raise SaveError if they cannot be stored."""
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
    """Return the inverse of :func:`classes_to_json`."""
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
