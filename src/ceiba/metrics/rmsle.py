"""Root mean squared logarithmic error."""

from __future__ import annotations

import math
from typing import ClassVar

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean


class Rmsle(Metric):
    """Root mean squared error of log(1 + value)."""

    name: ClassVar[str] = "rmsle"
    aliases: ClassVar[tuple[str, ...]] = ("root_mean_squared_log_error",)
    higher_is_better: ClassVar[bool] = False

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        predicted = self.one_prediction(prediction)
        for what, values in (("targets", target), ("predictions", predicted)):
            if not (values > -1.0).all():
                raise InvalidInputError(
                    f"Metric {self.name} needs {what} above -1. Got {values.min():g}. Use metric "
                    "rmse, or an objective whose predictions are positive, such as poisson."
                )
        residuals = _core.log(1.0 + target) - _core.log(1.0 + predicted)
        return math.sqrt(weighted_mean(residuals * residuals, weights))
