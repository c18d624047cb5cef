"""Matthews correlation coefficient."""

from __future__ import annotations

import math
from typing import ClassVar

from ceiba.metrics._base import Floats
from ceiba.metrics._confusion import ConfusionMetric


class MatthewsCorrelation(ConfusionMetric):
    """Matthews correlation coefficient, from -1 to 1.

    0 if all rows have, or are predicted to have, the same class.
    """

    name: ClassVar[str] = "mcc"
    aliases: ClassVar[tuple[str, ...]] = ("matthews_corrcoef",)
    higher_is_better: ClassVar[bool] = True

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        counts = self.confusion(target, raw, weights)
        counts = counts / counts.sum()
        true, predicted = counts.sum(axis=1), counts.sum(axis=0)
        both = float(counts.diagonal().sum() - true @ predicted)
        spread = (1.0 - float(true @ true)) * (1.0 - float(predicted @ predicted))
        return both / math.sqrt(spread) if spread > 0.0 else 0.0
