"""The pseudo-Huber loss as a metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean
from ceiba.objectives.pseudo_huber import pseudo_huber_losses


@dataclass(frozen=True)
class PseudoHuberLoss(Metric):
    """Mean pseudo-Huber loss with delta ``huber_delta`` (1 if not set)."""

    name: ClassVar[str] = "pseudo_huber"
    aliases: ClassVar[tuple[str, ...]] = ("mphe", "pseudohubererror")
    higher_is_better: ClassVar[bool] = False

    huber_delta: float | None = None

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        delta = 1.0 if self.huber_delta is None else self.huber_delta
        losses = pseudo_huber_losses(target, self.one_prediction(prediction), delta)
        return weighted_mean(losses, weights)
