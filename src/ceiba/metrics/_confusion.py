"""`ConfusionMetric`, the base class of metrics computed from the confusion matrix."""

from __future__ import annotations

import numpy as np

from ceiba.metrics._base import Floats, Metric
from ceiba.reductions import exact_sum, summed


class ConfusionMetric(Metric):
    """A function of the weighted confusion matrix."""

    needs_log_odds = True

    def confusion(self, target: Floats, raw: Floats, weights: Floats | None) -> Floats:
        """Return the weighted confusion matrix [K, K]: true classes × predicted classes."""
        predicted = self.predicted_classes(target, raw)
        n_classes = max(2, raw.shape[1])
        cell = target * n_classes + predicted
        if weights is None:
            of_cells = np.bincount(cell.astype(np.intp), minlength=n_classes**2)
            counts = summed(of_cells).astype(np.float64)
        else:
            counts = np.array([exact_sum(weights[cell == index]) for index in range(n_classes**2)])
        return counts.reshape(n_classes, n_classes)


def ratio(part: Floats, whole: Floats) -> Floats:
    """Return part / whole, 0 where ``whole`` is 0."""
    shares = np.zeros_like(part)
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares
