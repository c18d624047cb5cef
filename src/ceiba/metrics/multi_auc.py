"""Area under the ROC curve for several classes."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.metrics._base import Floats, Metric
from ceiba.reductions import joined_rows


class MultiAuc(Metric):
    """Mean over classes of the AUC of one class against the others.

    Classes have equal weight, as in scikit-learn's ``roc_auc_ovr``. Computed from log-odds, so
    probabilities that round to 1 are not ties.
    """

    name: ClassVar[str] = "multi_auc"
    aliases: ClassVar[tuple[str, ...]] = ("auc_ovr", "roc_auc_ovr")
    higher_is_better: ClassVar[bool] = True
    needs_log_odds: ClassVar[bool] = True

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        n_classes = raw.shape[1]
        if n_classes < 2:
            raise InvalidInputError(
                "Metric multi_auc needs several classes with one score each. Got one score per "
                "row. For two classes use metric auc."
            )
        log_odds = log_odds_of_classes(raw)
        areas = np.empty(n_classes)
        for index in range(n_classes):
            of_class = (target == index).astype(np.float64)
            areas[index] = _core.auc(*joined_rows(of_class, log_odds[index], weights))
            if math.isnan(areas[index]):
                raise InvalidInputError(
                    "Metric multi_auc needs rows of every class with a positive weight. Class "
                    f"{index} has none or all of the rows. Use metric multi_logloss, or an eval "
                    "set with all classes."
                )
        return _core.exact_sum(areas) / len(areas)


def log_odds_of_classes(raw: Floats) -> Floats:
    """Return the log-odds [K, n] of each class against all others, from scores [n, K]."""
    scores = raw.T - raw.max(axis=1)  # invariant to a constant added to all scores of a row
    before, after = np.full_like(scores, -np.inf), np.full_like(scores, -np.inf)
    for index in range(1, len(scores)):
        before[index] = _log_of_sum(before[index - 1], scores[index - 1])
        after[-1 - index] = _log_of_sum(after[-index], scores[-index])
    return np.array(
        [own - _log_of_sum(*rest) for own, *rest in zip(scores, before, after, strict=True)]
    )


def _log_of_sum(one: Floats, other: Floats) -> Floats:
    """Return log(exp(one) + exp(other)). One of them may be minus infinity."""
    low, high = np.minimum(one, other), np.maximum(one, other)
    total: Floats = high + _core.log(1.0 + _core.exp(low - high))
    return total
