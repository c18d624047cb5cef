"""Average precision: area under the precision-recall curve."""

from __future__ import annotations

import math
from typing import ClassVar

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.metrics._base import Floats, Metric
from ceiba.reductions import joined_rows


class AveragePrecision(Metric):
    """Average precision: mean precision, weighted by the increase of recall.

    Tied rows share one threshold. Computed from raw scores, as auc.
    """

    name: ClassVar[str] = "average_precision"
    aliases: ClassVar[tuple[str, ...]] = ("aucpr", "pr_auc", "prauc", "average_precision_score")
    higher_is_better: ClassVar[bool] = True

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        self.one_prediction(prediction)
        area = _core.average_precision(*joined_rows(self.two_classes(target), raw[:, 0], weights))
        if math.isnan(area):
            raise InvalidInputError(
                "Metric average_precision needs rows of class 1 with a positive weight. Got none. "
                "Use metric logloss, or an eval set with both classes."
            )
        return area
