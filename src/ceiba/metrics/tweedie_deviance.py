"""Tweedie deviance, for amounts that are often exactly 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ceiba import _core
from ceiba.metrics._base import Floats, Metric
from ceiba.objectives._base import weighted_mean


@dataclass(frozen=True)
class TweedieDeviance(Metric):
    """Mean Tweedie deviance: variance proportional to mean^p with 1 < p < 2.

    p is ``tweedie_variance_power``, the parameter of the objective.
    """

    name: ClassVar[str] = "tweedie_deviance"
    aliases: ClassVar[tuple[str, ...]] = ("tweedie", "mean_tweedie_deviance")
    higher_is_better: ClassVar[bool] = False

    tweedie_variance_power: float = 1.5

    def __call__(
        self, target: Floats, raw: Floats, prediction: Floats, weights: Floats | None
    ) -> float:
        log_mean = _core.log(self.positive_prediction(prediction))
        target = self.target_from_zero(target)
        above, below = self.tweedie_variance_power - 1.0, 2.0 - self.tweedie_variance_power
        # For a target of 0 the logarithm may have any value: it is multiplied by 0.
        log_target = _core.log(target + (target == 0.0))
        own = target * _core.exp(-above * log_target) / (above * below)
        pull = target * _core.exp(-above * log_mean) / above
        push = _core.exp(below * log_mean) / below
        return 2.0 * weighted_mean(pull + push - own, weights)
