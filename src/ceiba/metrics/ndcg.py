"""Normalized discounted cumulative gain."""

from __future__ import annotations

from typing import ClassVar

from ceiba.metrics._ranking import RankingMetric


class Ndcg(RankingMetric):
    """Normalized discounted cumulative gain; ``ndcg@k`` counts the first k positions.

    The gain of label l is 2^l - 1, or l if ``ndcg_exp_gain`` is False.
    """

    name: ClassVar[str] = "ndcg"
    kernel: ClassVar[str] = "ndcg"

    @classmethod
    def option_names(cls) -> tuple[str, ...]:
        return ("ndcg_exp_gain",)
