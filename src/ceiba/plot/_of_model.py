"""Read the first argument of plots: a model, a fitted estimator, or any object that predicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.messages import listed, shown

__all__ = [
    "Question",
    "class_chances",
    "known_target",
    "label_indices",
    "model_of",
    "named_models",
    "one_prediction",
    "questions",
]

Floats = NDArray[np.float64]

#: Name of a class or label, its truth for each row, and its predicted probability.
Question = tuple[str, NDArray[np.bool_], Floats]


def model_of(owner: Any) -> Any:
    """Return the model of a fitted estimator, or the model itself."""
    if hasattr(owner, "_fitted"):
        return owner._fitted()
    if hasattr(owner, "forest") and hasattr(owner, "schema"):
        return owner
    raise InvalidTypeError(
        f"This plot needs a ceiba model or a fitted estimator. Got {shown(owner)}."
    )


def named_models(models: Any) -> dict[str, Any]:
    """Return models by name: those of a dict, or the names of their types, numbered if equal."""
    if isinstance(models, Mapping):
        if not models:
            raise InvalidInputError("models must hold at least one model. Got none.")
        return {str(name): model for name, model in models.items()}
    every = list(models) if isinstance(models, list | tuple) else [models]
    names = [type(model).__name__ for model in every]
    return {
        name if names.count(name) == 1 else f"{name} {k + 1}": model
        for k, (name, model) in enumerate(zip(names, every, strict=True))
    }


def class_chances(owner: Any, X: Any) -> tuple[Floats, NDArray[Any]]:
    """Return the probability of each class [n, K] and the labels of the classes."""
    if _has_labels(owner):
        raise InvalidInputError(
            "This plot needs a model with one class for each row. Got a multilabel model. Use "
            "plot.roc or plot.precision_recall, which draw one curve per label."
        )
    if hasattr(owner, "classes_"):
        return np.asarray(owner.predict_proba(X), dtype=np.float64), np.asarray(owner.classes_)
    model = model_of(owner)
    if model.objective.task not in ("binary", "multiclass"):
        raise InvalidInputError(
            "This plot needs a model that predicts classes. Got a model with objective "
            f"{model.objective.name!r}."
        )
    chances = model.predict(X)
    if chances.ndim == 1:
        chances = np.stack([1.0 - chances, chances], axis=1)
    classes = np.arange(chances.shape[1]) if model.classes is None else np.asarray(model.classes)
    return chances, classes


def _task(owner: Any) -> str:
    """Return the task of a ceiba model; empty for other models."""
    is_ours = hasattr(owner, "_fitted") or hasattr(owner, "forest")
    objective = getattr(model_of(owner), "objective", None) if is_ours else None
    return "" if objective is None else str(objective.task)


def _has_labels(owner: Any) -> bool:
    """Whether it is a multilabel model of ceiba."""
    return _task(owner) == "multilabel"


def _has_classes(owner: Any) -> bool:
    return hasattr(owner, "classes_") or _task(owner) in ("binary", "multiclass", "multilabel")


def questions(owner: Any, X: Any, y: Any) -> list[Question]:
    """Return one question per class or label; for two classes only the second."""
    if not _has_labels(owner):
        chances, classes = class_chances(owner, X)
        found = label_indices(y, classes)
        asked = [1] if len(classes) == 2 else list(range(len(classes)))
        return [(str(classes[k]), found == k, chances[:, k]) for k in asked]
    chances = model_of(owner).predict(X)
    truth = np.asarray(y)
    if truth.shape != chances.shape or not np.isin(truth, (0, 1)).all():
        raise InvalidInputError(
            f"y must have {chances.shape[1]} columns of 0 and 1, one for each label, and "
            f"{len(chances)} rows. Got shape {truth.shape}. Give the labels in the form for `fit`."
        )
    names = getattr(y, "columns", [f"label {k}" for k in range(chances.shape[1])])
    return [
        (str(name), truth[:, k].astype(bool), chances[:, k]) for k, name in enumerate(list(names))
    ]


def label_indices(y: Any, classes: NDArray[Any]) -> NDArray[np.int64]:
    """Return the class index of each label."""
    known = {label: k for k, label in enumerate(classes.tolist())}
    labels = np.asarray(y).reshape(-1).tolist()
    unknown = sorted({str(label) for label in labels if label not in known})
    if unknown:
        raise InvalidInputError(
            f"y must hold only classes of the model, {listed(known)}. Got also {listed(unknown)}."
        )
    return np.array([known[label] for label in labels], dtype=np.int64)


def one_prediction(owner: Any, X: Any) -> Floats:
    """Return the prediction of a regression model, one number per row."""
    if _has_classes(owner):
        raise InvalidInputError(
            "This plot needs a regression model. Got a model that predicts classes. Use "
            "plot.confusion, plot.calibration or plot.roc."
        )
    predicted = np.asarray(owner.predict(X), dtype=np.float64)
    if predicted.ndim == 2 and predicted.shape[1] == 1:
        return predicted[:, 0]
    if predicted.ndim != 1:
        raise InvalidInputError(
            "This plot needs one prediction for each row. Got a model that predicts "
            f"{predicted.shape[1]} values per row."
        )
    return predicted


def known_target(y: Any, n_rows: int) -> Floats:
    """Return the target as numbers, one per row."""
    try:
        target: Floats = np.asarray(y, dtype=np.float64).reshape(-1)
    except (TypeError, ValueError):
        raise InvalidInputError(
            f"y must hold numbers. Got {shown(y)}. Give the target in the form for `fit`."
        ) from None
    if len(target) != n_rows or not n_rows:
        raise InvalidInputError(
            f"y must have one value for each of the {n_rows} rows of X, at least one. Got "
            f"{len(target)} values."
        )
    return target
