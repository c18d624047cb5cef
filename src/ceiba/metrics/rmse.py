"""Root mean squared error."""

from __future__ import annotations

import math
from typing import ClassVar

from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean


class Rmse(Metric):
    """Root mean squared error."""

    name: ClassVar[str] = "rmse"
    aliases: ClassVar[tuple[str, ...]] = ("root_mean_squared_error", "l2_root")
    higher_is_better: ClassVar[bool] = False

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        residuals = target - self.one_prediction(prediction)
        return math.sqrt(weighted_mean(residuals * residuals, weights))
