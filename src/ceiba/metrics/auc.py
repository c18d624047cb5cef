"""Area under the ROC curve."""

from __future__ import annotations

import math
from typing import ClassVar

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.metrics._base import Floats, Metric
from ceiba.reductions import joined_rows


class Auc(Metric):
    """Area under the ROC curve; equal scores count half.

    Computed from raw scores, so probabilities that round to 1 are not ties.
    """

    name: ClassVar[str] = "auc"
    aliases: ClassVar[tuple[str, ...]] = ("roc_auc", "roc_auc_score")
    higher_is_better: ClassVar[bool] = True

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        self.one_prediction(prediction)
        area = _core.auc(*joined_rows(self.two_classes(target), raw[:, 0], weights))
        if math.isnan(area):
            raise InvalidInputError(
                "Metric auc needs rows of both classes with a positive weight. Got only one "
                "class. Use metric logloss, or an eval set with both classes."
            )
        return area
