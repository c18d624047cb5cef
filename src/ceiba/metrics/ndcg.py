"""Normalized discounted cumulative gain."""

from __future__ import annotations

from typing import ClassVar

from ceiba import _core
from ceiba.metrics._base import Floats
from ceiba.metrics._ranking import RankingMetric
from ceiba.queries import Queries


class Ndcg(RankingMetric):
    """Gains of the documents over log2(position + 1), divided by those of the best order.

    The gain of label l is 2^l - 1, or l where ``ndcg_exp_gain`` is off.
    """

    name: ClassVar[str] = "ndcg"

    def of_queries(self, queries: Queries, target: Floats, scores: Floats) -> Floats:
        return _core.ndcg_of_queries(
            queries.rows,
            queries.offsets,
            target,
            scores,
            self.cutoff,
            self.empty,
            self.exponential_gains,
        )
