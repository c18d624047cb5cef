"""Area under the curve of precision over recall."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.metrics._base import Floats, Metric


class AveragePrecision(Metric):
    """Mean precision over the recall that each score adds, from the highest score down.

    Rows of equal score come in together. Weights become integers (multiples of a power of two fine
    enough that their sum fits in 62 bits), so the order of rows has no say.
    """

    name: ClassVar[str] = "average_precision"
    aliases: ClassVar[tuple[str, ...]] = ("aucpr", "pr_auc", "prauc", "average_precision_score")
    higher_is_better: ClassVar[bool] = True

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        self.one_prediction(prediction)
        units = _whole_weights(weights, len(target))
        of_class_1 = np.where(self.two_classes(target) == 1.0, units, 0)
        order = np.argsort(-raw[:, 0], kind="stable")
        scores = raw[order, 0]
        last_of_equals = np.append(scores[1:] != scores[:-1], True)
        found = np.cumsum(of_class_1[order])[last_of_equals]
        taken = np.cumsum(units[order])[last_of_equals]
        if len(target) == 0 or found[-1] == 0:
            raise InvalidInputError(
                "Metric average_precision needs rows of class 1 with a positive weight. Got none. "
                "Use metric logloss, or an eval set with both classes."
            )
        added = np.diff(found, prepend=0).astype(np.float64)
        precision = found.astype(np.float64) / np.maximum(taken, 1).astype(np.float64)
        return _core.exact_sum(precision, added) / float(found[-1])


def _whole_weights(weights: Floats | None, n_rows: int) -> NDArray[np.int64]:
    """Weights as integers whose sum is below 2^62; 1 for each row where there are none."""
    if weights is None or not weights.any():
        return np.full(n_rows, 1 if weights is None else 0, dtype=np.int64)
    exponent = int(np.frexp(weights.max())[1])
    scale = min(62 - int(n_rows).bit_length() - exponent, 1023)
    return np.rint(np.ldexp(weights, scale)).astype(np.int64)
