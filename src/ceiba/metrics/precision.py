"""Precision at k, for ranking."""

from __future__ import annotations

from typing import ClassVar

from ceiba.metrics._ranking import RankingMetric


class Precision(RankingMetric):
    """Share of relevant documents (label above 0) among the first k: ``precision@k``.

    The precision of a query with fewer than k documents is over all of them. Without a relevant
    document it is 0, as in XGBoost. The cutoff k is required: over all positions the share does not
    depend on the order.
    """

    name: ClassVar[str] = "precision"
    aliases: ClassVar[tuple[str, ...]] = ("pre",)
    kernel: ClassVar[str] = "precision"
    value_without_relevant: ClassVar[float] = 0.0
    needs_cutoff: ClassVar[bool] = True
