"""What the losses with a log link share: the score is the logarithm of the predicted mean.

Scores beyond ±300 count as ±300, in predictions and in gradients: exp of a raw score is then always
a finite number, and so is its square, which gains are made of. No mean within reach of data is that
far out (e^300 is about 10^130), and a target beyond it is refused.
"""

from __future__ import annotations

from abc import abstractmethod
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
    Task,
    describe_values,
    read_base_score,
    weighted_mean,
)
from ceiba.objectives.link import Link, limit_scores
from ceiba.reductions import any_row

#: The largest target; the smallest one above 0 is one over it.
LARGEST_TARGET = 1e130


@dataclass(frozen=True)
class LogLink(Objective):
    """A loss of positive means; the best constant of all of them is the log of the mean."""

    task: ClassVar[Task] = "regression"
    domain: ClassVar[Domain] = "non_negative"
    link: ClassVar[Link] = Link("log")

    def check_target(self, target: Floats, n_outputs: int | None = None) -> None:
        self._refuse(target, target < 0.0, "numbers, 0 or more", "leave out rows below 0")
        self._check_size(target)
        # An eval set may be without a single event; training rows then have nothing to tell.
        if n_outputs is None and not any_row(target > 0.0):
            raise InvalidInputError(
                f"The target of objective {self.name} must hold at least one value above 0. Got "
                "only zeros: the best prediction would be 0, whose logarithm is not finite."
            )

    def _check_size(self, target: Floats) -> None:
        too_far = (target > LARGEST_TARGET) | ((target > 0.0) & (target < 1.0 / LARGEST_TARGET))
        self._refuse(
            target, too_far, "values between 1e-130 and 1e130", "divide the target by a constant"
        )

    def _refuse(self, target: Floats, wrong: np.ndarray, allowed: str, advice: str) -> None:
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise InvalidInputError(
                f"The target of objective {self.name} must hold {allowed}. Got also "
                f"{describe_values(np.unique(target[wrong]))} (first in row {row}). Check the "
                f"target, {advice}, or use objective='squared_error'."
            )

    def start_scores(self, target: Floats, weights: Floats | None) -> Floats:
        return _core.log(np.array([weighted_mean(target, weights)]))

    @abstractmethod
    def row_losses(self, scores: Floats, target: Floats) -> Floats:
        """The loss of every row at scores [n] that exp can be taken of."""

    def losses(self, scores: Floats, target: Floats) -> Floats:
        return self.row_losses(limit_scores(scores[0]), target)

    def to_raw(self, base_score: ArrayLike, n_outputs: int) -> Floats:
        mean = read_base_score(base_score, n_outputs)
        if not ((mean >= 1.0 / LARGEST_TARGET) & (mean <= LARGEST_TARGET)).all():
            raise InvalidParameterError(
                f"base_score of objective {self.name} is a mean and must be above 0 (and between "
                f"1e-130 and 1e130). Got {base_score!r}. For a start on the scale of logarithms "
                "use init_score of ceiba.Dataset."
            )
        return _core.log(mean)
