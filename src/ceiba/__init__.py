"""Gradient boosting for tables: fast, composable, one model bit for bit.

>>> from ceiba import CeibaClassifier
>>> classifier = CeibaClassifier(n_estimators=200).fit(X, y)  # doctest: +SKIP

Names are imported when they are first used, so that ``import ceiba`` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ceiba.callbacks import Callback, Checkpoint, EarlyStopping, LogRounds, Round
    from ceiba.cross_validation import cv
    from ceiba.data.dataset import Dataset
    from ceiba.errors import CeibaError, CrossValidationInterrupted, TrainingInterrupted
    from ceiba.estimators import (
        CeibaClassifier,
        CeibaForestClassifier,
        CeibaForestRegressor,
        CeibaRanker,
        CeibaRegressor,
        CeibaTreeClassifier,
        CeibaTreeRegressor,
        NotFittedError,
    )
    from ceiba.hybrids import (
        BoostedLinearClassifier,
        BoostedLinearRegressor,
        EnhancedForestClassifier,
        EnhancedForestRegressor,
        LinearTreeClassifier,
        LinearTreeRegressor,
    )
    from ceiba.imports import from_model
    from ceiba.model import Model, load_model
    from ceiba.parameters.recipes import RECIPES
    from ceiba.parameters.typed import Params
    from ceiba.reporting import report
    from ceiba.training import refit, train

__version__ = "0.1.0"

__all__ = [
    "CeibaClassifier",
    "CeibaForestClassifier",
    "CeibaForestRegressor",
    "CeibaRanker",
    "CeibaRegressor",
    "CeibaTreeClassifier",
    "CeibaTreeRegressor",
    "BoostedLinearClassifier",
    "BoostedLinearRegressor",
    "EnhancedForestClassifier",
    "EnhancedForestRegressor",
    "LinearTreeClassifier",
    "LinearTreeRegressor",
    "Dataset",
    "train",
    "refit",
    "cv",
    "report",
    "Model",
    "load_model",
    "from_model",
    "Callback",
    "Checkpoint",
    "EarlyStopping",
    "LogRounds",
    "Round",
    "RECIPES",
    "Params",
    "CeibaError",
    "CrossValidationInterrupted",
    "NotFittedError",
    "TrainingInterrupted",
    "__version__",
]

_HOMES = {
    "BoostedLinearClassifier": "ceiba.hybrids",
    "BoostedLinearRegressor": "ceiba.hybrids",
    "Callback": "ceiba.callbacks",
    "CeibaClassifier": "ceiba.estimators",
    "CeibaError": "ceiba.errors",
    "CeibaForestClassifier": "ceiba.estimators",
    "CeibaForestRegressor": "ceiba.estimators",
    "CeibaRanker": "ceiba.estimators",
    "CeibaRegressor": "ceiba.estimators",
    "CeibaTreeClassifier": "ceiba.estimators",
    "CeibaTreeRegressor": "ceiba.estimators",
    "Checkpoint": "ceiba.callbacks",
    "CrossValidationInterrupted": "ceiba.errors",
    "Dataset": "ceiba.data.dataset",
    "EarlyStopping": "ceiba.callbacks",
    "EnhancedForestClassifier": "ceiba.hybrids",
    "EnhancedForestRegressor": "ceiba.hybrids",
    "LinearTreeClassifier": "ceiba.hybrids",
    "LinearTreeRegressor": "ceiba.hybrids",
    "LogRounds": "ceiba.callbacks",
    "Model": "ceiba.model",
    "NotFittedError": "ceiba.estimators",
    "Params": "ceiba.parameters.typed",
    "RECIPES": "ceiba.parameters.recipes",
    "Round": "ceiba.callbacks",
    "TrainingInterrupted": "ceiba.errors",
    "cv": "ceiba.cross_validation",
    "from_model": "ceiba.imports",
    "load_model": "ceiba.model",
    "refit": "ceiba.training",
    "report": "ceiba.reporting",
    "train": "ceiba.training",
}


def __getattr__(name: str) -> Any:
    """Import a public name, or a module such as ``ceiba.errors``, when it is first used."""
    if name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    if not name.startswith("_"):
        try:
            return importlib.import_module(f"ceiba.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"ceiba.{name}":
                raise
    raise AttributeError(f"module 'ceiba' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
