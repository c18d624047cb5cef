"""CeibaClassifier: gradient boosting classifier with the scikit-learn interface.

``base.py`` describes the life of an estimator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if

from ceiba.data.named_target import part_target
from ceiba.data.row_values import read_weights
from ceiba.errors import InvalidParameterError, UnknownAttributeError
from ceiba.estimators.base import BaseCeiba
from ceiba.estimators.documentation import document
from ceiba.estimators.rows import Rows, check_lengths, read_rows
from ceiba.estimators.signatures import ClassifierSignature
from ceiba.estimators.targets import find_classes, has_several, read_column, read_labels
from ceiba.messages import warn
from ceiba.model.output import Asked, asked_for, decision, predicted_classes, probabilities
from ceiba.objectives import find_objective

if TYPE_CHECKING:
    from typing import Unpack

    from numpy.typing import NDArray

    from ceiba.boosting.continuation.continued import Earlier
    from ceiba.data.table import Table
    from ceiba.model.model import Model
    from ceiba.model.output import Output
    from ceiba.parameters.resolving import Parameters
    from ceiba.parameters.typed import PredictKeywords

__all__ = ["CeibaClassifier"]

#: Below this number of rows, many classes do not trigger the warning about identifiers.
_FEWEST_ROWS = 20


Method = TypeVar("Method", bound=Callable[..., Any])


def _if_probabilities(method: Method) -> Method:
    """Decorate a method that a classifier with a custom objective does not have."""
    return cast("Method", available_if(_has_probabilities)(method))


def _has_probabilities(classifier: CeibaClassifier) -> bool:
    """Return True; raise UnknownAttributeError for a custom objective."""
    model: Model | None = vars(classifier).get("model_")
    objective = classifier._named_objective() if model is None else model.objective
    if objective is not None and objective.task == "custom":
        raise UnknownAttributeError(
            "A custom objective does not define probabilities. Call decision_function for the raw "
            "scores and apply the link function of your loss."
        )
    return True


class CeibaClassifier(ClassifierSignature, ClassifierMixin, BaseCeiba):  # type: ignore[misc]
    """Gradient boosting classifier."""

    _kind = "classifier"
    _tasks = ("binary", "multiclass", "multilabel", "custom")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        objective = self._named_objective()
        task = "" if objective is None else objective.task
        tags.classifier_tags.multi_class = task != "binary"
        tags.classifier_tags.multi_label = task != "multiclass"
        tags.target_tags.multi_output = task != "multiclass"
        return tags

    def _read_target(self, y: Any, estimator: str) -> NDArray[np.float64]:
        return read_labels(y, estimator)

    def _read_rows(
        self, table: Table, y: Any, sample_weight: Any, earlier: Earlier
    ) -> tuple[Rows, NDArray[Any] | None]:
        name = type(self).__name__
        if earlier.model is not None and earlier.model.classes is not None:
            classes = earlier.model.classes  # the new rows need not contain all of them
            return read_rows(table, y, sample_weight, name, classes), classes
        if has_several(y):
            return super()._read_rows(table, y, sample_weight, earlier)
        labels = read_column(y, name)
        check_lengths(table, labels)
        weights = None
        if sample_weight is not None:
            weights = read_weights(sample_weight, len(labels), "sample_weight")
        classes, target = find_classes(labels, weights)
        if len(labels) >= _FEWEST_ROWS and len(classes) >= len(labels) / 2:
            warn(
                f"y has {len(classes)} classes in {len(labels)} rows, which looks like an "
                "identifier. Use CeibaRegressor for numbers, or a target with few classes."
            )
        return Rows(table, target, weights), classes

    def _with_objective(self, parameters: Parameters, classes: NDArray[Any] | None) -> Parameters:
        if classes is None:
            return _for_labels(parameters)
        n_classes = len(classes)
        name = parameters.objective or ("logistic" if n_classes == 2 else "softmax")
        task = find_objective(name).task
        if task == "binary" and n_classes > 2:
            raise InvalidParameterError(
                f"Only binary classification is supported. The type of the target is multiclass: "
                f"objective {name!r} has two classes. Got {n_classes} classes in y. Leave "
                "objective out, or give 'softmax'."
            )
        if parameters.n_classes not in (None, n_classes):
            raise InvalidParameterError(
                f"n_classes={parameters.n_classes} differs from the {n_classes} classes of y. "
                "Leave it out."
            )
        one_score = task == "binary" or (task == "custom" and n_classes == 2)
        return parameters.replace(objective=name, n_classes=None if one_score else n_classes)

    def _set_model(self, model: Model) -> Self:
        labels = model.objective.task == "multilabel"
        n_classes = model.n_outputs if labels else max(2, model.n_outputs)
        known = model.classes
        self.classes_: NDArray[Any] = np.arange(n_classes) if known is None else np.asarray(known)
        return super()._set_model(model)

    def _predicted(self, model: Model, X: Any, rounds: Any, n_jobs: int | None) -> NDArray[Any]:
        raw = model.predict_raw(X, iteration_range=rounds, n_jobs=n_jobs)
        return self._classes_of(model, raw)

    def _classes_of(self, model: Model, raw: NDArray[np.float64]) -> NDArray[Any]:
        """Return the class of each row, or 0 and 1 for each label."""
        even = model.objective.even_score
        if model.objective.task == "multilabel":
            return (raw > even).astype(np.int64)
        return self.classes_.take(predicted_classes(raw, even))

    def _answer(self, model: Model, X: Any, asked: Asked) -> NDArray[Any]:
        """Return classes, or the output that the caller names."""
        if asked.output in ("", "class"):
            return self._predicted(model, X, asked.iteration_range, asked.n_jobs)
        answer: NDArray[Any] = model.answer(X, asked)
        return _decision(model, answer) if asked.output == "raw" else answer

    def decision_function(
        self,
        X: Any,
        *,
        iteration_range: tuple[int, int] | None = None,
        n_jobs: int | None = None,
        **other_names: Unpack[PredictKeywords],
    ) -> NDArray[np.float64]:
        """Return raw scores: log-odds of the second class (half of them with objective
        exponential), or one score for each class.

        ``iteration_range=(begin, end)`` uses the trees of these rounds only.
        """
        return self._of_output("raw", X, iteration_range, n_jobs, other_names)

    def predict(
        self,
        X: Any,
        *,
        iteration_range: tuple[int, int] | None = None,
        n_jobs: int | None = None,
        **other_names: Unpack[PredictKeywords],
    ) -> NDArray[Any]:
        """Return the most probable class of each row.

        ``iteration_range=(begin, end)`` uses the trees of these rounds only.
        """
        return super().predict(X, iteration_range=iteration_range, n_jobs=n_jobs, **other_names)

    @_if_probabilities
    def predict_proba(
        self,
        X: Any,
        *,
        iteration_range: tuple[int, int] | None = None,
        n_jobs: int | None = None,
        **other_names: Unpack[PredictKeywords],
    ) -> NDArray[np.float64]:
        """Return the probability of each class.

        ``iteration_range=(begin, end)`` uses the trees of these rounds only.
        """
        return self._of_output("probability", X, iteration_range, n_jobs, other_names)

    @_if_probabilities
    def predict_log_proba(
        self,
        X: Any,
        *,
        iteration_range: tuple[int, int] | None = None,
        n_jobs: int | None = None,
        **other_names: Unpack[PredictKeywords],
    ) -> NDArray[np.float64]:
        """Return the logarithm of the probability of each class.

        ``iteration_range=(begin, end)`` uses the trees of these rounds only.
        """
        return self._of_output("log_probability", X, iteration_range, n_jobs, other_names)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy: the share of rows whose class (or all labels) is predicted.

        ``y`` may be the name of a column of X.
        """
        X, y = part_target(X, y)
        return float(super().score(X, y, sample_weight))

    def _of_output(
        self,
        output: Output,
        X: Any,
        iteration_range: Any,
        n_jobs: int | None,
        other_names: Mapping[str, Any],
    ) -> NDArray[np.float64]:
        model, X = self._ready(X)
        n_jobs = self._n_jobs() if n_jobs is None else n_jobs
        if output == "probability" and not other_names:  # fast path for single rows
            found = model.predict(X, iteration_range=iteration_range, n_jobs=n_jobs)
            return probabilities(found)
        asked = asked_for(model.n_iterations, iteration_range, n_jobs, other_names)
        return self._answer(model, X, asked if asked.output else asked._replace(output=output))

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Yield the most probable classes after each round."""
        model, X = self._ready(X)
        for raw in model.staged_predict_raw(X, n_jobs=self._n_jobs()):
            yield self._classes_of(model, raw)

    @_if_probabilities
    def staged_predict_proba(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Yield the probabilities of the classes after each round."""
        model, X = self._ready(X)
        for prediction in model.staged_predict(X, n_jobs=self._n_jobs()):
            yield probabilities(prediction)

    def staged_decision_function(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Yield the raw scores after each round."""
        model, X = self._ready(X)
        for raw in model.staged_predict_raw(X, n_jobs=self._n_jobs()):
            yield _decision(model, raw)


def _decision(model: Model, raw: NDArray[np.float64]) -> NDArray[np.float64]:
    even = model.objective.even_score
    return raw if model.objective.task == "multilabel" else decision(raw, even)


def _for_labels(parameters: Parameters) -> Parameters:
    """Return the parameters of a multilabel training."""
    name = parameters.objective or "logistic"
    if find_objective(name).task not in ("binary", "custom"):
        raise InvalidParameterError(
            f"objective {name!r} does not support multilabel targets. Got y with several "
            "columns. Leave objective out, or give one column of classes."
        )
    if parameters.n_classes is not None:
        raise InvalidParameterError(
            "n_classes requires one column of classes. Got y with several columns of labels. Leave "
            "n_classes out."
        )
    return parameters.replace(objective=name)


document(
    "classifier",
    CeibaClassifier,
    """
>>> import numpy as np
>>> from ceiba import CeibaClassifier
>>> X = np.arange(200.0).reshape(100, 2)
>>> y = np.where(X[:, 0] > 99, "late", "early")
>>> classifier = CeibaClassifier(n_estimators=50, max_leaves=7).fit(X, y)
>>> classifier.predict(X[[0, -1]])
array(['early', 'late'], dtype='<U5')
>>> classifier.predict_proba(X[:1]).shape
(1, 2)
""",
    more="\n    classes_ : array of shape (n_classes,)\n        The labels, sorted.",
)
