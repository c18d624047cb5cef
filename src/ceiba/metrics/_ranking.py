"""What the metrics of ranked queries share.

A name may end in a number of positions and in a minus sign: ``ndcg``, ``ndcg@10``, ``ndcg@10-``.
Only the first so many positions of each query then count. A query without a relevant document
(label above 0) has nothing to get wrong and counts as 1, as in LightGBM, XGBoost and CatBoost; with
the minus sign, and always under ``precision``, it counts as 0.

Documents with equal scores have no order: each query's value is the mean over all their orders. The
metric is the mean over queries, weighted by their weights (the mean weight of a query's rows).
"""

from __future__ import annotations

import re
from copy import copy
from typing import ClassVar, Self

from ceiba import _core
from ceiba.data.queries import Queries
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean

_SUFFIX = re.compile(r"(?:@(?P<cutoff>[0-9]+))?(?P<minus>-?)")


class RankingMetric(Metric):
    """A mean over queries, of their first positions."""

    needs_queries: ClassVar[bool] = True
    takes_suffix: ClassVar[bool] = True
    higher_is_better: ClassVar[bool] = True
    #: The function of the core that gives the values of queries, without ``_of_queries``.
    kernel: ClassVar[str]
    #: The value of a query without a relevant document.
    value_without_relevant: ClassVar[float] = 1.0

    def __init__(self, suffix: str = "", *, ndcg_exp_gain: bool = True) -> None:
        found = _SUFFIX.fullmatch(suffix)
        self.cutoff = int(found["cutoff"] or 0) if found else -1
        if found is None or (found["cutoff"] is not None and self.cutoff == 0):
            kind = type(self).name
            raise InvalidParameterError(
                f"metric {kind} may be followed by @ and a number of positions, 1 or more, and by "
                f"a minus sign: {kind}@10, {kind}@10-. Got {kind + suffix!r}."
            )
        if self.needs_cutoff and not self.cutoff:
            kind = type(self).name
            raise InvalidParameterError(
                f"metric {kind} is one of the first positions of ranked queries, and must be "
                f"followed by @ and their number: {kind}@10. Got {kind + suffix!r}."
            )
        self.empty = 0.0 if found["minus"] else self.value_without_relevant
        self.exponential_gains = ndcg_exp_gain
        self.queries: Queries | None = None
        self.__dict__["name"] = type(self).name + suffix

    def for_queries(self, queries: Queries | None) -> Self:
        bound = copy(self)
        bound.queries = queries
        return bound

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        if self.queries is None:
            raise InvalidInputError(
                f"Metric {self.name} is one of ranked queries, and the rows have none. Give qid or "
                "group to ceiba.Dataset, or choose another metric."
            )
        self.one_prediction(prediction)
        values = self.of_queries(self.queries, target, raw[:, 0].copy())
        return weighted_mean(values, self.queries.weights(weights))

    def of_queries(self, queries: Queries, target: Floats, scores: Floats) -> Floats:
        """The value of each query."""
        function = getattr(_core, f"{self.kernel}_of_queries")
        values: Floats = function(
            queries.rows,
            queries.offsets,
            target,
            scores,
            self.cutoff,
            self.empty,
            self.exponential_gains,
        )
        return values
