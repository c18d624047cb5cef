"""Poisson loss of counts and rates: exp(score) - target · score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ceiba import _core
from ceiba.objectives._base import Floats
from ceiba.objectives._log_link import LogLink


@dataclass(frozen=True)
class Poisson(LogLink):
    """Poisson deviance with log link: counts, or rates with the exposure as weight. Target at
    least 0.

    The prediction is the mean, the score its logarithm. A Newton step of this loss goes too far
    where a leaf has far more events than were predicted. ``poisson_max_delta_step`` is the
    safeguard of LightGBM and XGBoost: hessians are multiplied by exp of it. They are the true
    curvature where it is 0.
    """

    name: ClassVar[str] = "poisson"
    aliases: ClassVar[tuple[str, ...]] = ("count:poisson", "poisson_loss", "poisson_deviance")
    default_metric: ClassVar[str] = "poisson_deviance"
    own_max_delta_step: ClassVar[float] = 0.7
    catboost_steps: ClassVar[int] = 10

    poisson_max_delta_step: float = 0.0

    @property
    def log_link_power(self) -> float:
        return 1.0

    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        assert out_hessians is not None
        factor = float(_core.exp(np.array([self.poisson_max_delta_step]))[0])
        _core.poisson_gradients(
            scores[0], target, factor, out_gradients[0], out_hessians[0], n_threads
        )

    def row_losses(self, scores: Floats, target: Floats) -> Floats:
        return _core.exp(scores) - target * scores
