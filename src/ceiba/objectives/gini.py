"""Shares of classes: squared error of indicators, whose splits are those of Gini impurity."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ceiba import _core
from ceiba.errors import InvalidParameterError
from ceiba.objectives._base import Domain, Floats, Objective, Start, Task, read_base_score
from ceiba.objectives._classes import check_class_indices, indicator
from ceiba.objectives.link import Link
from ceiba.reductions import extent

#: Shares nearer to 0 or 1 than this count as this far away where their logarithm is wanted.
SMALLEST_SHARE = 1e-15


@dataclass(frozen=True)
class Gini(Objective):
    """Gini impurity, for single trees and forests. Target: class indices.

    Gini's impurity of a node, 1 - sum of p², is the sum over classes of the variance of "the row is
    of this class", so the tree of squared error on these indicators is the tree of Gini. The score
    of a class is its share itself. Scores start from 0: with one tree that is not shrunk, or the
    mean of several, a leaf holds the weighted shares of its rows.

    Two classes have one score, the share of the second; K > 2 have K, and belong together in one
    tree with ``multi_strategy="vector_leaf"``. Without ``n_classes`` every index from 0 to the
    largest must occur.
    """

    name: ClassVar[str] = "gini"
    task: ClassVar[Task] = "multiclass"
    domain: ClassVar[Domain] = "classes"
    default_metric: ClassVar[str] = "multi_logloss"
    has_log_odds: ClassVar[bool] = True
    start: ClassVar[Start] = "surrogate"
    constant_hessian: ClassVar[float | None] = 1.0
    even_score: ClassVar[float] = 0.5
    link: ClassVar[Link] = Link("shares")

    n_classes: int | None = None

    def __post_init__(self) -> None:
        if self.n_classes == 2:  # one score: everything is as with other losses of two classes
            for name, value in (("task", "binary"), ("default_metric", "logloss")):
                object.__setattr__(self, name, value)

    def check_target(self, target: Floats, n_outputs: int | None = None) -> None:
        known = self.n_classes if n_outputs is None else max(2, n_outputs)
        check_class_indices(target, self.name, known, None)

    def for_target(self, target: Floats) -> Objective:
        return replace(self, n_classes=self._count(target))

    def n_outputs(self, target: Floats) -> int:
        n_classes = self._count(target)
        return 1 if n_classes == 2 else n_classes

    def _count(self, target: Floats) -> int:
        if self.n_classes is not None:
            return self.n_classes
        return max(2, int(extent(target)[1]) + 1)

    def start_scores(self, target: Floats, weights: Floats | None) -> Floats:
        return np.zeros(self.n_outputs(target))

    def gradients(
        self,
        scores: Floats,
        target: Floats,
        out_gradients: Floats,
        out_hessians: Floats | None,
        n_threads: int,
    ) -> None:
        for k, score, out in zip(_classes(scores), scores, out_gradients, strict=True):
            _core.squared_error_gradients(score, indicator(target, k), out, n_threads)

    def losses(self, scores: Floats, target: Floats) -> Floats:
        total = np.zeros(len(target))
        for k, score in zip(_classes(scores), scores, strict=True):
            total += 0.5 * (score - indicator(target, k)) ** 2
        return total

    def to_raw(self, base_score: ArrayLike, n_outputs: int) -> Floats:
        shares = read_base_score(base_score, n_outputs)
        if not ((shares >= 0.0) & (shares <= 1.0)).all():
            raise InvalidParameterError(
                "base_score of objective gini holds probabilities: of class 1, or one for each of "
                f"three classes and more, from 0 to 1. Got {base_score!r}."
            )
        return shares

    def log_odds(self, raw: Floats) -> Floats:
        """Log-odds of shares, or their logarithms; certain ones are 1e-15 away from it."""
        shares = self.predict(raw)
        if shares.ndim == 1:
            odds = [_core.log(np.maximum(each, SMALLEST_SHARE)) for each in (shares, 1.0 - shares)]
            return (odds[0] - odds[1])[:, None]
        return _core.log(np.maximum(shares, SMALLEST_SHARE))


def _classes(scores: Floats) -> range:
    """Return the class of each score."""
    return range(1, 2) if len(scores) == 1 else range(len(scores))
