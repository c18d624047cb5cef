"""Forest mode: each tree is grown independently, and the model is their mean.

Gradients and leaf values are those of the start scores. Trees are not shrunk; samples of rows and
columns make them differ. A model of rounds a to b predicts the start score plus the mean of these
trees, so staged predictions, truncated models and iteration ranges are means too
(``model/tree_weights.py``). Trees of several rounds grow in parallel (``round_grower.py``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.boosting.modes.state import (
    Boosting,
    EarlierRows,
    RoundTrees,
    ScoredRows,
    ScoreTracker,
)
from ceiba.model.tree_weights import TreeWeights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.model.model import Model
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]

__all__ = ["ForestBoosting"]


class MeanTracker(ScoreTracker):
    """The start scores of an eval set plus the mean of its trees."""

    def __init__(self, rows: ScoredRows) -> None:
        super().__init__(rows)
        self._start = rows.scores.copy(order="K")
        self._total = np.zeros_like(rows.scores)
        self._n_rounds = 0

    def add(self, trees: Any) -> None:
        self.rows.add(trees, self._total)
        self._set_mean(self._n_rounds + 1)

    def replay(self, model: Model, rows: EarlierRows) -> None:
        rows.add(model.forest, self._total)
        self._set_mean(model.n_iterations)

    def _set_mean(self, n_rounds: int) -> None:
        self._n_rounds = n_rounds
        self.rows.scores[:] = self._start + self._total / n_rounds


class ForestBoosting(Boosting):
    """All trees are grown independently."""

    rounds_are_alike = True

    def __init__(
        self, parameters: Parameters, scores: Floats, weights: TreeWeights | None = None
    ) -> None:
        super().__init__(parameters, scores, weights or TreeWeights(mean=True))

    def scores_for_gradients(self) -> Floats:
        return self.scores

    def scores_for_leaves(self) -> Floats:
        return self.scores

    @property
    def tree_weight(self) -> float:
        return 1.0

    def commit(self, trees: RoundTrees) -> None:
        """Leave the training scores at the start: no later tree reads them.

        Updating them would send the rows outside of a sample down every tree.
        """

    def track(self, rows: ScoredRows) -> ScoreTracker:
        return MeanTracker(rows)

    def replay(self, model: Model, rows: EarlierRows) -> None:
        """Leave the training scores at the start."""
