"""Poisson deviance, for counts and rates."""

from __future__ import annotations

from typing import ClassVar

from ceiba import _core
from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean


class PoissonDeviance(Metric):
    """Mean Poisson deviance, 2 (y log(y / mean) - y + mean); 2 mean for y = 0."""

    name: ClassVar[str] = "poisson_deviance"
    aliases: ClassVar[tuple[str, ...]] = ("poisson", "mean_poisson_deviance")
    higher_is_better: ClassVar[bool] = False

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        mean = self.positive_prediction(prediction)
        target = self.target_from_zero(target)
        # The limit of y log y at 0 is 0 = log(1).
        ratio = target / mean
        ratio[target == 0.0] = 1.0
        return 2.0 * weighted_mean(target * _core.log(ratio) - target + mean, weights)
