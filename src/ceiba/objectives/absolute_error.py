"""Absolute error: |score - target|, whose best constant is the median."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ceiba import _core
from ceiba.objectives._base import (
    Curvature,
    Floats,
    Leaf,
    LeafChoice,
    Objective,
    ResidualLeaves,
    Task,
    start_quantile,
)


@dataclass(frozen=True)
class AbsoluteError(Objective):
    """Absolute error; predicts the median. Any finite target.

    The gradient is the sign of score - target. Where a row is hit exactly every slope from -1 to 1
    is one of the loss: 0 is taken, and -1 under ``leaf_rule`` "friedman", as scikit-learn does.
    There is no curvature; each row counts as 1. Start and leaves are weighted medians, in the
    definition of ``_core.weighted_quantile`` (the lower one of two; without weights "friedman"
    starts in the middle of them).
    """

    name: ClassVar[str] = "absolute_error"
    aliases: ClassVar[tuple[str, ...]] = (
        "reg:absoluteerror",
        "regression_l1",
        "l1",
        "mae",
        "mean_absolute_error",
        "lad",
    )
    task: ClassVar[Task] = "regression"
    default_metric: ClassVar[str] = "mae"
    catboost_starts_from_average: ClassVar[bool] = True
    curvature: ClassVar[Curvature] = "surrogate"
    leaf: ClassVar[Leaf] = "exact"
    constant_hessian: ClassVar[float | None] = 1.0

    leaf_rule: LeafChoice = "exact"

    def start_scores(self, target: Floats, weights: Floats | None) -> Floats:
        return np.array([start_quantile(target, weights, 0.5, self.leaf_rule)])

    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        slopes = np.array([[-1.0, 0.0 if self.leaf_rule == "exact" else -1.0, 1.0]])
        _core.sign_gradients(scores, target, slopes, out_gradients[0], n_threads)

    def residual_leaves(self, scores: Floats, target: Floats) -> ResidualLeaves | None:
        return ResidualLeaves("quantile", (0.5,), scores, target)

    def losses(self, scores: Floats, target: Floats) -> Floats:
        distances: Floats = np.abs(scores[0] - target)
        return distances
