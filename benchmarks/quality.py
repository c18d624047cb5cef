"""Quality of predictions: one metric for each objective, and the tolerance of equal quality."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmarks.settings import Objective

AUC_TOLERANCE = 0.001
RELATIVE_TOLERANCE = 0.005


@dataclass(frozen=True)
class Metric:
    """Name and direction of a quality metric."""

    name: str
    higher_is_better: bool

    def compute(self, y: Any, prediction: Any) -> float:
        """Return the metric, by scikit-learn for every library."""
        import numpy as np
        from sklearn.metrics import log_loss, mean_squared_error, roc_auc_score

        if self.name == "AUC":
            return float(roc_auc_score(y, prediction))
        if self.name == "RMSE":
            return float(np.sqrt(mean_squared_error(y, prediction)))
        # Normalize rows in float64: float32 rows of some libraries sum to 1 only within 1e-7.
        probabilities = np.asarray(prediction, dtype=np.float64)
        return float(log_loss(y, probabilities / probabilities.sum(axis=1, keepdims=True)))

    def is_better(self, a: float, b: float) -> bool:
        """Whether `a` is better than `b`."""
        return a > b if self.higher_is_better else a < b

    def keeps_up(self, ours: float, peer: float) -> bool:
        """Whether ceiba is no worse than the peer by more than the tolerance."""
        if self.higher_is_better:
            return ours >= peer - AUC_TOLERANCE
        return ours <= peer * (1 + RELATIVE_TOLERANCE)


METRICS: dict[Objective, Metric] = {
    "binary": Metric("AUC", True),
    "regression": Metric("RMSE", False),
    "multiclass": Metric("log loss", False),
}
