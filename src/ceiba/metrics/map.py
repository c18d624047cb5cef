"""Mean average precision."""

from __future__ import annotations

from typing import ClassVar

from ceiba.metrics._ranking import RankingMetric


class MeanAveragePrecision(RankingMetric):
    """Mean average precision; ``map@k`` counts the first k positions.

    ``map@k`` adds up the first k positions and divides by the relevant documents that they could
    hold.
    """

    name: ClassVar[str] = "map"
    aliases: ClassVar[tuple[str, ...]] = ("mean_average_precision",)
    kernel: ClassVar[str] = "average_precision"
