"""What the ranking objectives share.

A ranking objective is found, checked and saved like any other, without queries. Before it is asked
for gradients or losses, ``for_queries`` binds it to the queries of the rows; the bound copy lives
as long as the training, and the model keeps the objective that is not bound.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Literal, Self

import numpy as np

from ceiba import _core
from ceiba.data.queries import Queries
from ceiba.errors import InvalidInputError
from ceiba.objectives._base import (
    Curvature,
    Floats,
    Objective,
    Slope,
    Start,
    Task,
    describe_values,
)

#: The largest label whose gain 2^label - 1 leaves room for sums.
LARGEST_LABEL = 31


@dataclass(frozen=True)
class RankingObjective(Objective):
    """Scores order the documents of a query; only their differences within a query matter."""

    task: ClassVar[Task] = "ranking"
    default_metric: ClassVar[str] = "ndcg"
    needs_queries: ClassVar[bool] = True
    start: ClassVar[Start] = "optimal"
    curvature: ClassVar[Curvature] = "surrogate"
    #: What a pair of documents is weighted by.
    measure: ClassVar[Literal["pairwise", "ndcg", "map"]]

    lambdarank_norm: bool = True
    queries: Queries | None = field(default=None, init=False, repr=False, compare=False)

    def for_queries(self, queries: Queries | None) -> Self:
        if queries is None:
            raise InvalidInputError(
                f"Objective {self.name} ranks the documents of queries, and the rows have none. "
                "Give qid (an id for each row) or group (sizes of consecutive queries) to "
                "ceiba.Dataset or to CeibaRanker.fit."
            )
        bound = copy(self)
        object.__setattr__(bound, "queries", queries)
        return bound

    def bound_queries(self) -> Queries:
        """The queries that ``for_queries`` was given."""
        if self.queries is None:
            self.for_queries(None)
        assert self.queries is not None
        return self.queries

    def check_target(self, target: Floats, n_outputs: int | None = None) -> None:
        self.check_labels(target, whole=False)

    def check_labels(self, target: Floats, *, whole: bool) -> None:
        """Raise where a label is no relevance; ``whole`` is for exponential gains."""
        wrong = target < 0.0
        if whole:
            wrong = wrong | (target != np.floor(target)) | (target > LARGEST_LABEL)
        if wrong.any():
            what = f"whole numbers from 0 to {LARGEST_LABEL}" if whole else "numbers, 0 or more"
            more = " For other labels set ndcg_exp_gain=False." if whole else ""
            raise InvalidInputError(
                f"The target of objective {self.name} holds the relevance of each document: "
                f"{what}. Got also {describe_values(np.unique(target[wrong]))}.{more}"
            )

    def start_scores(self, target: Floats, weights: Floats | None) -> Floats:
        return np.zeros(1)

    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        assert out_hessians is not None
        queries = self.bound_queries()
        _core.ranking_gradients(
            self.measure,
            self.truncation(),
            self.lambdarank_norm,
            self.normalizes_scores(),
            self.exponential_gains(),
            queries.rows,
            queries.offsets,
            scores[0],
            target,
            out_gradients[0],
            out_hessians[0],
            n_threads,
        )

    def truncation(self) -> int:
        """Positions of which a pair must hold one; 0 for every pair."""
        return 0

    def normalizes_scores(self) -> bool:
        """Whether the force of a pair is divided by the difference of its scores."""
        return False

    def exponential_gains(self) -> bool:
        """Whether gains are 2^label - 1."""
        return False

    def state(self) -> dict[str, Any]:
        options = {
            option.name: getattr(self, option.name) for option in fields(self) if option.init
        }
        return {"name": self.name, **options}


@dataclass(frozen=True)
class LambdarankObjective(RankingObjective):
    """Pairs count as much as a measure of the ranking changes when the two swap places.

    Pairs count where one of the two is among the first ``lambdarank_truncation_level`` positions.
    """

    slope: ClassVar[Slope] = "surrogate"
    start: ClassVar[Start] = "surrogate"

    lambdarank_truncation_level: int = 30
    #: None follows ``lambdarank_norm``, as in LightGBM.
    lambdarank_score_normalization: bool | None = None

    def truncation(self) -> int:
        return self.lambdarank_truncation_level

    def normalizes_scores(self) -> bool:
        given = self.lambdarank_score_normalization
        return self.lambdarank_norm if given is None else given

    def state(self) -> dict[str, Any]:
        state = super().state()
        if self.normalizes_scores() == self.lambdarank_norm:
            del state["lambdarank_score_normalization"]  # models without it keep their fingerprint
        return state
