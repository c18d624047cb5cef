"""Refit linear leaves: keep the slopes and fit the constants.

A training fits the constant and slopes of a leaf together, at the scores before the tree, and then
multiplies both by the tree weight. A refit computes what the slopes add before that factor, and
fits the constant that the training would find for these slopes. Slopes that ``leaf_guard``
shortened stay short: their original values are not stored.
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
    from ceiba.boosting.row_statistics import RowLoss, RowStatistics
    from ceiba.data.table import Table

    Floats = NDArray[np.float64]

__all__ = ["MemberLinearLeaves", "MixedLinearLeaves"]


@dataclass(frozen=True, slots=True)
class MixedLinearLeaves:
    """The trees of one member of a round with mixed constants, and what they add to each row."""

    forest: _core.Forest
    added: Floats  # [K, n]

    def add_to_scores(self, scores: Floats) -> None:
        scores += self.added

    def round_values(self) -> None:
        return None


@dataclass(frozen=True, slots=True)
class MemberLinearLeaves:
    """The trees of one member of a round with linear leaves, and the rows of a refit."""

    forest: _core.Forest
    table: Table
    n_threads: int

    @classmethod
    def of(
        cls, members: _core.Forest, member: int, table: Table, n_threads: int
    ) -> MemberLinearLeaves | None:
        """Return the trees of a member; None if all their leaves are constants.

        ``members`` has one iteration per member. Single members may lack linear leaves, if the
        sampled columns are constant or leaves have too few rows.
        """
        forest = members.slice(member, member + 1)
        return cls(forest, table, n_threads) if forest.has_linear_leaves else None

    def fit(
        self,
        rule: LeafRule,
        grown: _core.GrownTrees,
        statistics: RowStatistics,
        boosting: Boosting,
        loss: RowLoss,
    ) -> Trees:
        """Fit the constants of all leaves, and return the trees with them.

        ``grown`` are these trees with the rows of the refit, without linear parts.
        """
        slopes = self._slopes(boosting.tree_weight * rule.factor)
        given = (grown, statistics, boosting, loss)
        residuals = loss.residual_leaves(boosting.scores_for_leaves())
        if residuals is not None or rule.steps > 1:
            rule.fit(*given, slopes)
            return Trees.of(grown)
        # One Newton step gives every node its value as a leaf. Slopes count only in linear leaves:
        # not above leaves, nor in light leaves that take the value of their parent.
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
        """Return whether each value has nonzero slopes; maybe for one output only."""
        trees = Trees.of(self.forest)
        assert trees.linear is not None
        found = np.zeros(trees.value.shape, dtype=bool)
        nodes = np.repeat(np.arange(len(found)), trees.linear.n_terms)
        np.logical_or.at(found, nodes, trees.linear.slope != 0.0)
        return found

    def _slopes(self, tree_weight: float) -> Floats:
        """Return what slopes add to the rows [K, n], without the tree weight."""
        added = self.mixed(np.zeros_like(Trees.of(self.forest).value)).added
        return added / tree_weight
