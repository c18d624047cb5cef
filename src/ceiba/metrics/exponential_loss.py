"""Exponential loss of two classes."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ceiba import _core
from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean

#: Limit of half the log-odds, as in the objective.
LARGEST_EXPONENT = 300.0


class ExponentialLoss(Metric):
    """Mean exponential loss exp(-s) for class 1 and exp(s) for class 0; s is half the log-odds."""

    name: ClassVar[str] = "exponential_loss"
    aliases: ClassVar[tuple[str, ...]] = ("exponential",)
    higher_is_better: ClassVar[bool] = False
    needs_log_odds: ClassVar[bool] = True

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        self.one_prediction(prediction)
        scores = 0.5 * raw[:, 0]
        toward = np.where(self.two_classes(target) == 1.0, -scores, scores)
        limited = np.clip(toward, -LARGEST_EXPONENT, LARGEST_EXPONENT)
        return weighted_mean(_core.exp(limited), weights)
