"""LambdaRank by NDCG: pairs weighted by how much NDCG changes when they change places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ceiba import _core
from ceiba.objectives._base import Floats
from ceiba.objectives._ranking import LambdarankObjective


@dataclass(frozen=True)
class LambdarankNdcg(LambdarankObjective):
    """LambdaRank: pairwise loss weighted by the change of NDCG. Labels are grades.

    A document of relevance l is worth 2^l - 1 (l itself without ``ndcg_exp_gain``). Pairs count
    where one of the two is among the first ``lambdarank_truncation_level`` positions. The forces
    are no slope of a loss; ``losses`` is one less NDCG, which they make small.
    """

    name: ClassVar[str] = "lambdarank_ndcg"
    aliases: ClassVar[tuple[str, ...]] = ("lambdarank", "rank:ndcg", "ndcg", "LambdaMart")
    measure: ClassVar[Literal["pairwise", "ndcg", "map"]] = "ndcg"

    ndcg_exp_gain: bool = True

    def check_target(self, target: Floats, n_outputs: int | None = None) -> None:
        self.check_labels(target, whole=self.ndcg_exp_gain)

    def exponential_gains(self) -> bool:
        return self.ndcg_exp_gain

    def losses(self, scores: Floats, target: Floats) -> Floats:
        queries = self.bound_queries()
        values = _core.ndcg_of_queries(
            queries.rows, queries.offsets, target, scores[0], 0, 1.0, self.ndcg_exp_gain
        )
        losses: Floats = ((1.0 - values) / queries.sizes)[queries.numbers]
        return losses
