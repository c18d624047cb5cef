"""Cohen's kappa."""

from __future__ import annotations

from typing import ClassVar

from ceiba.metrics._base import Floats
from ceiba.metrics._confusion import ConfusionMetric


class CohenKappa(ConfusionMetric):
    """Cohen's kappa: agreement corrected for chance.

    1 if all rows have, and are predicted to have, the same class.
    """

    name: ClassVar[str] = "cohen_kappa"
    aliases: ClassVar[tuple[str, ...]] = ("cohen_kappa_score", "kappa")
    higher_is_better: ClassVar[bool] = True

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        counts = self.confusion(target, raw, weights)
        counts = counts / counts.sum()
        by_chance = float(counts.sum(axis=1) @ counts.sum(axis=0))
        agreeing = float(counts.diagonal().sum())
        return (agreeing - by_chance) / (1.0 - by_chance) if by_chance < 1.0 else 1.0
