"""What a metric is.

The life of a metric:

1. ``find_metric("auc")`` makes one. It is a value; where it has options, such as the level of a
   quantile, it is a frozen dataclass, and its fields have the names of parameters.
2. After every round it is called once for each eval set, with the target, the raw scores [n, K],
   the predictions made of them (``Objective.predict``) and the weights, and returns one number.
3. ``higher_is_better`` tells early stopping which way is up.

The number may decide when training stops, so it must not depend on the order of the rows: every
sum is ``weighted_mean`` or another exact sum, never a numpy reduction, and exp and log are ours.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidInputError

Floats = NDArray[np.float64]


class Metric(ABC):
    """One number that says how good predictions are."""

    name: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    higher_is_better: ClassVar[bool]

    @abstractmethod
    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        """The metric of n rows; ``raw`` has [n, K], ``prediction`` [n] or [n, K]."""

    def one_prediction(self, prediction: Floats) -> Floats:
        """``prediction`` as [n]; an error where the model predicts several numbers for a row."""
        if prediction.ndim == 2 and prediction.shape[1] == 1:
            return prediction[:, 0]
        if prediction.ndim != 1:
            raise InvalidInputError(
                f"Metric {self.name} needs one prediction for each row. Got "
                f"{prediction.shape[1]} for each. Metrics for several classes are multi_logloss, "
                "accuracy and error, and for several quantiles quantile."
            )
        return prediction

    def two_classes(self, target: Floats) -> Floats:
        """``target``; an error where it is not made of 0 and 1."""
        if ((target != 0.0) & (target != 1.0)).any():
            raise InvalidInputError(
                f"Metric {self.name} needs a target of 0 and 1. Got other values. Metrics for "
                "other targets are rmse, mae, r2 and, for several classes, multi_logloss."
            )
        return target

    def predicted_classes(self, target: Floats, prediction: Floats) -> Floats:
        """The most probable class of every row; ties go to the lower class."""
        if prediction.ndim == 2 and prediction.shape[1] > 1:
            winners: NDArray[np.intp] = np.argmax(prediction, axis=1)
            return winners.astype(np.float64)
        self.two_classes(target)
        return (self.one_prediction(prediction) > 0.5).astype(np.float64)
