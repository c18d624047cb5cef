"""Refits of leaves that hold lines: slopes stay, and the constants that belong to them are fitted.

A training finds constant and slopes of a leaf together, at the scores before the tree, and then
multiplies both by the weight of the tree. So does a refit: rows have what the slopes add in full,
and the constant is the one that the training would have found for these slopes. A leaf that
``leaf_guard`` stopped had its slopes shortened too: what they were before is not known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ceiba import _core
from ceiba.model.predict import add_forest
from ceiba.model.trees import Trees

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.boosting.leaves import LeafRule
    from ceiba.boosting.modes.state import Boosting
    from ceiba.boosting.row_statistics import RowStatistics
    from ceiba.data.table import Table
    from ceiba.objectives import Objective

    Floats = NDArray[np.float64]

__all__ = ["MemberLinearLeaves", "MixedLinearLeaves"]


@dataclass(frozen=True, slots=True)
class MixedLinearLeaves:
    """The trees of a member of a round with old and new constants mixed.

    What they add is known by row: nobody asks a round with lines for its leaves.
    """

    forest: _core.Forest
    added: Floats  # [K, n]

    def add_to_scores(self, scores: Floats) -> None:
        scores += self.added

    def round_values(self) -> None:
        return None


@dataclass(frozen=True, slots=True)
class MemberLinearLeaves:
    """The trees of a member of a round, of which some leaf holds a line, and rows of a refit."""

    forest: _core.Forest
    table: Table
    n_threads: int

    @classmethod
    def of(
        cls, members: _core.Forest, member: int, table: Table, n_threads: int
    ) -> MemberLinearLeaves | None:
        """Return those of a forest with an iteration for each member; None: it has constants only.

        A member without lines is possible in a forest that has some: columns were drawn of which
        no line can be made, or leaves had too few rows.
        """
        forest = members.slice(member, member + 1)
        return cls(forest, table, n_threads) if forest.has_linear_leaves else None

    def fit(
        self,
        rule: LeafRule,
        grown: _core.GrownTrees,
        statistics: RowStatistics,
        boosting: Boosting,
        loss: Objective,
        target: Floats,
    ) -> Trees:
        """Fit the constants of all leaves, and return the trees with them.

        ``grown`` are these trees with the rows of the refit, and without lines.
        """
        slopes = self._slopes(boosting.tree_weight * rule.factor)
        given = (grown, statistics, boosting, loss, target, self.n_threads)
        residuals = loss.residual_leaves(boosting.scores_for_leaves(), target)
        if residuals is not None or rule.steps > 1:
            rule.fit(*given, slopes)
            return Trees.of(grown)
        # One Newton step gives every node the value that it would have as a leaf. Slopes are no
        # part of it above the leaves, nor in leaves that are too light and take the value above.
        rule.fit(*given)
        trees = Trees.of(grown)
        rule.fit(*given, slopes)
        value = np.where(self._has_linear_part(), Trees.of(grown).value, trees.value)
        return replace(trees, value=value)

    def mixed(self, values: Floats) -> MixedLinearLeaves:
        """Return the trees with other values [n_nodes, leaf_width]."""
        forest = replace(Trees.of(self.forest), value=values).to_forest(self.forest.n_features)
        added = np.zeros((self.table.n_rows, forest.n_outputs))
        add_forest(forest, self.table, added, (0, 1), self.n_threads)
        return MixedLinearLeaves(forest, np.ascontiguousarray(added.T))

    def _has_linear_part(self) -> NDArray[np.bool_]:
        """Return for each value whether slopes go with it: a leaf may have them for one output."""
        trees = Trees.of(self.forest)
        assert trees.linear is not None
        found = np.zeros(trees.value.shape, dtype=bool)
        nodes = np.repeat(np.arange(len(found)), trees.linear.n_terms)
        np.logical_or.at(found, nodes, trees.linear.slope != 0.0)
        return found

    def _slopes(self, tree_weight: float) -> Floats:
        """Return what slopes add to the rows [K, n], before the weight of the tree."""
        added = self.mixed(np.zeros_like(Trees.of(self.forest).value)).added
        return added / tree_weight
