"""The model of a report: its task and classes, its predictions, the loss of each row.

A :class:`Subject` hides the differences between models, boosting estimators and hybrids. Two
classes always have one score, the log-odds of the second class, even if the model has two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.data.queries import Queries
from ceiba.data.schema import Schema
from ceiba.data.table import Table
from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.messages import shown
from ceiba.metrics import Metric, bound_metric, find_metric
from ceiba.objectives import Objective, find_objective

__all__ = ["Predicted", "Subject", "Task", "subject_of"]

Floats = NDArray[np.float64]
Task = Literal[
    "regression", "quantiles", "targets", "binary", "multiclass", "multilabel", "ranking"
]

#: Probabilities below this count as this where their logarithm is needed.
_SMALLEST = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Predicted:
    """Predictions of rows: raw scores [n, K] and predictions [n] or [n, K]."""

    raw: Floats
    prediction: Floats

    def take(self, rows: Any) -> Predicted:
        """Return the predictions of some rows."""
        return Predicted(self.raw[rows], self.prediction[rows])


@dataclass(frozen=True, eq=False)
class Subject:
    """The model that a report describes."""

    #: What the user gave: a model or a fitted estimator.
    owner: Any
    #: Its ``Model``, or the fitted model of a hybrid.
    model: Any
    name: str
    schema: Schema
    #: The objective, as metrics see it.
    objective: Objective
    task: Task
    #: Class labels; None for other tasks.
    classes: NDArray[Any] | None
    is_hybrid: bool

    @property
    def has_classes(self) -> bool:
        """Whether each row has one class."""
        return self.task in ("binary", "multiclass")

    @property
    def levels(self) -> tuple[float, ...]:
        """The levels of a quantile model."""
        return self.objective.levels

    def predicted(self, table: Table) -> Predicted:
        """Return the predictions of rows."""
        if self.is_hybrid:
            return self._normalized(*self._of_hybrid(table))
        return self.of_raw(self.model.predict_raw(table))

    def staged(self, table: Table) -> Iterator[Predicted]:
        """Yield the predictions after each iteration of a boosted model or forest."""
        for iteration, raw in enumerate(self.model.staged_predict_raw(table)):
            yield self.of_raw(raw, iteration + 1)

    def of_raw(self, raw: Floats, n_iterations: int | None = None) -> Predicted:
        """Return the predictions for raw scores after a number of iterations."""
        raw = raw[:, None] if raw.ndim == 1 else raw
        own, correction = self.model.objective, self.model.correction
        correction = correction if n_iterations is None else correction.after(n_iterations)
        return self._normalized(own.log_odds(raw), own.predict(correction.applied(raw)))

    def _normalized(self, raw: Floats, prediction: Floats) -> Predicted:
        if self.task == "binary" and prediction.ndim == 2:
            raw, prediction = raw[:, 1:] - raw[:, :1], prediction[:, 1]
        if self.task == "regression" and prediction.ndim == 2:
            prediction = prediction[:, 0]
        return Predicted(np.ascontiguousarray(raw), np.ascontiguousarray(prediction))

    def _of_hybrid(self, table: Table) -> tuple[Floats, Floats]:
        if self.classes is None:
            values = self.owner.predict(table)
            return values[:, None], values
        chances = self.owner.predict_proba(table)
        return _core.log(np.clip(chances, _SMALLEST, None)), chances

    def metric(self, name: str) -> Metric:
        """Return a metric that fits the model."""
        options = {} if self.is_hybrid else _objective_options(self.model, name)
        return bound_metric(find_metric(name, **options), self.objective, self.classes)

    def chances(self, predicted: Predicted) -> Floats:
        """Return the probability of each class [n, K]."""
        chances = predicted.prediction
        return np.column_stack([1.0 - chances, chances]) if chances.ndim == 1 else chances

    # ---- losses ----------------------------------------------------------------------------------

    @property
    def loss_name(self) -> str:
        """What :meth:`losses` returns, in words."""
        if self.task == "ranking":
            return "1 − NDCG"
        if self.task in ("binary", "multiclass", "multilabel"):
            return "Brier score"
        if self.task == "quantiles":
            return "quantile loss"
        if self.task == "targets":
            return "squared error in variances of the target"
        return "absolute error"

    def losses(self, target: Floats, predicted: Predicted, queries: Queries | None) -> Floats:
        """Return the loss of each row, or of each query of a ranking model.

        Losses of classes are bounded and those of numbers are in units of the target, so that a
        few rows cannot dominate the mean of a slice.
        """
        prediction = predicted.prediction
        if self.task == "ranking":
            ndcg: Any = self.metric("ndcg")
            values: Floats = 1.0 - ndcg.of_queries(queries, target, predicted.raw[:, 0].copy())
            return values
        if self.task == "binary":
            return (prediction - target) ** 2
        if self.task == "multiclass":
            happened = target[:, None] == np.arange(prediction.shape[1])
            return np.asarray(((prediction - happened) ** 2).sum(axis=1))
        if self.task == "multilabel":
            return np.asarray(((prediction - target) ** 2).mean(axis=1))
        if self.task == "quantiles":
            levels = np.asarray(self.levels)
            off = target[:, None] - prediction.reshape(len(target), -1)
            return np.asarray(np.maximum(levels * off, (levels - 1.0) * off).mean(axis=1))
        if self.task == "targets":
            spread = np.maximum(target.var(axis=0), 1e-300)
            return np.asarray(((prediction - target) ** 2 / spread).mean(axis=1))
        return np.abs(prediction - target)


def subject_of(owner: Any) -> Subject:
    """Return the subject of a model or a fitted estimator; raise if there can be no report."""
    fitted = owner._fitted() if hasattr(owner, "_fitted") else owner
    if not hasattr(fitted, "schema") or not hasattr(owner, "predict"):
        raise InvalidTypeError(
            f"model must be a ceiba.Model or a fitted estimator of ceiba. Got {shown(owner)}."
        )
    is_hybrid = not hasattr(fitted, "forest")
    known = vars(owner).get("classes_", getattr(fitted, "classes", None))
    if is_hybrid:
        loss = "squared_error" if known is None else "softmax"
        objective = find_objective(loss)
    else:
        objective = fitted.objective
    task = _task_of(objective, known, fitted)
    classes = None
    if task in ("binary", "multiclass"):
        n_classes = 2 if task == "binary" else fitted.n_outputs if not is_hybrid else len(known)
        classes = np.arange(n_classes) if known is None else np.asarray(known)
    if task == "binary" and objective.task != "binary":
        objective = find_objective("logistic")
    name = type(owner).__name__
    return Subject(owner, fitted, name, fitted.schema, objective, task, classes, is_hybrid)


def _task_of(objective: Objective, classes: Any, model: Any) -> Task:
    if objective.task == "custom":
        if classes is not None or getattr(model, "n_outputs", 1) > 1:
            raise InvalidInputError(
                "A report needs predictions in the units of the target. Got a custom objective "
                "with classes, which predicts raw scores. Train with 'logistic' or 'softmax'."
            )
        return "regression"
    if objective.task in ("binary", "multiclass"):
        n_classes = getattr(model, "n_outputs", 1) if classes is None else len(classes)
        return "binary" if objective.task == "binary" or n_classes == 2 else "multiclass"
    if objective.task in ("multilabel", "ranking"):
        return "multilabel" if objective.task == "multilabel" else "ranking"
    if objective.has_levels and len(objective.levels):
        return "quantiles"
    return "targets" if getattr(model, "n_outputs", 1) > 1 else "regression"


def _objective_options(model: Any, name: str) -> dict[str, Any]:
    """Return the parameters of the training that the metric reads."""
    known = type(find_metric(name)).option_names()
    return {key: value for key, value in model.parameters.items() if key in known}
