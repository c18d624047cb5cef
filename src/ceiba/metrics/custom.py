"""Custom metrics: functions of the user.

ceiba calls ``function(y_true, y_pred)``. A function with a parameter ``sample_weight`` or a third
required parameter also receives the weights of the eval set. ``y_pred`` are the predictions:
numbers for regression, P(class 1) for two classes, [n, K] probabilities for more classes, raw
scores for a custom objective. The function returns

* a number. The metric has the name of the function. Higher is better if the function has a true
  attribute ``higher_is_better``, or if its name ends in ``_score``. A ``functools.partial``
  inherits both from its function unless it has its own attribute;
* or ``(name, number, higher_is_better)``.

The last bits of the value may depend on row order if the function adds rows in order.
"""

from __future__ import annotations

import inspect
import numbers
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ceiba.errors import InvalidInputError
from ceiba.messages import shown as shortened
from ceiba.metrics._base import Floats, Metric, read_only
from ceiba.parameters.user_functions import check_arguments, name_of, noting, unwrapped


@dataclass(frozen=True)
class CustomMetric(Metric):
    """A metric that a function of the user computes."""

    function: Callable[..., Any]
    name: str  # type: ignore[misc]
    higher_is_better: bool  # type: ignore[misc]

    @classmethod
    def of(cls, function: Callable[..., Any]) -> CustomMetric:
        """Make the metric of a function. `settle` reads its name from the first result."""
        bound = unwrapped(function)
        by_name = any(name_of(entry).endswith("_score") for entry in (function, bound))
        higher = getattr(bound, "higher_is_better", by_name)
        higher = getattr(function, "higher_is_better", higher)
        _check_arguments(function)
        return cls(function, name_of(function), bool(higher))

    def settle(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> Metric:
        """Call the function once before training, to validate it and to read its name."""
        name, _, higher_is_better = self._call(target, prediction, weights)
        return replace(self, name=name, higher_is_better=higher_is_better)

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        return self._call(target, prediction, weights)[1]

    def _call(
        self, target: Floats, prediction: Floats, weights: Floats | None
    ) -> tuple[str, float, bool]:
        shown = read_only(target)
        prediction = prediction.copy()  # may be a view of the training scores
        weights = None if weights is None else read_only(weights)
        weight_argument = _weight_argument(self.function)
        with noting(f"Raised by the custom metric {self.name}."):
            if weight_argument == "keyword":
                returned = self.function(shown, prediction, sample_weight=weights)
            elif weight_argument == "third":
                returned = self.function(shown, prediction, weights)
            else:
                returned = self.function(shown, prediction)
        if _is_number(returned):
            return self.name, self._float(returned), self.higher_is_better
        if (
            isinstance(returned, (tuple, list))
            and len(returned) == 3
            and isinstance(returned[0], str)
            and _is_number(returned[1])
        ):
            return returned[0], self._float(returned[1]), bool(returned[2])
        raise InvalidInputError(
            f"The custom metric {self.name} must return a number, or (name, number, "
            f"higher_is_better). Got {shortened(returned, 100)}."
        )

    def _float(self, value: Any) -> float:
        try:
            return float(value)
        except (OverflowError, ValueError):  # a huge integer, a signaling NaN
            raise InvalidInputError(
                f"The custom metric {self.name} must return a number in the range of float64. Got "
                f"{shortened(value, 40)}."
            ) from None


def _is_number(value: Any) -> bool:
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        value = value.item()
    return isinstance(value, numbers.Real)


def _check_arguments(function: Callable[..., Any]) -> None:
    """Raise InvalidParameterError for a function that cannot be called as a metric."""
    given = _weight_argument(function)
    check_arguments(
        function,
        "A custom metric",
        ("y_true", "y_pred", "sample_weight") if given == "third" else ("y_true", "y_pred"),
        "A third argument, or one named sample_weight, receives the weights. Bind other options "
        "with functools.partial.",
        keywords=("sample_weight",) if given == "keyword" else (),
    )


def _weight_argument(function: Callable[..., Any]) -> str:
    """Return how to pass weights: "keyword", "third" (argument) or "none"."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return "none"
    if "sample_weight" in parameters:
        return "keyword"
    required = [
        parameter
        for parameter in parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    return "third" if len(required) == 3 else "none"
