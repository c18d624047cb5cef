"""Classification accuracy."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean


class Accuracy(Metric):
    """Share of correctly classified rows; ties go to the lower class."""

    name: ClassVar[str] = "accuracy"
    aliases: ClassVar[tuple[str, ...]] = ("acc", "accuracy_score")
    higher_is_better: ClassVar[bool] = True
    needs_log_odds: ClassVar[bool] = True

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        predicted = self.predicted_classes(target, raw)
        return weighted_mean((predicted == target).astype(np.float64), weights)
