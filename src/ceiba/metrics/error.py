"""Classification error: share of misclassified rows."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from ceiba import _core
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean


class Error(Metric):
    """Share of misclassified rows; ties as for accuracy.

    ``error@t`` is for two classes and predicts class 1 where its probability is above t.
    """

    name: ClassVar[str] = "error"
    aliases: ClassVar[tuple[str, ...]] = (
        "merror",
        "binary_error",
        "multi_error",
        "zero_one_loss",
        "ZeroOneLoss",
    )
    higher_is_better: ClassVar[bool] = False
    needs_log_odds: ClassVar[bool] = True
    takes_suffix: ClassVar[bool] = True

    def __init__(self, suffix: str = "") -> None:
        self.threshold = _threshold(suffix) if suffix else None
        self.__dict__["name"] = type(self).name + suffix

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        if self.threshold is None:
            predicted = self.predicted_classes(target, raw)
        elif raw.shape[1] > 1:
            raise InvalidInputError(
                f"Metric {self.name} has a threshold, which needs two classes. Got "
                f"{raw.shape[1]} classes. Use metric error."
            )
        else:
            self.two_classes(target)
            predicted = (_core.sigmoid(raw[:, 0].copy()) > self.threshold).astype(np.float64)
        return weighted_mean((predicted != target).astype(np.float64), weights)


def _threshold(suffix: str) -> float:
    try:
        threshold = float(suffix[1:]) if suffix.startswith("@") else math.nan
    except ValueError:
        threshold = math.nan
    if not 0.0 < threshold < 1.0:
        raise InvalidParameterError(
            "metric error allows a threshold between 0 and 1 (exclusive) after @: error@0.7. "
            f"Got {'error' + suffix!r}."
        )
    return threshold
