"""LambdaRank by MAP: pairs weighted by how much average precision changes when they swap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ceiba import _core
from ceiba.objectives._base import Floats
from ceiba.objectives._ranking import LambdarankObjective


@dataclass(frozen=True)
class LambdarankMap(LambdarankObjective):
    """LambdaRank with the change of average precision. A label above 0 means relevant.

    Pairs count where one of the two is among the first ``lambdarank_truncation_level`` positions.
    The forces are no slope of a loss; ``losses`` is one less average precision.
    """

    name: ClassVar[str] = "lambdarank_map"
    aliases: ClassVar[tuple[str, ...]] = ("rank:map", "map")
    default_metric: ClassVar[str] = "map"
    measure: ClassVar[Literal["pairwise", "ndcg", "map"]] = "map"

    def losses(self, scores: Floats, target: Floats) -> Floats:
        queries = self.bound_queries()
        values = _core.average_precision_of_queries(
            queries.rows, queries.offsets, target, scores[0], 0, 1.0
        )
        losses: Floats = ((1.0 - values) / queries.sizes)[queries.numbers]
        return losses
