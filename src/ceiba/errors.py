"""Errors that ceiba raises.

All of them derive from :class:`CeibaError` and from the matching built-in error, so that ``except
ValueError`` works. A message says what is wrong, what was given and what to do.
:class:`TrainingInterrupted` and :class:`CrossValidationInterrupted` derive from KeyboardInterrupt.
"""

from __future__ import annotations

import pickle
from typing import Any

__all__ = [
    "CacheError",
    "CeibaError",
    "CrossValidationInterrupted",
    "DatasetFileError",
    "ExportError",
    "InsufficientMemoryError",
    "InvalidInputError",
    "InvalidParameterError",
    "InvalidTypeError",
    "LoadError",
    "MissingDependencyError",
    "ModelFileError",
    "SaveError",
    "TrainingInterrupted",
    "UnknownAttributeError",
    "UnknownParameterError",
    "UnpicklableError",
]


class CeibaError(Exception):
    """Base class of all errors of ceiba.

    >>> import ceiba
    >>> try:
    ...     ceiba.CeibaRegressor(learning_rat=0.1)
    ... except ceiba.CeibaError as error:
    ...     print(error)
    Unknown parameter 'learning_rat'. Did you mean 'learning_rate'?
    """


class InvalidParameterError(CeibaError, ValueError):
    """A parameter has an invalid value, or conflicts with another parameter.

    >>> from ceiba import CeibaRegressor
    >>> from ceiba.errors import InvalidParameterError
    >>> try:
    ...     CeibaRegressor(max_bins=1).fit([[0.0], [1.0]], [0.0, 1.0])
    ... except InvalidParameterError as error:
    ...     print(error)  # doctest: +ELLIPSIS
    max_bins must be ...
    """


class UnknownParameterError(InvalidParameterError, TypeError):
    """A parameter does not exist; the message suggests the closest name.

    >>> from ceiba import CeibaRegressor
    >>> from ceiba.errors import UnknownParameterError
    >>> try:
    ...     CeibaRegressor(learning_rat=0.1)
    ... except UnknownParameterError as error:
    ...     print("learning_rate" in str(error))
    True
    """


class InvalidInputError(CeibaError, ValueError):
    """Rows, target, weights or columns cannot be used.

    >>> from ceiba import CeibaRegressor
    >>> from ceiba.errors import InvalidInputError
    >>> try:
    ...     CeibaRegressor().fit([[0.0], [1.0]], [0.0])
    ... except InvalidInputError as error:
    ...     print(type(error).__name__)
    InvalidInputError
    """


class InvalidTypeError(CeibaError, TypeError):
    """Data has a type that cannot be used.

    >>> import ceiba
    >>> from ceiba.errors import InvalidTypeError
    >>> try:
    ...     ceiba.Dataset(object(), [0.0])
    ... except InvalidTypeError as error:
    ...     print(isinstance(error, TypeError))
    True
    """


class ModelFileError(CeibaError, ValueError):
    """A model file is damaged, or was not written by ceiba.

    >>> import io
    >>> import ceiba
    >>> try:
    ...     ceiba.load_model(io.BytesIO(b"not a model"))
    ... except ceiba.errors.ModelFileError as error:
    ...     print(isinstance(error, ValueError))
    True
    """


class DatasetFileError(CeibaError, ValueError):
    """A dataset file is damaged, or was not written by ceiba.

    >>> import pathlib, tempfile
    >>> import ceiba
    >>> from ceiba.errors import DatasetFileError
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "rows.ceiba"
    >>> path.write_text("not a dataset")
    13
    >>> try:
    ...     ceiba.Dataset.load(path)
    ... except DatasetFileError as error:
    ...     print(isinstance(error, ValueError))
    True
    """


class CacheError(CeibaError, OSError):
    """A temporary file of ``cache_dirs`` cannot be written or read.

    >>> import ceiba
    >>> from ceiba.errors import CacheError
    >>> try:
    ...     ceiba.Dataset.from_source(lambda: [[[1.0]]], cache_dirs=["no such folder"])
    ... except CacheError as error:
    ...     print(isinstance(error, OSError))
    True
    """


class SaveError(CeibaError, OSError):
    """A model or dataset could not be written. The previous file is unchanged.

    >>> import ceiba
    >>> from ceiba.errors import SaveError
    >>> model = ceiba.train({"n_estimators": 2}, ceiba.Dataset([[0.0], [1.0]], [0.0, 1.0]))
    >>> try:
    ...     model.save("no such folder/model.ceiba")
    ... except SaveError as error:
    ...     print(isinstance(error, OSError))
    True
    """


class LoadError(CeibaError, OSError):
    """A model or dataset file could not be read, for example because it does not exist.

    >>> import ceiba
    >>> from ceiba.errors import LoadError
    >>> try:
    ...     ceiba.load_model("no such file.ceiba")
    ... except LoadError as error:
    ...     print(isinstance(error, OSError))
    True
    """


class ExportError(CeibaError, ValueError):
    """A model has a part that the requested file format cannot express.

    >>> from ceiba.errors import ExportError
    >>> issubclass(ExportError, ValueError)
    True
    """


class InsufficientMemoryError(CeibaError, MemoryError):
    """A table does not fit into memory in the required layout.

    >>> from ceiba.errors import InsufficientMemoryError
    >>> issubclass(InsufficientMemoryError, MemoryError)
    True
    """


class UnpicklableError(CeibaError, pickle.PicklingError):
    """An estimator has a function as a parameter that pickle cannot store.

    >>> import pickle
    >>> from ceiba import CeibaRegressor
    >>> from ceiba.errors import UnpicklableError
    >>> try:
    ...     pickle.dumps(CeibaRegressor(objective=lambda y, score: (score - y, y * 0 + 1)))
    ... except UnpicklableError as error:
    ...     print("objective" in str(error))
    True
    """


class MissingDependencyError(CeibaError, ImportError):
    """An optional package is required and not installed.

    >>> from ceiba.errors import MissingDependencyError
    >>> issubclass(MissingDependencyError, ImportError)
    True
    """


class UnknownAttributeError(CeibaError, AttributeError):
    """An object does not have this attribute.

    >>> import ceiba
    >>> from ceiba.errors import UnknownAttributeError
    >>> issubclass(UnknownAttributeError, AttributeError)
    True
    """


class TrainingInterrupted(KeyboardInterrupt):
    """Ctrl-C interrupted a training after some complete rounds; ``model`` has their trees.

    It is a KeyboardInterrupt, so that ``except Exception`` does not catch it.

    >>> import ceiba
    >>> def interrupt(round):
    ...     if round.iteration == 4:
    ...         raise KeyboardInterrupt
    >>> try:
    ...     ceiba.train({}, ceiba.Dataset([[1.0], [2.0]], [1.0, 2.0]), callbacks=[interrupt])
    ... except ceiba.TrainingInterrupted as interrupted:
    ...     print(interrupted.model.n_iterations)
    5
    """

    def __init__(self, message: str, model: Any) -> None:
        super().__init__(message)
        self.model = model

    def __reduce__(self) -> tuple[type[TrainingInterrupted], tuple[str, Any]]:
        return type(self), (str(self), self.model)


class CrossValidationInterrupted(KeyboardInterrupt):
    """Ctrl-C interrupted a cross-validation after all folds completed some rounds.

    ``table`` and ``models`` are the results up to the last of these rounds; ``models`` is empty
    unless ``return_models=True``.

    >>> import ceiba
    >>> def interrupt(round):
    ...     if round.iteration == 4:
    ...         raise KeyboardInterrupt
    >>> rows = ceiba.Dataset([[1.0], [2.0], [3.0], [4.0]], [1.0, 2.0, 3.0, 4.0])
    >>> try:
    ...     ceiba.cv({}, rows, folds=2, callbacks=[interrupt])
    ... except ceiba.CrossValidationInterrupted as interrupted:
    ...     print(len(interrupted.table))
    5
    """

    def __init__(self, message: str, table: Any, models: list[Any]) -> None:
        super().__init__(message)
        self.table = table
        self.models = models

    def __reduce__(self) -> tuple[type[CrossValidationInterrupted], tuple[str, Any, list[Any]]]:
        return type(self), (str(self), self.table, self.models)
