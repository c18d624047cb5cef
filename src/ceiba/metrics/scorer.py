"""Scorers and metrics of scikit-learn as metrics.

A scorer (``make_scorer``, or a name such as ``"f1_macro"``) specifies its input (classes,
probabilities or decision values) and whether higher is better. Functions of ``sklearn.metrics``
that compare labels receive classes, also if ``functools.partial`` sets their options. Other
functions are custom metrics (``custom.py``). Classes are indices from 0, or the labels of the user
if the scorer has the option ``pos_label`` or ``labels``.

The last bits of the value may depend on row order, because scikit-learn's sums are not exact.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.metrics._base import Floats, Metric, read_only
from ceiba.parameters.user_functions import name_of, unwrapped

if TYPE_CHECKING:
    from ceiba.objectives import Objective

__all__ = ["ScorerMetric", "find_scorer", "scorer_names"]

#: Functions of sklearn.metrics whose ``y_pred`` are probabilities, among those of classes.
_OF_PROBABILITIES = frozenset({"log_loss", "d2_log_loss_score", "d2_brier_score"})
_OF_CLASSES = "sklearn.metrics._classification"


@dataclass(frozen=True)
class ScorerMetric(Metric):
    """A function of scikit-learn with its input type and options."""

    function: Callable[..., Any]
    name: str  # type: ignore[misc]
    higher_is_better: bool  # type: ignore[misc]
    #: Input types in order of preference: predict, predict_proba, decision_function.
    wants: tuple[str, ...]
    sign: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)
    classes: NDArray[Any] | None = field(default=None, compare=False)
    of_classes: bool = False

    @classmethod
    def option_names(cls) -> tuple[str, ...]:
        return ()

    def bound_to(self, objective: Objective, classes: NDArray[Any] | None) -> Metric:
        if objective.task == "ranking":
            raise InvalidParameterError(
                f"Metric {self.name} of scikit-learn does not support ranking objectives such as "
                f"{objective.name}. Use precision@k, ndcg, map or mrr."
            )
        of_classes = objective.task in ("binary", "multiclass") or classes is not None
        if not of_classes and self.wants != ("predict",):
            raise InvalidParameterError(
                f"Metric {self.name} of scikit-learn needs class probabilities. Objective "
                f"{objective.name} has none. Use CeibaClassifier, or another metric."
            )
        return replace(self, classes=classes, of_classes=of_classes)

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        true: NDArray[Any] = read_only(target)
        predicted: NDArray[Any] = prediction
        if self.of_classes:
            true = self._labels(target.astype(np.intp))
            if self.wants[0] == "predict":
                predicted = self._labels(self.predicted_classes(target, raw).astype(np.intp))
            elif self.wants[0] == "decision_function":
                predicted = raw[:, 0] if raw.shape[1] == 1 else raw
        given = dict(self.options)
        if weights is not None and _takes_weights(self.function):
            given["sample_weight"] = read_only(weights)
        try:
            # Copy: the predictions may be a view of the training scores.
            return float(self.sign * self.function(true, predicted.copy(), **given))
        except (TypeError, ValueError) as error:
            raise InvalidInputError(
                f"Metric {self.name} of scikit-learn does not fit this model: {error}"
            ) from error

    def _labels(self, index: NDArray[np.intp]) -> NDArray[Any]:
        named = self.classes is not None and {"pos_label", "labels"} & self.options.keys()
        return self.classes[index] if named and self.classes is not None else index


def find_scorer(metric: Any) -> ScorerMetric | None:
    """Return the metric for a scorer, its name, or a function that compares labels; else None."""
    if isinstance(metric, str):
        return _named(metric)
    _refuse_estimator_scorer(metric)
    function = getattr(metric, "_score_func", None)
    if function is not None and hasattr(metric, "_sign"):
        wants = getattr(metric, "_response_method", "predict")
        wants = (wants,) if isinstance(wants, str) else tuple(wants)
        sign, options = int(metric._sign), dict(metric._kwargs)
        name = ("" if sign > 0 else "neg_") + function.__name__
        return ScorerMetric(function, name, True, wants, sign, options)
    function = unwrapped(metric)
    options = metric.keywords if isinstance(metric, partial) else {}
    if not _compares_labels(function) or (isinstance(metric, partial) and metric.args):
        return None
    higher = function.__name__.endswith(("_score", "_corrcoef"))
    return ScorerMetric(
        function,
        name_of(metric),
        bool(getattr(metric, "higher_is_better", higher)),
        ("predict",),
        options=dict(options),
    )


def _compares_labels(function: Any) -> bool:
    """Return whether a function is one of scikit-learn whose ``y_pred`` are classes."""
    if getattr(function, "__module__", "") != _OF_CLASSES:
        return False
    if getattr(function, "__name__", "") in _OF_PROBABILITIES:
        return False
    return "y_pred" in inspect.signature(function).parameters


def _refuse_estimator_scorer(metric: Any) -> None:
    """Raise for scorers that call an estimator: its score method, and multi-metric scorers."""
    kind = type(metric)
    if not kind.__module__.startswith("sklearn.metrics") or hasattr(metric, "_score_func"):
        return
    if kind.__name__ in ("_PassthroughScorer", "_MultimetricScorer"):
        raise InvalidParameterError(
            f"eval_metric must compare targets with predictions. Got scikit-learn's {kind.__name__}"
            ", which calls an estimator. Use the name of a metric such as 'r2' or 'accuracy', or a "
            "list of names."
        )


def scorer_names() -> list[str]:
    """Return the names of the scorers of scikit-learn."""
    from sklearn.metrics import get_scorer_names

    return list(get_scorer_names())


def _named(name: str) -> ScorerMetric | None:
    from sklearn.metrics import get_scorer

    if name not in scorer_names():
        return None
    found = find_scorer(get_scorer(name))
    return None if found is None else replace(found, name=name)


def _takes_weights(function: Callable[..., Any]) -> bool:
    return "sample_weight" in inspect.signature(function).parameters
