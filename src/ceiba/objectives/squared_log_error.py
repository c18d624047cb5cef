"""Squared log error: half of (log(1 + prediction) - log(1 + target))²."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ceiba import _core
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.objectives._base import (
    Curvature,
    CurvatureChoice,
    Domain,
    Floats,
    Objective,
    Task,
    describe_values,
    read_base_score,
    weighted_mean,
)
from ceiba.objectives._log_link import LARGEST_TARGET
from ceiba.objectives.link import Link

#: Scores that are predictions count as this where they are less; the kernel in C++ does the same.
SMALLEST_PREDICTION = -1.0 + 1e-6
_NEXT_TO_MINUS_ONE = float(np.nextafter(-1.0, 0.0))


@dataclass(frozen=True)
class SquaredLogError(Objective):
    """Squared error of log(1 + value): relative errors matter. Target above -1.

    The best constant is the geometric mean (of 1 + target, less 1).

    Under ``curvature_rule`` "safe" the score is log(1 + prediction): the loss is then half a
    square, with curvature 1, and every prediction is above -1. Under "plain" the score is the
    prediction itself, as in XGBoost. The loss is not convex then: where log(1 + prediction) is
    above log(1 + target) by 1 or more its second derivative is not positive, and 1e-6 stands in for
    it. Scores below -1 + 1e-6 count as that, in the loss and in predictions.
    """

    name: ClassVar[str] = "squared_log_error"
    aliases: ClassVar[tuple[str, ...]] = ("reg:squaredlogerror", "squaredlogerror", "msle")
    task: ClassVar[Task] = "regression"
    domain: ClassVar[Domain] = "above_minus_one"
    default_metric: ClassVar[str] = "rmsle"

    curvature_rule: CurvatureChoice = "safe"

    @property
    def curvature(self) -> Curvature:  # type: ignore[override]
        """A stand-in only where the loss is not convex."""
        return "exact" if self._of_logarithms else "surrogate"

    @property
    def constant_hessian(self) -> float | None:  # type: ignore[override]
        """That of half a square."""
        return 1.0 if self._of_logarithms else None

    @property
    def link(self) -> Link:  # type: ignore[override]
        """That of logarithms, or of predictions themselves."""
        if self._of_logarithms:
            return Link("log1p", lowest=_NEXT_TO_MINUS_ONE)
        return Link("identity", lowest=SMALLEST_PREDICTION)

    @property
    def score_scale(self) -> str:
        return "log(1 + prediction)" if self._of_logarithms else "prediction"

    @property
    def _of_logarithms(self) -> bool:
        return self.curvature_rule == "safe"

    def check_target(self, target: Floats, n_outputs: int | None = None) -> None:
        wrong = (target <= -1.0) | (target > LARGEST_TARGET)
        if wrong.any():
            raise InvalidInputError(
                f"The target of objective {self.name} must hold numbers above -1 (and up to "
                f"{LARGEST_TARGET:g}). Got also {describe_values(np.unique(target[wrong]))} (first "
                f"in row {int(np.flatnonzero(wrong)[0])}). Check the target, leave out such rows, "
                "or use objective='squared_error'."
            )

    def start_scores(self, target: Floats, weights: Floats | None) -> Floats:
        start = np.array([weighted_mean(_core.log(1.0 + target), weights)])
        return start if self._of_logarithms else _core.exp(start) - 1.0

    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        if self._of_logarithms:
            logarithms = _core.log(1.0 + target, n_threads)
            _core.squared_error_gradients(scores[0], logarithms, out_gradients[0], n_threads)
        else:
            assert out_hessians is not None
            _core.squared_log_error_gradients(
                scores[0], target, out_gradients[0], out_hessians[0], n_threads
            )

    def losses(self, scores: Floats, target: Floats) -> Floats:
        own = scores[0]
        if not self._of_logarithms:
            own = _core.log(1.0 + np.maximum(own, SMALLEST_PREDICTION))
        residuals: Floats = own - _core.log(1.0 + target)
        return 0.5 * residuals * residuals

    def to_raw(self, base_score: ArrayLike, n_outputs: int) -> Floats:
        start = read_base_score(base_score, n_outputs)
        if not ((start > -1.0) & (start <= LARGEST_TARGET)).all():
            raise InvalidParameterError(
                f"base_score of objective {self.name} must be above -1 (and up to "
                f"{LARGEST_TARGET:g}). Got {base_score!r}."
            )
        return _core.log(1.0 + start) if self._of_logarithms else start
