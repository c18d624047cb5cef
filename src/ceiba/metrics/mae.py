"""Mean absolute error."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean


class Mae(Metric):
    """Mean absolute error."""

    name: ClassVar[str] = "mae"
    aliases: ClassVar[tuple[str, ...]] = ("l1", "mean_absolute_error", "absolute_error")
    higher_is_better: ClassVar[bool] = False

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        residuals = target - self.one_prediction(prediction)
        return weighted_mean(np.abs(residuals), weights)
