"""`RankingMetric`, the base class of ranking metrics.

A name may have a cutoff and a minus sign: ``ndcg``, ``ndcg@10``, ``ndcg@10-``. A cutoff k restricts
the metric to the first k positions of each query. The value of a query without a relevant document
(label above 0) is 1, as in LightGBM, XGBoost and CatBoost. It is 0 with the minus sign, and for
``precision``.

For tied scores, the value of a query is the mean over all orders of the tied documents. The metric
is the weighted mean over queries. The weight of a query is the mean weight of its rows.
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
    """A weighted mean over queries, optionally with a cutoff."""

    needs_queries: ClassVar[bool] = True
    takes_suffix: ClassVar[bool] = True
    higher_is_better: ClassVar[bool] = True
    #: Name of the core function that computes the values of queries, without ``_of_queries``.
    kernel: ClassVar[str]
    #: The value of a query without a relevant document.
    value_without_relevant: ClassVar[float] = 1.0

    def __init__(self, suffix: str = "", *, ndcg_exp_gain: bool = True) -> None:
        found = _SUFFIX.fullmatch(suffix)
        self.cutoff = int(found["cutoff"] or 0) if found else -1
        if found is None or (found["cutoff"] is not None and self.cutoff == 0):
            kind = type(self).name
            raise InvalidParameterError(
                f"metric {kind} allows a cutoff of at least 1 after @, and a minus sign: "
                f"{kind}@10, {kind}@10-. Got {kind + suffix!r}."
            )
        if self.needs_cutoff and not self.cutoff:
            kind = type(self).name
            raise InvalidParameterError(
                f"metric {kind} needs a cutoff after @ for ranking: {kind}@10. "
                f"Got {kind + suffix!r}."
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
                f"Metric {self.name} needs queries. The rows have none. Pass qid or group to "
                "ceiba.Dataset, or use another metric."
            )
        self.one_prediction(prediction)
        values = self.of_queries(self.queries, target, raw[:, 0].copy())
        return weighted_mean(values, self.queries.weights(weights))

    def of_queries(self, queries: Queries, target: Floats, scores: Floats) -> Floats:
        """Return the value of each query."""
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
