"""Gamma loss of positive amounts: score + target · exp(-score)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ceiba import _core
from ceiba.objectives._base import Domain, Floats
from ceiba.objectives._log_link import LogLink


@dataclass(frozen=True)
class Gamma(LogLink):
    """Gamma deviance with log link: positive amounts whose spread grows with the mean.

    The prediction is the mean, the score its logarithm.
    """

    name: ClassVar[str] = "gamma"
    aliases: ClassVar[tuple[str, ...]] = ("reg:gamma", "gamma_loss", "gamma_deviance")
    domain: ClassVar[Domain] = "positive"
    default_metric: ClassVar[str] = "gamma_deviance"

    def check_target(self, target: Floats, n_outputs: int | None = None) -> None:
        advice = "leave out rows of 0 or less (objective='tweedie' takes zeros)"
        self._refuse(target, target <= 0.0, "numbers above 0", advice)
        self._check_size(target)

    @property
    def log_link_power(self) -> float:
        return 2.0

    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        assert out_hessians is not None
        _core.gamma_gradients(scores[0], target, out_gradients[0], out_hessians[0], n_threads)

    def row_losses(self, scores: Floats, target: Floats) -> Floats:
        return scores + target * _core.exp(-scores)
