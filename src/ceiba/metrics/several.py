"""`SeveralMetric`: the mean of a metric over several targets."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ceiba.metrics._base import Floats, Metric

__all__ = ["SeveralMetric"]


class SeveralMetric(Metric):
    """The unweighted mean of another metric over the targets [n, K]."""

    name: ClassVar[str] = "several"
    higher_is_better: ClassVar[bool] = False

    def __init__(self, of: Metric) -> None:
        self.of = of
        # Class attributes of other metrics are instance attributes here.
        vars(self).update(name=of.name, higher_is_better=of.higher_is_better)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SeveralMetric) and self.of == other.of

    def __hash__(self) -> int:
        return hash((SeveralMetric, self.of))

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        values = [
            self.of(
                np.ascontiguousarray(target[:, k]),
                np.ascontiguousarray(raw[:, k : k + 1]),
                np.ascontiguousarray(prediction[:, k]),
                weights,
            )
            for k in range(target.shape[1])
        ]
        return sum(values) / len(values)
