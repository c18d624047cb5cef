"""Mean reciprocal rank."""

from __future__ import annotations

from typing import ClassVar

from ceiba import _core
from ceiba.metrics._base import Floats
from ceiba.metrics._ranking import RankingMetric
from ceiba.queries import Queries


class MeanReciprocalRank(RankingMetric):
    """One over the position of the first relevant document; ``mrr@k`` is 0 where it comes later."""

    name: ClassVar[str] = "mrr"
    aliases: ClassVar[tuple[str, ...]] = ("mean_reciprocal_rank",)

    def of_queries(self, queries: Queries, target: Floats, scores: Floats) -> Floats:
        return _core.reciprocal_rank_of_queries(
            queries.rows, queries.offsets, target, scores, self.cutoff, self.empty
        )
