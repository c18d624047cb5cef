"""Logistic loss of two classes: the score is the log-odds of class 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ceiba import _core
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.objectives._base import (
    Domain,
    Floats,
    Objective,
    Rates,
    Task,
    describe_values,
    read_base_score,
    weighted_mean,
)
from ceiba.objectives.link import Link
from ceiba.reductions import count_rows, exact_sum

#: The start probability stays this far from 0 and 1.
SMALLEST_PROBABILITY = 1e-15


@dataclass(frozen=True)
class Logistic(Objective):
    """Log loss of two classes. Target 0 or 1; predicts P(class 1).

    Where all rows have one class, the best constant would be infinite: the start probability is
    then 1e-15 away from that class (log-odds of about ±34.5) and the trees have nothing to add.
    """

    name: ClassVar[str] = "logistic"
    aliases: ClassVar[tuple[str, ...]] = (
        "binary:logistic",
        "binary",
        "binary_logloss",
        "binary_crossentropy",
        "log_loss",
        "logloss",
        "deviance",
    )
    link: ClassVar[Link] = Link("logit")
    task: ClassVar[Task] = "binary"
    domain: ClassVar[Domain] = "binary"
    default_metric: ClassVar[str] = "logloss"
    has_log_odds: ClassVar[bool] = True
    has_class_link: ClassVar[bool] = True
    #: What a prediction is, for messages.
    meaning: ClassVar[str] = "the probability of class 1"
    #: A third step ends within 1 % of the minimum; docs/measurements.md has what that is worth.
    symmetric_steps: ClassVar[int] = 3
    catboost_steps: ClassVar[int] = 10
    catboost_rates: ClassVar[Rates] = ((0.247, -5.158, -0.435), (0.427, -7.525, -0.917))

    def check_target(self, target: Floats, n_outputs: int | None = None) -> None:
        wrong = (target != 0.0) & (target != 1.0)
        if wrong.any():
            raise InvalidInputError(
                f"The target of objective {self.name} must hold only 0 and 1. "
                f"Got also {describe_values(np.unique(target[wrong]))}. Encode the two classes as "
                "0 and 1, use CeibaClassifier (which does so), or objective='softmax' for more "
                "classes."
            )

    def start_scores(self, target: Floats, weights: Floats | None) -> Floats:
        total = float(count_rows(target)) if weights is None else exact_sum(weights)
        positive = weighted_mean(target, weights)
        # 1 - positive would lose digits where almost all rows are of class 1.
        negative = exact_sum(1.0 - target, weights) / total
        bounds = (SMALLEST_PROBABILITY, 1.0)
        clipped = np.clip(np.array([positive, negative]), *bounds)
        log_positive, log_negative = _core.log(clipped)
        return np.array([log_positive - log_negative])

    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        assert out_hessians is not None
        _core.logistic_gradients(scores[0], target, out_gradients[0], out_hessians[0], n_threads)

    def losses(self, scores: Floats, target: Floats) -> Floats:
        return _core.logistic_loss(target, scores[0])

    def to_raw(self, base_score: ArrayLike, n_outputs: int) -> Floats:
        advice = f"With objective {self.name} give {self.meaning} alone."
        probability = read_base_score(base_score, n_outputs, advice)
        if not ((probability > 0.0) & (probability < 1.0)).all():
            raise InvalidParameterError(
                f"base_score of objective {self.name} is {self.meaning} and must be "
                f"between 0 and 1, both excluded. Got {base_score!r}. For a start on the scale of "
                "log-odds use init_score of ceiba.Dataset."
            )
        return _core.log(probability) - _core.log(1.0 - probability)
