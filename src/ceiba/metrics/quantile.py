"""Pinball loss of one or several quantiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ceiba.errors import InvalidInputError
from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean
from ceiba.objectives.quantile import pinball_losses, read_levels


@dataclass(frozen=True)
class QuantileLoss(Metric):
    """Mean pinball loss; for several quantiles, the mean over them."""

    name: ClassVar[str] = "quantile"
    aliases: ClassVar[tuple[str, ...]] = ("pinball", "quantile_loss", "mean_pinball_loss")
    higher_is_better: ClassVar[bool] = False

    quantile: float | tuple[float, ...] = 0.5

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        levels = read_levels(self.quantile)
        columns = prediction[:, None] if prediction.ndim == 1 else prediction
        if columns.shape[1] != len(levels):
            raise InvalidInputError(
                f"Metric quantile needs one prediction for each of its {len(levels)} levels. Got "
                f"{columns.shape[1]}. Set quantile to the levels that the model predicts."
            )
        return weighted_mean(pinball_losses(target, columns, levels), weights) / len(levels)
