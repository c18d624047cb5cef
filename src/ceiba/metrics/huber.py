"""Huber loss as a metric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean
from ceiba.objectives.huber import huber_losses


@dataclass(frozen=True)
class HuberLoss(Metric):
    """Mean Huber loss with delta ``huber_delta`` (1 if not set).

    The metric does not use the adaptive delta of objective huber: values of different rounds would
    not be comparable.
    """

    name: ClassVar[str] = "huber"
    aliases: ClassVar[tuple[str, ...]] = ("huber_loss",)
    higher_is_better: ClassVar[bool] = False

    huber_delta: float | None = None

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        delta = 1.0 if self.huber_delta is None else self.huber_delta
        return weighted_mean(huber_losses(target, self.one_prediction(prediction), delta), weights)
