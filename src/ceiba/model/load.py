"""Load models and checkpoints from files. A damaged file raises an error."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, BinaryIO

from ceiba.errors import LoadError
from ceiba.model.file import decode
from ceiba.model.file_objects import is_own_file, name_of, read_file, read_model
from ceiba.model.lazy_imports import lazy_module
from ceiba.model.model import Model, model_of
from ceiba.storage.atomic_write import write_file

__all__ = ["load_checkpoint", "load_model", "save_checkpoint"]


def load_model(path: str | os.PathLike[str] | BinaryIO) -> Model:
    """Load a model from a path or a file that is open for bytes.

    Besides the files of :meth:`Model.save` it reads those of other libraries: LightGBM's text,
    XGBoost's JSON and UBJSON, and CatBoost's JSON. :func:`ceiba.from_model` converts fitted
    objects, and its guide page lists what is supported.

    Raises
    ------
    LoadError
        If the file cannot be read, or has an objective or splits that ceiba does not support.
    ModelFileError
        If the file is damaged or is not a model file. A damaged file of ceiba never loads; files of
        other libraries have no checksum, so damage to a number may go unnoticed.

    Examples
    --------
    >>> import io
    >>> from ceiba import Dataset, load_model, train
    >>> model = train({"n_estimators": 2}, Dataset([[1.0], [2.0]], [1.0, 2.0]))
    >>> file = io.BytesIO()
    >>> model.save(file)
    >>> load_model(io.BytesIO(file.getvalue())).fingerprint() == model.fingerprint()
    True
    """
    data = read_model(path, _is_foreign)
    if is_own_file(data):
        return model_of(decode(data))
    model: Model = lazy_module("imports").load_foreign(data, name_of(path))
    return model


def _is_foreign(start: bytes) -> bool:
    """Whether a file begins like one of another library."""
    return bool(lazy_module("imports").is_foreign(start))


def save_checkpoint(
    path: str | os.PathLike[str], model: Model, training: Mapping[str, Any]
) -> None:
    """Write a model file that also holds the state of a training, as JSON values."""
    write_file(path, model.to_bytes(training))


def load_checkpoint(path: str | os.PathLike[str]) -> tuple[Model, Mapping[str, Any]]:
    """Return the model of a checkpoint and the state of the training that wrote it."""
    parts = decode(read_file(path))
    if parts.training is None:
        raise LoadError(
            f"{os.fspath(path)!r} is a model file, not a checkpoint. Give it as init_model to "
            "train further rounds, or give a file that ceiba.Checkpoint wrote."
        )
    return model_of(parts), parts.training
