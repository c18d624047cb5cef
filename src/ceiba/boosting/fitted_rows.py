"""`FittedRows`: rows that leaf values are fitted to, in a training or a refit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.boosting.row_statistics import RowStatistics, empty_statistics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.boosting.modes.state import Boosting
    from ceiba.objectives import Objective, ResidualLeaves

    Floats = NDArray[np.float64]

__all__ = ["FittedRows"]


class FittedRows:
    """Rows that leaf values are fitted to: their targets, scores and gradients."""

    def __init__(
        self,
        boosting: Boosting,
        loss: Objective,
        target: Floats,
        weights: Floats | None,
        n_outputs: int,
        n_threads: int,
    ) -> None:
        self.boosting = boosting
        self.target = target
        self.weights = weights
        self.n_threads = n_threads
        #: The objective, bound to the queries of the rows; and that of the round.
        self.loss = self.loss_of_round = loss
        self.statistics: RowStatistics = empty_statistics(loss, n_outputs, len(target))
        self._moved: Floats | None = None

    @property
    def tree_weight(self) -> float:
        """Return the factor of the leaf values of the round."""
        return self.boosting.tree_weight

    @property
    def fits_elsewhere(self) -> bool:
        """Return whether leaf values are fitted at other scores than gradients are taken at."""
        return self.boosting.scores_for_leaves() is not self.boosting.scores_for_gradients()

    def find_loss(self, round: int) -> None:
        """Choose the objective of the round."""
        points = self.boosting.scores_for_gradients()
        in_turn = self.loss.in_turn(round)
        self.loss_of_round = in_turn.for_round(points, self.target, self.weights)

    def find_gradients(self) -> None:
        """Compute the gradients at the scores for gradients."""
        self._fill(self.boosting.scores_for_gradients())

    def find_leaf_gradients(self) -> None:
        """Compute the gradients at the scores for leaves."""
        self._fill(self.boosting.scores_for_leaves())

    def residual_leaves(self, slopes: Floats | None = None) -> ResidualLeaves | None:
        """Return the statistic of residuals that leaves are, None for Newton steps.

        ``slopes`` [K, n] are added to the scores for leaves.
        """
        scores = self.boosting.scores_for_leaves()
        scores = scores if slopes is None else scores + slopes
        return self.loss_of_round.residual_leaves(scores, self.target)

    def move(self, trees: Any, slopes: Floats | None = None) -> None:
        """Compute the gradients at the scores for leaves plus what the trees add so far."""
        scores = self.boosting.scores_for_leaves()
        if self._moved is None:
            self._moved = np.empty_like(scores)
        trees.add_to_scores(scores if slopes is None else scores + slopes, self._moved)
        self._fill(self._moved)

    def end_moves(self) -> None:
        """Free what :meth:`move` needed."""
        self._moved = None

    def _fill(self, scores: Floats) -> None:
        if len(self.target):
            self.statistics.fill(self.loss_of_round, scores, self.target, self.n_threads)
