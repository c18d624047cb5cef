"""Mean reciprocal rank."""

from __future__ import annotations

from typing import ClassVar

from ceiba.metrics._ranking import RankingMetric


class MeanReciprocalRank(RankingMetric):
    """Mean reciprocal rank of the first relevant document; ``mrr@k`` is 0 beyond position k."""

    name: ClassVar[str] = "mrr"
    aliases: ClassVar[tuple[str, ...]] = ("mean_reciprocal_rank",)
    kernel: ClassVar[str] = "reciprocal_rank"
