"""Cross-entropy of target probabilities."""

from __future__ import annotations

from typing import ClassVar

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean


class CrossEntropy(Metric):
    """Mean cross-entropy -t log p - (1 - t) log(1 - p) of targets t between 0 and 1.

    If all targets are 0 or 1 it equals logloss. Otherwise its minimum is above 0.
    """

    name: ClassVar[str] = "cross_entropy"
    aliases: ClassVar[tuple[str, ...]] = ("xentropy", "crossentropy")
    higher_is_better: ClassVar[bool] = False
    needs_log_odds: ClassVar[bool] = True

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        self.one_prediction(prediction)
        if not ((target >= 0.0) & (target <= 1.0)).all():
            raise InvalidInputError(
                f"Metric {self.name} needs targets between 0 and 1. Got other values. For other "
                "targets use rmse, mae or r2."
            )
        return weighted_mean(_core.logistic_loss(target, raw[:, 0]), weights)
