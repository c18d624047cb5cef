"""F1: the harmonic mean of precision and recall."""

from __future__ import annotations

from typing import ClassVar

from ceiba import _core
from ceiba.metrics._base import Floats
from ceiba.metrics._confusion import ConfusionMetric, ratio


class F1(ConfusionMetric):
    """F1 score of class 1; with more than two classes the unweighted mean over classes.

    The score of a class without rows and predictions is 0.
    """

    name: ClassVar[str] = "f1"
    aliases: ClassVar[tuple[str, ...]] = ("f1_score",)
    higher_is_better: ClassVar[bool] = True

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        counts = self.confusion(target, raw, weights)
        hits = counts.diagonal()
        scores = ratio(2.0 * hits, counts.sum(axis=0) + counts.sum(axis=1))
        return float(scores[1]) if raw.shape[1] == 1 else _core.exact_sum(scores) / len(scores)
