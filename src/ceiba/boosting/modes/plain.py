"""Plain gradient boosting.

Gradients and leaf values are computed at the scores of all trees so far. Each tree is multiplied by
the learning rate of its round, and its weight never changes. ``state.py`` lists the steps of every
boosting mode.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ceiba.boosting.modes.state import Boosting, RoundTrees

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PlainBoosting"]


class PlainBoosting(Boosting):
    """Each tree corrects the sum of those before it."""

    def scores_for_gradients(self) -> NDArray[np.float64]:
        return self.scores

    def scores_for_leaves(self) -> NDArray[np.float64]:
        return self.scores

    def commit(self, trees: RoundTrees) -> None:
        trees.add_to_scores(self.scores)
