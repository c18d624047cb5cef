"""Training settings, the same for every library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Objective = Literal["binary", "regression", "multiclass"]
Growth = Literal["leafwise", "depthwise", "symmetric"]
Method = Literal["hist", "approx", "exact"]


@dataclass(frozen=True)
class Settings:
    """A training job that every adapter translates for its library.

    `min_samples_leaf` is 1 and `min_child_weight` is small by default, because these limits are not
    available in all libraries: XGBoost has no minimum of rows, CatBoost none of hessians, and
    scikit-learn's minimum of hessians is fixed.
    """

    objective: Objective
    growth: Growth = "leafwise"
    method: Method = "hist"
    max_leaves: int = 31  # 0: unlimited, for forests
    max_depth: int = 0  # 0: unlimited
    n_classes: int = 2
    n_estimators: int = 100
    learning_rate: float = 0.2
    max_bins: int = 255
    min_samples_leaf: int = 1
    min_child_weight: float = 1e-3
    reg_lambda: float = 1.0
    threads: int = 2
    categories: bool = False  # the table is a pandas frame with categories

    @property
    def trees_per_round(self) -> int:
        """Return the number of trees per round: one, or one per class."""
        return self.n_classes if self.objective == "multiclass" else 1

    @property
    def allowed_leaves(self) -> int:
        """Return the total number of leaves if every tree reaches its limit."""
        # Unlimited trees have no target.
        return max(1, self.max_leaves) * self.trees_per_round * self.n_estimators
