"""Share of rows whose class is not predicted."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean


class Error(Metric):
    """Weighted share of rows whose class has not the highest score; ties as for accuracy."""

    name: ClassVar[str] = "error"
    aliases: ClassVar[tuple[str, ...]] = ("merror", "binary_error", "multi_error", "zero_one_loss")
    higher_is_better: ClassVar[bool] = False
    needs_log_odds: ClassVar[bool] = True

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        predicted = self.predicted_classes(target, raw)
        return weighted_mean((predicted != target).astype(np.float64), weights)
