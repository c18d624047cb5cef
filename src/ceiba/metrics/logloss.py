"""Log loss of two classes."""

from __future__ import annotations

from typing import ClassVar

from ceiba import _core
from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean


class LogLoss(Metric):
    """Log loss of two classes, computed from the log-odds.

    Probabilities are not clipped, so confident errors count with their full loss.
    """

    name: ClassVar[str] = "logloss"
    aliases: ClassVar[tuple[str, ...]] = (
        "log_loss",
        "binary_logloss",
        "binary_crossentropy",
    )
    higher_is_better: ClassVar[bool] = False
    needs_log_odds: ClassVar[bool] = True

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        self.one_prediction(prediction)
        return weighted_mean(_core.logistic_loss(self.two_classes(target), raw[:, 0]), weights)
