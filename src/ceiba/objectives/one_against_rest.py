"""K classes, each against all others: a logistic loss for every class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ceiba import _core
from ceiba.errors import InvalidParameterError
from ceiba.objectives._base import Curvature, Floats, read_base_score
from ceiba.objectives._classes import indicator
from ceiba.objectives.link import Link
from ceiba.objectives.logistic import Logistic
from ceiba.objectives.softmax import Softmax


@dataclass(frozen=True)
class OneAgainstRest(Softmax):
    """K binary losses, one class against the others each. Target: class indices.

    The score of a class is its log-odds. Predictions are the K probabilities divided by their sum,
    or with ``shares=False``, in imported models, the probabilities as they are.
    """

    name: ClassVar[str] = "one_against_rest"
    aliases: ClassVar[tuple[str, ...]] = (
        "multiclassova",
        "multiclass_ova",
        "ova",
        "ovr",
        "MultiClassOneVsAll",
    )
    curvature: ClassVar[Curvature] = "exact"

    shares: bool = True

    @property
    def link(self) -> Link:  # type: ignore[override]
        """Probabilities that sum to 1, or one after the other."""
        return Link("one_against_rest") if self.shares else Link("logit")

    def state(self) -> dict[str, Any]:
        state = super().state()
        if self.shares:
            del state["shares"]  # so that fingerprints of older models stay valid
        return state

    def start_scores(self, target: Floats, weights: Floats | None) -> Floats:
        starts = [
            Logistic().start_scores(indicator(target, k), weights)
            for k in range(self.n_outputs(target))
        ]
        return np.concatenate(starts)

    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        assert out_hessians is not None
        for k, score in enumerate(scores):
            _core.logistic_gradients(
                score, indicator(target, k), out_gradients[k], out_hessians[k], n_threads
            )
        if self.hessian_factor != 1.0:
            out_hessians *= self.hessian_factor

    def losses(self, scores: Floats, target: Floats) -> Floats:
        total = np.zeros(len(target))
        for k, score in enumerate(scores):
            total += _core.logistic_loss(indicator(target, k), score)
        return total

    def friedman_factor(self, n_outputs: int) -> float:
        return 1.0

    def to_raw(self, base_score: ArrayLike, n_outputs: int) -> Floats:
        probabilities = read_base_score(base_score, n_outputs)
        if not ((probabilities > 0.0) & (probabilities < 1.0)).all():
            raise InvalidParameterError(
                f"base_score of objective {self.name} holds probabilities, one or one for each "
                f"class, between 0 and 1, both excluded. Got {base_score!r}."
            )
        return _core.log(probabilities) - _core.log(1.0 - probabilities)

    def log_odds(self, raw: Floats) -> Floats:
        """Logarithms of the probabilities, but for their common divisor."""
        ones = np.ones(len(raw))
        logarithms: Floats = np.column_stack(
            [-_core.logistic_loss(ones, np.ascontiguousarray(each)) for each in raw.T]
        )
        return logarithms
