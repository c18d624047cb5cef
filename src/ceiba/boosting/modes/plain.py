"""Plain gradient boosting.

Gradients and leaf values are taken at the scores of all trees so far, every tree is shrunk by the
learning rate of its round, and what a tree counts never changes. ``state.py`` opens with the life
of a boosting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ceiba.boosting.modes.state import Boosting, RoundTrees, ScoredRows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PlainBoosting"]


class PlainBoosting(Boosting):
    """Every tree corrects the sum of those before it."""

    def scores_for_gradients(self) -> NDArray[np.float64]:
        return self.scores

    def scores_for_leaves(self) -> NDArray[np.float64]:
        return self.scores

    def commit(self, trees: RoundTrees) -> None:
        trees.add_to_scores(self.scores)

    def score(self, rows: ScoredRows, trees: Any) -> None:
        rows.add(trees, rows.scores)
