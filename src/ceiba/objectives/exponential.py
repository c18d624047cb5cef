"""Exponential loss of two classes, that of AdaBoost: the score is half the log-odds of class 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ceiba import _core
from ceiba.objectives._base import Floats, Rates
from ceiba.objectives.link import Link, limit_scores
from ceiba.objectives.logistic import Logistic


@dataclass(frozen=True)
class Exponential(Logistic):
    """Exponential loss of two classes (AdaBoost). Target 0 or 1; predicts P(class 1).

    A row of class 1 costs exp(-score), one of class 0 exp(score), so rows that are far on the wrong
    side weigh much more than under the logistic loss. The constant that is best has the share of
    class 1 as its probability, sigmoid of twice the score. Scores beyond ±300 count as ±300 in the
    loss and its derivatives, which would overflow otherwise.
    """

    link: ClassVar[Link] = Link("logit", scale=2.0)
    name: ClassVar[str] = "exponential"
    aliases: ClassVar[tuple[str, ...]] = ("exponential_loss", "adaboost")
    default_metric: ClassVar[str] = "exponential_loss"
    symmetric_steps: ClassVar[int] = 1
    catboost_steps: ClassVar[int] = 1
    catboost_rates: ClassVar[Rates] = None

    def start_scores(self, target: Floats, weights: Floats | None) -> Floats:
        return 0.5 * super().start_scores(target, weights)

    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        assert out_hessians is not None
        _core.exponential_gradients(scores[0], target, out_gradients[0], out_hessians[0], n_threads)

    def losses(self, scores: Floats, target: Floats) -> Floats:
        return _core.exp(limit_scores(np.where(target == 1.0, -scores[0], scores[0])))

    def log_odds(self, raw: Floats) -> Floats:
        return 2.0 * raw

    def to_raw(self, base_score: ArrayLike, n_outputs: int) -> Floats:
        return 0.5 * super().to_raw(base_score, n_outputs)
