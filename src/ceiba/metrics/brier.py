"""Brier score."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ceiba.errors import InvalidInputError
from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean


class Brier(Metric):
    """Brier score: mean (P(class 1) - class)²; with more classes, summed over classes."""

    name: ClassVar[str] = "brier"
    aliases: ClassVar[tuple[str, ...]] = ("brier_score", "brier_score_loss", "BrierScore")
    higher_is_better: ClassVar[bool] = False
    needs_log_odds: ClassVar[bool] = True

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        if prediction.ndim == 1 or prediction.shape[1] == 1:
            shares = self.one_prediction(prediction)
            if not ((shares >= 0.0) & (shares <= 1.0)).all():
                raise InvalidInputError(
                    "Metric brier needs predictions between 0 and 1. Got other values. For raw "
                    "scores of a custom objective, pass a function as metric."
                )
            return weighted_mean((shares - self.two_classes(target)) ** 2, weights)
        happened = target[:, None] == np.arange(prediction.shape[1])
        return weighted_mean(((prediction - happened) ** 2).sum(axis=1), weights)
