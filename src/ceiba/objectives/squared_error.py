"""Squared error: half of (score - target)², whose best constant is the mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ceiba import _core
from ceiba.objectives._base import Floats, Objective, Rates, Task, weighted_mean


@dataclass(frozen=True)
class SquaredError(Objective):
    """Squared error; predicts the mean. Any finite target."""

    name: ClassVar[str] = "squared_error"
    aliases: ClassVar[tuple[str, ...]] = (
        "reg:squarederror",
        "reg:linear",
        "regression",
        "regression_l2",
        "l2",
        "mse",
        "mean_squared_error",
        "least_squares",
        "ls",
        "rmse",
    )
    task: ClassVar[Task] = "regression"
    default_metric: ClassVar[str] = "rmse"
    catboost_starts_from_average: ClassVar[bool] = True
    catboost_rates: ClassVar[Rates] = ((0.157, -4.062, -0.61), (0.158, -4.287, -0.813))
    constant_hessian: ClassVar[float | None] = 1.0

    def start_scores(self, target: Floats, weights: Floats | None) -> Floats:
        return np.array([weighted_mean(target, weights)])

    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        _core.squared_error_gradients(scores[0], target, out_gradients[0], n_threads)

    def losses(self, scores: Floats, target: Floats) -> Floats:
        residuals: Floats = scores[0] - target
        return 0.5 * residuals * residuals
