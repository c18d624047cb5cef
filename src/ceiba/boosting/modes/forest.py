"""Forest mode: every tree is grown as if it were the first, and the model is their mean.

Gradients and leaf values are those of the start scores, trees are not shrunk, and samples of rows
or columns are what makes them differ. A model of rounds a to b predicts the start score plus the
mean of what their trees add, so that stages, cuts and ranges of iterations are means too
(``model/tree_weights.py``). As no round looks at another one, trees of several rounds grow at the
same time (``round_grower.py``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.boosting.modes.state import Boosting, EarlierRows, RoundTrees, ScoredRows
from ceiba.model.tree_weights import TreeWeights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.model.model import Model
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]

__all__ = ["ForestBoosting"]


@dataclass(slots=True)
class _Mean:
    """The scores that rows start from, and the sum of what trees add."""

    start: Floats
    total: Floats

    @classmethod
    def of(cls, scores: Floats) -> _Mean:
        return cls(scores.copy(order="K"), np.zeros_like(scores))

    def after(self, n_rounds: int) -> Floats:
        return self.start + self.total / n_rounds


class ForestBoosting(Boosting):
    """No tree knows of another one."""

    rounds_are_alike = True

    def __init__(
        self, parameters: Parameters, scores: Floats, weights: TreeWeights | None = None
    ) -> None:
        super().__init__(parameters, scores, weights or TreeWeights(mean=True))
        self._others: dict[int, _Mean] = {}  # of eval sets

    def scores_for_gradients(self) -> Floats:
        return self.scores

    def scores_for_leaves(self) -> Floats:
        return self.scores

    @property
    def tree_weight(self) -> float:
        return 1.0

    def commit(self, trees: RoundTrees) -> None:
        """Leave the rows of the training at the start: no tree asks what others say of them, and
        to find out, rows that are not in its sample would have to go down every tree.
        """

    def score(self, rows: ScoredRows, trees: Any) -> None:
        mean = self._mean_of(rows)
        rows.add(trees, mean.total)
        rows.scores[:] = mean.after(self.round + 1)

    def replay(self, model: Model, rows: EarlierRows) -> None:
        if rows.of is None:
            return
        mean = self._mean_of(rows.of)
        rows.add(model.forest, mean.total)
        rows.scores[:] = mean.after(model.n_iterations)

    def _mean_of(self, rows: ScoredRows) -> _Mean:
        if id(rows) not in self._others:
            self._others[id(rows)] = _Mean.of(rows.scores)
        return self._others[id(rows)]
