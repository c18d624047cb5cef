"""Balanced accuracy: the mean recall over classes."""

from __future__ import annotations

from typing import ClassVar

from ceiba import _core
from ceiba.metrics._base import Floats
from ceiba.metrics._confusion import ConfusionMetric, ratio


class BalancedAccuracy(ConfusionMetric):
    """Balanced accuracy: the mean recall over the classes in the target."""

    name: ClassVar[str] = "balanced_accuracy"
    aliases: ClassVar[tuple[str, ...]] = ("balanced_accuracy_score", "BalancedAccuracy")
    higher_is_better: ClassVar[bool] = True

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        counts = self.confusion(target, raw, weights)
        of_class = counts.sum(axis=1)
        recalls = ratio(counts.diagonal(), of_class)[of_class > 0]
        return _core.exact_sum(recalls) / len(recalls)
