"""Pseudo-Huber loss: squared near the target, absolute far from it, and smooth between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ceiba import _core
from ceiba.objectives._base import Curvature, CurvatureChoice, Floats, Objective, Task
from ceiba.reductions import exact_sum, extent, weighted_quantile

#: Differences beyond so many deltas count as so many: the square is finite and 1 is nothing to it.
_FARTHEST = 1e100


@dataclass(frozen=True)
class PseudoHuber(Objective):
    """Pseudo-Huber loss: a smooth version of the Huber loss. Any finite target.

    The loss of a difference d is delta² (sqrt(1 + (d / delta)²) - 1); delta is ``huber_delta``, or
    1 where that is not given. With root the square root in it, the slope is d / root.

    The second derivative, 1 / root³, is next to nothing where the target is far: a Newton step of
    such rows goes far beyond them. It is what ``curvature_rule`` "plain" takes, as XGBoost does.
    "safe" takes slope / d = 1 / root instead: a parabola with that curvature lies nowhere below the
    loss, so that no leaf makes the loss of its rows larger.
    """

    name: ClassVar[str] = "pseudo_huber"
    aliases: ClassVar[tuple[str, ...]] = ("reg:pseudohubererror", "pseudohubererror")
    task: ClassVar[Task] = "regression"
    default_metric: ClassVar[str] = "pseudo_huber"

    huber_delta: float | None = None
    curvature_rule: CurvatureChoice = "safe"

    @property
    def curvature(self) -> Curvature:  # type: ignore[override]
        """Exact where ``curvature_rule`` asks for the second derivative."""
        return "exact" if self.curvature_rule == "plain" else "surrogate"

    def start_scores(self, target: Floats, weights: Floats | None) -> Floats:
        """The root of the slope, which rises: Newton's steps, halving where one leaves the rest."""
        low, high = extent(target)
        start = weighted_quantile(target, weights, 0.5)
        slopes, curvatures = np.empty_like(target), np.empty_like(target)
        while True:
            scores = np.full_like(target, start)
            _core.pseudo_huber_gradients(
                scores, target, self._delta(), True, slopes, curvatures, n_threads=1
            )
            slope = exact_sum(slopes, weights)
            low, high = (low, start) if slope > 0.0 else (start, high)
            if slope == 0.0 or not low < high:
                return np.array([start])
            following = start - slope / exact_sum(curvatures, weights)
            if not low < following < high:
                following = low + 0.5 * (high - low)
            if not low < following < high:  # neighbours
                return np.array([start])
            start = following

    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        assert out_hessians is not None
        plain = self.curvature_rule == "plain"
        _core.pseudo_huber_gradients(
            scores[0], target, self._delta(), plain, out_gradients[0], out_hessians[0], n_threads
        )

    def losses(self, scores: Floats, target: Floats) -> Floats:
        return pseudo_huber_losses(target, scores[0], self._delta())

    def _delta(self) -> float:
        return 1.0 if self.huber_delta is None else self.huber_delta


def pseudo_huber_losses(target: Floats, prediction: Floats, delta: float) -> Floats:
    """The pseudo-Huber loss of each row."""
    distances = np.abs(target - prediction)
    ratio = np.minimum(distances, _FARTHEST * delta) / delta
    # sqrt(1 + r²) - 1 would lose the digits of a small r.
    return distances * (delta * (ratio / (1.0 + np.sqrt(1.0 + ratio * ratio))))
