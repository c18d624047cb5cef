"""Mean absolute percentage error."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean

#: Minimum absolute target in the denominator, as in scikit-learn.
SMALLEST = float(np.finfo(np.float64).eps)


class Mape(Metric):
    """Mean absolute percentage error."""

    name: ClassVar[str] = "mape"
    aliases: ClassVar[tuple[str, ...]] = ("mean_absolute_percentage_error",)
    higher_is_better: ClassVar[bool] = False

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        residuals = np.abs(target - self.one_prediction(prediction))
        return weighted_mean(residuals / np.maximum(np.abs(target), SMALLEST), weights)
