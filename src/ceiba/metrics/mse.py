"""Mean squared error."""

from __future__ import annotations

from typing import ClassVar

from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean


class Mse(Metric):
    """Mean squared error."""

    name: ClassVar[str] = "mse"
    aliases: ClassVar[tuple[str, ...]] = ("l2", "mean_squared_error", "squared_error")
    higher_is_better: ClassVar[bool] = False

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        residuals = target - self.one_prediction(prediction)
        return weighted_mean(residuals * residuals, weights)
