"""Log loss for several classes."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean


class MultiLogLoss(Metric):
    """Log loss of several classes, computed from the raw scores."""

    name: ClassVar[str] = "multi_logloss"
    aliases: ClassVar[tuple[str, ...]] = ("mlogloss", "multiclass", "multi_class_logloss")
    higher_is_better: ClassVar[bool] = False
    needs_log_odds: ClassVar[bool] = True

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        if raw.ndim != 2 or raw.shape[1] < 2:
            raise InvalidInputError(
                "Metric multi_logloss needs several classes with one score each. Got one score "
                "per row. For two classes use metric logloss."
            )
        losses = _core.softmax_loss(target, np.ascontiguousarray(raw.T))
        return weighted_mean(losses, weights)
