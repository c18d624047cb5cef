"""Mean average precision."""

from __future__ import annotations

from typing import ClassVar

from ceiba import _core
from ceiba.metrics._base import Floats
from ceiba.metrics._ranking import RankingMetric
from ceiba.queries import Queries


class MeanAveragePrecision(RankingMetric):
    """Mean, over relevant documents, of the share of relevant ones down to their position.

    ``map@k`` adds up the first k positions and divides by the relevant documents that they could
    hold.
    """

    name: ClassVar[str] = "map"
    aliases: ClassVar[tuple[str, ...]] = ("mean_average_precision",)

    def of_queries(self, queries: Queries, target: Floats, scores: Floats) -> Floats:
        return _core.average_precision_of_queries(
            queries.rows, queries.offsets, target, scores, self.cutoff, self.empty
        )
