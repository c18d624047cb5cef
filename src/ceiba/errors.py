"""Every error that ceiba raises on purpose.

All of them derive from :class:`CeibaError`, and each also from the built-in error that people
expect, so that ``except ValueError`` keeps working. A message says what is wrong, what was given
and what to do. :class:`TrainingInterrupted` and :class:`CrossValidationInterrupted` are no errors:
they are KeyboardInterrupts.
"""

from __future__ import annotations

import pickle
from typing import Any

__all__ = [
    "CeibaError",
    "CrossValidationInterrupted",
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
    """Base of every error of ceiba.

    >>> import ceiba
    >>> try:
    ...     ceiba.CeibaRegressor(learning_rat=0.1)
    ... except ceiba.CeibaError as error:
    ...     print(error)
    Unknown parameter 'learning_rat'. Did you mean 'learning_rate'?
    """


class InvalidParameterError(CeibaError, ValueError):
    """A parameter has a value that it cannot take."""


class UnknownParameterError(InvalidParameterError, TypeError):
    """A parameter that does not exist, as an unexpected keyword argument would be."""


class InvalidInputError(CeibaError, ValueError):
    """Data (rows, target, weights, columns) that cannot be used."""


class InvalidTypeError(CeibaError, TypeError):
    """Data of a type that cannot be used."""


class ModelFileError(CeibaError, ValueError):
    """A model file that is damaged, or was not written by ceiba."""


class SaveError(CeibaError, OSError):
    """A model could not be written; what was there before is untouched."""


class LoadError(CeibaError, OSError):
    """A model file could not be read, for instance because it is not there."""


class InsufficientMemoryError(CeibaError, MemoryError):
    """A table would not fit into memory in the form that is needed."""


class UnpicklableError(CeibaError, pickle.PicklingError):
    """An estimator holds a function that pickle cannot keep."""


class MissingDependencyError(CeibaError, ImportError):
    """An optional package is needed and not installed."""


class UnknownAttributeError(CeibaError, AttributeError):
    """An attribute that an object of ceiba does not have."""


class TrainingInterrupted(KeyboardInterrupt):
    """Ctrl-C during a training that had finished some rounds; ``model`` holds their trees.

    A KeyboardInterrupt, so that nothing that lets those pass holds it back.

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
    """Ctrl-C during a cross-validation whose folds had all finished some rounds.

    ``table`` and ``models`` are what it would have returned had it ended with the last of those;
    ``models`` is empty unless models were asked for.

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
