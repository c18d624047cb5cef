"""Tweedie loss: amounts that are often exactly 0 and otherwise positive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ceiba import _core
from ceiba.errors import InvalidParameterError
from ceiba.objectives._base import Floats
from ceiba.objectives._log_link import LogLink


@dataclass(frozen=True)
class Tweedie(LogLink):
    """Tweedie deviance with log link: sums of a random number of amounts. Target at least 0.

    ``tweedie_variance_power`` is the p of a variance proportional to mean^p: close to 1 the target
    is nearly a count, close to 2 nearly a gamma amount. The prediction is the mean, the score its
    logarithm.
    """

    name: ClassVar[str] = "tweedie"
    aliases: ClassVar[tuple[str, ...]] = ("reg:tweedie", "tweedie_loss", "tweedie_deviance")
    default_metric: ClassVar[str] = "tweedie_deviance"

    tweedie_variance_power: float = 1.5

    def __post_init__(self) -> None:
        if not 1.0 < self.tweedie_variance_power < 2.0:
            raise InvalidParameterError(
                "tweedie_variance_power must be a number above 1 and below 2. "
                f"Got {self.tweedie_variance_power!r}."
            )

    @property
    def log_link_power(self) -> float:
        return self.tweedie_variance_power

    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        assert out_hessians is not None
        power = self.tweedie_variance_power
        _core.tweedie_gradients(
            scores[0], target, power, out_gradients[0], out_hessians[0], n_threads
        )

    def row_losses(self, scores: Floats, target: Floats) -> Floats:
        above, below = self.tweedie_variance_power - 1.0, 2.0 - self.tweedie_variance_power
        return target * _core.exp(-above * scores) / above + _core.exp(below * scores) / below
