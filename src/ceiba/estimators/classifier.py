"""CeibaClassifier: ceiba for classes, behind the interface of scikit-learn.

``base.py`` opens with the life of an estimator.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import ClassifierMixin

from ceiba.data.table import read_table
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.estimators.base import BaseCeiba
from ceiba.estimators.parameters import document, make_init
from ceiba.estimators.rows import Rows, check_lengths, read_rows
from ceiba.estimators.targets import find_classes, read_column, read_weights
from ceiba.objectives import find_objective

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.boosting.continuation import Earlier
    from ceiba.data.missing_values import Reading
    from ceiba.model.model import Model
    from ceiba.parameters.resolving import Parameters

__all__ = ["CeibaClassifier"]


class CeibaClassifier(ClassifierMixin, BaseCeiba):  # type: ignore[misc]
    """Gradient boosting for classes."""

    __init__ = make_init("classifier")
    _kind = "classifier"
    _tasks = ("binary", "multiclass", "custom")

    def _read_rows(
        self, X: Any, y: Any, sample_weight: Any, reading: Reading, earlier: Earlier
    ) -> tuple[Rows, NDArray[Any] | None]:
        table = read_table(X, reading=reading)
        name = type(self).__name__
        if earlier.model is not None and earlier.model.classes is not None:
            classes = earlier.model.classes  # the new rows need not have all of them
            return read_rows(table, y, sample_weight, name, classes), classes
        labels = read_column(y, name)
        check_lengths(table, labels)
        weights = read_weights(sample_weight, len(labels))
        classes, target = find_classes(labels, weights)
        return Rows(table, target, weights), classes

    def _with_objective(self, parameters: Parameters, classes: NDArray[Any] | None) -> Parameters:
        assert classes is not None
        n_classes = len(classes)
        name = parameters.objective or ("logistic" if n_classes == 2 else "softmax")
        task = find_objective(name).task
        if task == "binary" and n_classes > 2:
            raise InvalidParameterError(
                f"objective {name!r} has two classes. Got {n_classes} classes in y. Leave "
                "objective out, or give 'softmax'."
            )
        one_score = task == "binary" or (task == "custom" and n_classes == 2)
        return parameters.replace(objective=name, n_classes=None if one_score else n_classes)

    def _take(self, model: Model) -> Self:
        n_classes = max(2, model.n_outputs)
        known = model.classes
        self.classes_: NDArray[Any] = np.arange(n_classes) if known is None else np.asarray(known)
        return super()._take(model)

    def decision_function(
        self, X: Any, *, iteration_range: tuple[int, int] | None = None
    ) -> NDArray[np.float64]:
        """Return raw scores: log-odds of the second class (half of them with objective
        exponential), or one score for each class.

        ``iteration_range=(begin, end)`` uses the trees of these rounds only.
        """
        model, X = self._ready(X)
        raw = model.predict_raw(X, iteration_range=iteration_range, n_jobs=self._n_jobs())
        return _decision(raw)

    def predict(self, X: Any, *, iteration_range: tuple[int, int] | None = None) -> NDArray[Any]:
        """Return the most probable class of each row.

        ``iteration_range=(begin, end)`` uses the trees of these rounds only.
        """
        model, X = self._ready(X)
        raw = model.predict_raw(X, iteration_range=iteration_range, n_jobs=self._n_jobs())
        return self._labels(raw)

    def predict_proba(
        self, X: Any, *, iteration_range: tuple[int, int] | None = None
    ) -> NDArray[np.float64]:
        """Return the probability of each class.

        ``iteration_range=(begin, end)`` uses the trees of these rounds only.
        """
        model, X = self._ready(X)
        _check_probabilities(model)
        prediction = model.predict(X, iteration_range=iteration_range, n_jobs=self._n_jobs())
        return _probabilities(prediction)

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Yield the most probable classes after each round."""
        model, X = self._ready(X)
        for raw in model.staged_predict_raw(X, n_jobs=self._n_jobs()):
            yield self._labels(raw)

    def staged_predict_proba(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Yield the probabilities of the classes after each round."""
        model, X = self._ready(X)
        _check_probabilities(model)
        for prediction in model.staged_predict(X, n_jobs=self._n_jobs()):
            yield _probabilities(prediction)

    def staged_decision_function(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Yield the raw scores after each round."""
        model, X = self._ready(X)
        for raw in model.staged_predict_raw(X, n_jobs=self._n_jobs()):
            yield _decision(raw)

    def _labels(self, raw: NDArray[np.float64]) -> NDArray[Any]:
        decision = _decision(raw)
        index = decision > 0 if decision.ndim == 1 else decision.argmax(axis=1)
        return self.classes_.take(index)


def _decision(raw: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return [n] for two classes, whatever the objective, and [n, K] for more."""
    if raw.ndim == 2 and raw.shape[1] == 1:
        return raw[:, 0]
    if raw.ndim == 2 and raw.shape[1] == 2:
        return raw[:, 1] - raw[:, 0]
    return raw


def _check_probabilities(model: Model) -> None:
    if model.objective.task == "custom":
        raise InvalidInputError(
            "A custom objective does not say how scores become probabilities. Use "
            "decision_function, which returns the raw scores, and turn them into probabilities as "
            "the loss has it."
        )


def _probabilities(prediction: NDArray[np.float64]) -> NDArray[np.float64]:
    if prediction.ndim == 2:
        return prediction
    both = np.empty((len(prediction), 2))
    both[:, 1] = prediction
    np.subtract(1.0, prediction, out=both[:, 0])
    return both


document(
    "classifier",
    CeibaClassifier,
    more="\n    classes_ : array of shape (n_classes,)\n        The labels, sorted.",
)
