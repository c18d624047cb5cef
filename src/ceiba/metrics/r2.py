"""Coefficient of determination, R²."""

from __future__ import annotations

from typing import ClassVar

from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean


class R2(Metric):
    """Coefficient of determination, R²: 1 minus the squared error divided by the variance.

    For a constant target it is 1 if the predictions are perfect, and 0 otherwise.
    """

    name: ClassVar[str] = "r2"
    aliases: ClassVar[tuple[str, ...]] = ("r2_score",)
    higher_is_better: ClassVar[bool] = True

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        residuals = target - self.one_prediction(prediction)
        deviations = target - weighted_mean(target, weights)
        unexplained = weighted_mean(residuals * residuals, weights)
        variance = weighted_mean(deviations * deviations, weights)
        if variance == 0.0:
            return 1.0 if unexplained == 0.0 else 0.0
        return 1.0 - unexplained / variance
