"""Quantile (pinball) loss: of one level, or of several that share their trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from ceiba import _core
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.objectives._base import (
    Curvature,
    Floats,
    Leaf,
    LeafChoice,
    Objective,
    ResidualLeaves,
    Start,
    Task,
    start_quantile,
)
from ceiba.objectives.link import IDENTITY, Link


@dataclass(frozen=True)
class Quantile(Objective):
    """Pinball loss; predicts one quantile or several. Any finite target.

    The loss of level q is q (target - score) above the score and (1 - q) (score - target) below it.
    The slope is -q or 1 - q; where a row is hit exactly 0 is taken, and -q under ``leaf_rule``
    "friedman", as scikit-learn does. There is no curvature; each row counts as 1. Start and leaves
    are weighted quantiles, in the definition of ``_core.weighted_quantile``; without weights the
    start of "friedman" is interpolated between two rows.

    Several levels are K outputs. A round grows one tree and gives it the leaf quantiles of all K
    levels. Every other tree is grown on the slopes of all levels together, which see best where the
    target lies, and the others on one level after the other, which see where it spreads. Measured
    on seven public tables against trees of one level or of all levels only. Predictions [n, K] are
    sorted in each row, so that levels never cross.
    """

    name: ClassVar[str] = "quantile"
    aliases: ClassVar[tuple[str, ...]] = ("reg:quantileerror", "pinball", "quantile_loss")
    task: ClassVar[Task] = "regression"
    default_metric: ClassVar[str] = "quantile"
    catboost_starts_from_average: ClassVar[bool] = True
    curvature: ClassVar[Curvature] = "surrogate"
    leaf: ClassVar[Leaf] = "exact"
    constant_hessian: ClassVar[float | None] = 1.0
    shares_trees: ClassVar[bool] = True
    has_levels: ClassVar[bool] = True

    quantile: float | tuple[float, ...] = 0.5
    leaf_rule: LeafChoice = "exact"
    #: The level, counted from 0, that a round's tree is grown for; None: all of them.
    turn: int | None = None

    def __post_init__(self) -> None:
        levels = read_levels(self.quantile)
        object.__setattr__(self, "quantile", levels if len(levels) > 1 else levels[0])

    @property
    def start(self) -> Start:  # type: ignore[override]
        """Interpolated between rows it need not be the best constant."""
        return "optimal" if self.leaf_rule == "exact" else "surrogate"

    @property
    def link(self) -> Link:  # type: ignore[override]
        """Several levels never cross."""
        return Link("sorted") if len(self.levels) > 1 else IDENTITY

    @property
    def levels(self) -> tuple[float, ...]:
        """The levels as a tuple, also where there is one."""
        return self.quantile if isinstance(self.quantile, tuple) else (self.quantile,)

    def n_outputs(self, target: Floats) -> int:
        return len(self.levels)

    def start_scores(self, target: Floats, weights: Floats | None) -> Floats:
        rule = self.leaf_rule
        return np.array([start_quantile(target, weights, q, rule) for q in self.levels])

    def in_turn(self, iteration: int) -> Quantile:
        alone = iteration % 2 == 1
        return replace(self, turn=iteration // 2 % len(self.levels) if alone else None)

    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        at_zero = 0.0 if self.leaf_rule == "exact" else -1.0
        slopes = np.array([[-level, at_zero * level, 1.0 - level] for level in self.levels])
        if self.turn is not None:
            scores, slopes = scores[self.turn : self.turn + 1], slopes[self.turn : self.turn + 1]
        _core.sign_gradients(scores, target, slopes, out_gradients[0], n_threads)

    def residual_leaves(self, scores: Floats, target: Floats) -> ResidualLeaves | None:
        return ResidualLeaves("quantile", self.levels, scores, target)

    def losses(self, scores: Floats, target: Floats) -> Floats:
        return pinball_losses(target, scores.T, self.levels)

    def predict(self, raw: Floats) -> Floats:
        if raw.shape[1] != len(self.levels):
            raise InvalidInputError(
                f"A model of {len(self.levels)} quantile levels has one score for each. "
                f"Got {raw.shape[1]}."
            )
        return super().predict(raw)

    def state(self) -> dict[str, Any]:
        state = super().state()
        del state["turn"]  # of a round, not of the model
        return state


def read_levels(quantile: float | Sequence[float]) -> tuple[float, ...]:
    """Levels between 0 and 1 that increase, from one number or several."""
    try:
        levels = tuple(float(level) for level in np.atleast_1d(np.asarray(quantile, np.float64)))
    except (TypeError, ValueError):
        levels = ()
    increasing = all(low < high for low, high in pairwise(levels))
    if not levels or not increasing or not all(0.0 < level < 1.0 for level in levels):
        raise InvalidParameterError(
            "quantile must be a level above 0 and below 1, or a list of such levels, each above "
            f"the one before it. Got {quantile!r}. Sort the levels, and give each once."
        )
    return levels


def pinball_losses(target: Floats, prediction: Floats, levels: Sequence[float]) -> Floats:
    """The pinball loss of each row, summed over the levels; ``prediction`` has [n, K]."""
    total = np.zeros(len(target))
    for k, level in enumerate(levels):
        residual = target - prediction[:, k]
        total += np.maximum(level * residual, (level - 1.0) * residual)
    return total
