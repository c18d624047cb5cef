"""Gamma deviance, for positive amounts."""

from __future__ import annotations

from typing import ClassVar

from ceiba import _core
from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean


class GammaDeviance(Metric):
    """Mean gamma deviance, 2 (log(mean / y) + y / mean - 1)."""

    name: ClassVar[str] = "gamma_deviance"
    aliases: ClassVar[tuple[str, ...]] = ("gamma", "gamma-deviance", "mean_gamma_deviance")
    higher_is_better: ClassVar[bool] = False

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        mean = self.positive_prediction(prediction)
        target = self.target_from_zero(target, zero_too=False)
        ratio = target / mean
        return 2.0 * weighted_mean(ratio - 1.0 - _core.log(ratio), weights)
