"""Huber's loss: squared near the target, absolute far from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ceiba import _core
from ceiba.objectives._base import (
    Curvature,
    Floats,
    Leaf,
    LeafChoice,
    Objective,
    ResidualKind,
    ResidualLeaves,
    Start,
    Task,
    start_quantile,
)
from ceiba.reductions import any_row, weighted_quantile
from ceiba.residual_statistics import huber_minimum


@dataclass(frozen=True)
class Huber(Objective):
    """Huber loss: squared for small residuals, absolute for large ones. Any finite target.

    The loss of a difference d is d² / 2 up to delta and delta (|d| - delta / 2) from there on.
    ``huber_delta`` fixes delta. Without it each round takes the weighted ``huber_quantile``
    quantile of the |residuals| it starts from, so that always the same share of rows counts as far;
    where that is 0, because most rows are hit exactly, the quantile of the others. The start is
    then the median: there is no delta yet.

    Trees are grown on the slopes, d clipped to delta, and every row has curvature 1 (it has none
    where it is far). A leaf is the minimum of its rows' loss; under ``leaf_rule`` "friedman" it is
    the median plus the mean of what is beyond it, clipped, as in Friedman's paper and in
    scikit-learn, the start is the middle of the medians of rows without weights, and delta may be 0
    (nothing is learned).
    """

    name: ClassVar[str] = "huber"
    aliases: ClassVar[tuple[str, ...]] = ("huber_loss",)
    task: ClassVar[Task] = "regression"
    default_metric: ClassVar[str] = "mae"
    curvature: ClassVar[Curvature] = "surrogate"
    constant_hessian: ClassVar[float | None] = 1.0

    huber_delta: float | None = None
    huber_quantile: float = 0.9
    leaf_rule: LeafChoice = "exact"

    @property
    def leaf(self) -> Leaf:  # type: ignore[override]
        """The leaf that ``leaf_rule`` asks for."""
        return "exact" if self.leaf_rule == "exact" else "friedman"

    @property
    def start(self) -> Start:  # type: ignore[override]
        """Optimal only where delta is known before the first round."""
        return "surrogate" if self.huber_delta is None or self.leaf == "friedman" else "optimal"

    def start_scores(self, target: Floats, weights: Floats | None) -> Floats:
        if self.start == "optimal" and self.huber_delta is not None:
            return np.array([huber_minimum(target, weights, self.huber_delta)])
        return np.array([start_quantile(target, weights, 0.5, self.leaf_rule)])

    def for_round(self, scores: Floats, target: Floats, weights: Floats | None) -> Huber:
        if self.huber_delta is not None:
            return self
        distances = np.abs(target - scores[0])
        delta = weighted_quantile(distances, weights, self.huber_quantile)
        missed = distances > 0.0
        if delta == 0.0 and self.leaf == "exact" and any_row(missed):
            own = None if weights is None else weights[missed]
            delta = weighted_quantile(distances[missed], own, self.huber_quantile)
        return replace(self, huber_delta=delta)

    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        _core.huber_gradients(scores[0], target, self._delta(), out_gradients[0], n_threads)

    def residual_leaves(self, scores: Floats, target: Floats) -> ResidualLeaves | None:
        kind: ResidualKind = "huber" if self.leaf == "exact" else "huber_friedman"
        return ResidualLeaves(kind, (self._delta(),), scores, target)

    def losses(self, scores: Floats, target: Floats) -> Floats:
        return huber_losses(target, scores[0], self._delta())

    def _delta(self) -> float:
        """Delta of the round; 1 for a loss that no round has given one."""
        return 1.0 if self.huber_delta is None else self.huber_delta


def huber_losses(target: Floats, prediction: Floats, delta: float) -> Floats:
    """Huber's loss of each row."""
    distances = np.abs(target - prediction)
    near = np.minimum(distances, delta)
    return near * (distances - 0.5 * near)
