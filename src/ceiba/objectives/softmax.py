"""Softmax (cross-entropy) loss of K classes: one score for each class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ceiba import _core
from ceiba.errors import InvalidParameterError
from ceiba.objectives._base import (
    Curvature,
    Domain,
    Floats,
    Objective,
    Rates,
    Task,
    read_base_score,
)
from ceiba.objectives._classes import check_class_indices
from ceiba.objectives.link import Link
from ceiba.reductions import exact_sum, extent, summed

#: The start probability of a class stays at or above this.
SMALLEST_PROBABILITY = 1e-15


@dataclass(frozen=True)
class Softmax(Objective):
    """Log loss of K classes. Target: class indices; predicts K probabilities.

    ``hessian_factor`` multiplies p(1 - p), the diagonal of the true hessian. The classes move
    together, so the diagonal alone asks for steps that are too long; XGBoost takes 2, LightGBM
    K / (K - 1), scikit-learn's histogram GBM 1. The curvature is therefore declared a stand-in.

    Friedman's leaf is (K - 1) / K times the Newton step: the K scores of a row are one too many,
    and the factor makes up for moving all of them.

    Without ``n_classes`` every index from 0 to the largest must occur. With it, a class without
    rows is allowed and starts at probability 1e-15.
    """

    name: ClassVar[str] = "softmax"
    aliases: ClassVar[tuple[str, ...]] = (
        "multi:softprob",
        "multi:softmax",
        "multiclass",
        "multi_logloss",
        "multinomial",
        "categorical_crossentropy",
    )
    task: ClassVar[Task] = "multiclass"
    domain: ClassVar[Domain] = "classes"
    default_metric: ClassVar[str] = "multi_logloss"
    has_log_odds: ClassVar[bool] = True
    curvature: ClassVar[Curvature] = "surrogate"
    has_class_link: ClassVar[bool] = True
    link: ClassVar[Link] = Link("softmax")
    catboost_rates: ClassVar[Rates] = ((0.02, -2.364, -0.382), (0.051, -2.889, -0.845))

    hessian_factor: float = 1.0
    n_classes: int | None = None

    def check_target(self, target: Floats, n_outputs: int | None = None) -> None:
        check_class_indices(target, "softmax", self.n_classes, n_outputs)

    def for_target(self, target: Floats) -> Objective:
        return replace(self, n_classes=self.n_outputs(target))

    def n_outputs(self, target: Floats) -> int:
        return int(extent(target)[1]) + 1 if self.n_classes is None else self.n_classes

    def start_scores(self, target: Floats, weights: Floats | None) -> Floats:
        n_outputs = self.n_outputs(target)
        totals = np.empty(n_outputs)
        for index in range(n_outputs):
            of_class = target == index
            totals[index] = (
                float(summed(np.array([np.count_nonzero(of_class)]))[0])
                if weights is None
                else exact_sum(weights[of_class])
            )
        priors = totals / _core.exact_sum(totals)
        return _core.log(np.maximum(priors, SMALLEST_PROBABILITY))

    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        assert out_hessians is not None
        _core.softmax_gradients(
            scores, target, self.hessian_factor, out_gradients, out_hessians, n_threads
        )

    def losses(self, scores: Floats, target: Floats) -> Floats:
        return _core.softmax_loss(target, scores)

    def friedman_factor(self, n_outputs: int) -> float:
        return (n_outputs - 1) / n_outputs

    def to_raw(self, base_score: ArrayLike, n_outputs: int) -> Floats:
        probabilities = read_base_score(base_score, n_outputs)
        if not ((probabilities > 0.0) & (probabilities <= 1.0)).all():
            raise InvalidParameterError(
                "base_score of objective softmax holds probabilities, one or one for each class, "
                f"above 0 and at most 1. Got {base_score!r}."
            )
        return _core.log(probabilities)
