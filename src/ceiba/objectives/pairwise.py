"""Pairwise logistic loss: every two documents of a query that differ in relevance (RankNet)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ceiba import _core
from ceiba.objectives._base import Curvature, Floats
from ceiba.objectives._ranking import RankingObjective


@dataclass(frozen=True)
class Pairwise(RankingObjective):
    """Pairwise logistic loss (RankNet): sum over pairs of a query of log(1 + exp(-difference of
    scores)).

    Labels are numbers, 0 or more, and only their order matters. With ``lambdarank_norm`` a query
    counts as its number of documents, otherwise as its number of pairs.
    """

    name: ClassVar[str] = "pairwise"
    aliases: ClassVar[tuple[str, ...]] = ("rank:pairwise", "PairLogit", "ranknet")
    curvature: ClassVar[Curvature] = "exact"
    measure: ClassVar[Literal["pairwise", "ndcg", "map"]] = "pairwise"

    def losses(self, scores: Floats, target: Floats) -> Floats:
        queries = self.bound_queries()
        return _core.pairwise_losses(
            self.lambdarank_norm, queries.rows, queries.offsets, scores[0], target
        )
