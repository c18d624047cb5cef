"""CeibaRegressor and CeibaClassifier: ceiba behind the interface of scikit-learn.

The life of an estimator:

1. the constructor stores what the user wrote, under the names that the user wrote;
2. ``fit`` resolves the parameters, reads the data, and trains ``model_``;
3. the other methods check the columns and ask ``model_``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin

from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.estimator_base import BaseCeiba, NotFittedError
from ceiba.estimator_parameters import document, make_init
from ceiba.estimator_targets import (
    Rows,
    check_lengths,
    encode_labels,
    find_classes,
    read_column,
    read_numbers,
    read_weights,
)
from ceiba.missing_values import Reading
from ceiba.objectives import find_objective
from ceiba.tables import read_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.model import Model
    from ceiba.resolving import Parameters

__all__ = ["CeibaClassifier", "CeibaRegressor", "NotFittedError"]


class CeibaRegressor(RegressorMixin, BaseCeiba):  # type: ignore[misc]
    """Gradient boosting for numbers."""

    __init__ = make_init("regressor")

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        eval_set: Any = None,
        callbacks: Iterable[Any] | None = None,
        init_model: Any = None,
        resume_from: Any = None,
    ) -> Self:
        """Train the model.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            numpy array, pandas, polars or arrow table, scipy sparse matrix, or list of rows. NaN
            means missing.
        y : array of shape (n_rows,)
            Target.
        sample_weight : array of shape (n_rows,), optional
            Weights; a row of weight k counts as k rows, one of weight 0 as none.
        eval_set : list of (X, y) or (X, y, weights), optional
            Scored after every round. The last one decides early stopping.
        callbacks : list, optional
            See :mod:`ceiba.callbacks`.
        init_model : Model, fitted estimator or path, optional
            Put ``n_estimators`` further rounds on top of this model; see :func:`ceiba.train`.
        resume_from : path, optional
            Go on with a training that was cut off, from a file of :class:`ceiba.Checkpoint`.

        Notes
        -----
        Ctrl-C ends the training after the last complete round. The estimator is then fitted with
        the trees so far, and KeyboardInterrupt is raised all the same.
        """
        parameters = self._resolve()
        earlier = self._earlier(init_model, resume_from)
        objective = find_objective(parameters.objective or "squared_error")
        if objective.task not in ("regression", "custom"):
            raise InvalidParameterError(
                f"objective {objective.name!r} is not one for a regressor. Use "
                f"{'CeibaRanker' if objective.task == 'ranking' else 'CeibaClassifier'}."
            )
        table = read_table(X, reading=Reading.of(dict(parameters.items())))
        target = read_numbers(y, type(self).__name__)
        check_lengths(table, target)
        weights = read_weights(sample_weight, len(target))
        rows = Rows(table, target, weights)
        return self._train(parameters, rows, eval_set, callbacks, earlier=earlier)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the predictions."""
        model, X = self._ready(X)
        return model.predict(X, n_jobs=self._n_jobs())

    def staged_predict(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Yield the predictions after each round."""
        model, X = self._ready(X)
        yield from model.staged_predict(X, n_jobs=self._n_jobs())

    def _check_model(self, model: Model) -> Model:
        if model.objective.task not in ("regression", "custom"):
            raise InvalidInputError(
                f"The file holds a model of objective {model.objective.name}. Load it with "
                "CeibaClassifier, CeibaRanker or ceiba.load_model."
            )
        return model


class CeibaClassifier(ClassifierMixin, BaseCeiba):  # type: ignore[misc]
    """Gradient boosting for classes."""

    __init__ = make_init("classifier")

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        eval_set: Any = None,
        callbacks: Iterable[Any] | None = None,
        init_model: Any = None,
        resume_from: Any = None,
    ) -> Self:
        """Train the model.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            numpy array, pandas, polars or arrow table, scipy sparse matrix, or list of rows. NaN
            means missing.
        y : array of shape (n_rows,)
            Labels: strings, booleans or whole numbers.
        sample_weight : array of shape (n_rows,), optional
            Weights; a row of weight k counts as k rows, one of weight 0 as none.
        eval_set : list of (X, y) or (X, y, weights), optional
            Scored after every round. The last one decides early stopping.
        callbacks : list, optional
            See :mod:`ceiba.callbacks`.
        init_model : Model, fitted estimator or path, optional
            Put ``n_estimators`` further rounds on top of this model; see :func:`ceiba.train`.
        resume_from : path, optional
            Go on with a training that was cut off, from a file of :class:`ceiba.Checkpoint`.

        Notes
        -----
        Ctrl-C ends the training after the last complete round. The estimator is then fitted with
        the trees so far, and KeyboardInterrupt is raised all the same.
        """
        parameters = self._resolve()
        earlier = self._earlier(init_model, resume_from)
        table = read_table(X, reading=Reading.of(dict(parameters.items())))
        labels = read_column(y, type(self).__name__)
        check_lengths(table, labels)
        weights = read_weights(sample_weight, len(labels))
        if earlier.model is not None and earlier.model.classes is not None:
            classes = earlier.model.classes  # the new rows need not have all of them
            target = encode_labels(labels, classes)
        else:
            classes, target = find_classes(labels, weights)
        parameters = _classification(parameters, len(classes))
        rows = Rows(table, target, weights)
        return self._train(parameters, rows, eval_set, callbacks, classes, earlier=earlier)

    def _take(self, model: Model) -> Self:
        n_classes = max(2, model.n_outputs)
        known = model.classes
        self.classes_: NDArray[Any] = np.arange(n_classes) if known is None else np.asarray(known)
        return super()._take(model)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return raw scores: log-odds of the second class (half of them with objective
        exponential), or one score for each class.
        """
        model, X = self._ready(X)
        return _decision(model.predict_raw(X, n_jobs=self._n_jobs()))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        model, X = self._ready(X)
        return self._labels(model.predict_raw(X, n_jobs=self._n_jobs()))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class."""
        model, X = self._ready(X)
        _check_probabilities(model)
        return _probabilities(model.predict(X, n_jobs=self._n_jobs()))

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

    def _labels(self, raw: NDArray[np.float64]) -> NDArray[Any]:
        decision = _decision(raw)
        index = decision > 0 if decision.ndim == 1 else decision.argmax(axis=1)
        return self.classes_.take(index)

    def _check_model(self, model: Model) -> Model:
        if model.objective.task not in ("binary", "multiclass", "custom"):
            raise InvalidInputError(
                f"The file holds a model of objective {model.objective.name}. Load it with "
                "CeibaRegressor, CeibaRanker or ceiba.load_model."
            )
        return model


def _classification(parameters: Parameters, n_classes: int) -> Parameters:
    """Choose the objective where the user named none, and check one that the user named."""
    name = parameters.objective or ("logistic" if n_classes == 2 else "softmax")
    task = find_objective(name).task
    if task not in ("binary", "multiclass", "custom"):
        raise InvalidParameterError(
            f"objective {name!r} is not one for a classifier. Leave objective out, or use "
            "CeibaRegressor."
        )
    if task == "binary" and n_classes > 2:
        raise InvalidParameterError(
            f"objective {name!r} has two classes. Got {n_classes} classes in y. Leave objective "
            "out, or give 'softmax'."
        )
    one_score = task == "binary" or (task == "custom" and n_classes == 2)
    return parameters.replace(objective=name, n_classes=None if one_score else n_classes)


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


document("regressor", CeibaRegressor)
document(
    "classifier",
    CeibaClassifier,
    more="\n    classes_ : array of shape (n_classes,)\n        The labels, sorted.",
)
