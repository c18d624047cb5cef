"""Mean average precision."""

from __future__ import annotations

from typing import ClassVar

from ceiba.metrics._ranking import RankingMetric


class MeanAveragePrecision(RankingMetric):
    """Mean average precision; ``map@k`` counts the first k positions.

    ``map@k`` divides the sum over the first k positions by min(k, number of relevant documents).
    """

    name: ClassVar[str] = "map"
    aliases: ClassVar[tuple[str, ...]] = ("mean_average_precision",)
    kernel: ClassVar[str] = "average_precision"
