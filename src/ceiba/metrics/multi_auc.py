"""Area under the ROC curve of several classes."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.metrics._base import Floats, Metric


class MultiAuc(Metric):
    """Mean over classes of the AUC of one class against all others.

    Every class counts the same, as with scikit-learn's ``roc_auc_ovr``. Ranked by log-odds, in
    which no two rows are equal only because a probability rounds to 1.
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
                "Metric multi_auc needs a model of several classes with a score for each. Got one "
                "score for each row. For two classes use metric auc."
            )
        areas = np.empty(n_classes)
        for index in range(n_classes):
            of_class = (target == index).astype(np.float64)
            areas[index] = _core.auc(of_class, log_odds_of_class(raw, index), weights)
            if math.isnan(areas[index]):
                raise InvalidInputError(
                    "Metric multi_auc needs rows of every class with a positive weight. Class "
                    f"{index} has none, or all. Use metric multi_logloss, or an eval set with all "
                    "classes."
                )
        return _core.exact_sum(areas) / len(areas)


def log_odds_of_class(raw: Floats, index: int) -> Floats:
    """The log-odds of a class from the scores [n, K] of all of them."""
    rest = np.delete(raw, index, axis=1)
    highest = rest.max(axis=1)
    total = np.zeros(len(raw))
    for column in rest.T:
        total += _core.exp(column - highest)
    difference: Floats = raw[:, index] - highest - _core.log(total)
    return difference
