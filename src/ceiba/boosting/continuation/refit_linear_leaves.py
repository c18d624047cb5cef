"""Refits of leaves that hold lines: slopes stay, and the constants that belong to them are fitted.

A training finds constant and slopes of a leaf together, at the scores before the tree, and then
multiplies both by the weight of the tree. So does a refit: rows have what the slopes add in full,
and the constant is the one that the training would have found for these slopes. A leaf that
``leaf_guard`` stopped had its slopes shortened too: what they were before is not known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba import _core
from ceiba.model.predict import add_forest

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

    def arrays(self) -> dict[str, NDArray[Any]]:
        return self.forest.arrays()


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
        return cls(forest, table, n_threads) if "linear_offsets" in forest.arrays() else None

    def fit(
        self,
        rule: LeafRule,
        grown: _core.GrownTrees,
        statistics: RowStatistics,
        boosting: Boosting,
        loss: Objective,
        target: Floats,
    ) -> dict[str, NDArray[Any]]:
        """Fit the constants of all leaves, and return the arrays of the trees with them.

        ``grown`` are these trees with the rows of the refit, and without lines.
        """
        slopes = self._slopes(boosting.tree_weight * rule.factor)
        given = (grown, statistics, boosting, loss, target, self.n_threads)
        residuals = loss.residual_leaves(boosting.scores_for_leaves(), target)
        if residuals is not None or rule.steps > 1:
            rule.fit(*given, slopes)
            return grown.arrays()
        # One Newton step gives every node the value that it would have as a leaf. Slopes are no
        # part of it above the leaves, nor in leaves that are too light and take the value above.
        rule.fit(*given)
        arrays = grown.arrays()
        rule.fit(*given, slopes)
        has_linear_part = self._has_linear_part()
        arrays["value"][has_linear_part] = grown.arrays()["value"][has_linear_part]
        return arrays

    def mixed(self, values: Floats) -> MixedLinearLeaves:
        """Return the trees with other values [n_nodes, leaf_width]."""
        own = {**self.forest.arrays(), "value": np.ascontiguousarray(values)}
        if values.shape[1] == 1:
            own["value"] = own["value"][:, 0]
        forest = _core.Forest(self.forest.n_features, self.forest.n_outputs, own)
        added = np.zeros((self.table.n_rows, forest.n_outputs))
        add_forest(forest, self.table, added, (0, 1), self.n_threads)
        return MixedLinearLeaves(forest, np.ascontiguousarray(added.T))

    def _has_linear_part(self) -> NDArray[np.bool_]:
        """Return for each value whether slopes go with it: a leaf may have them for one output."""
        arrays = self.forest.arrays()
        found = np.zeros(arrays["value"].shape, dtype=bool)
        nodes = np.repeat(np.arange(len(found)), np.diff(arrays["linear_offsets"]))
        np.logical_or.at(found, nodes, arrays["linear_slope"] != 0.0)
        return found

    def _slopes(self, tree_weight: float) -> Floats:
        """Return what slopes add to the rows [K, n], before the weight of the tree."""
        n_nodes = len(self.forest.arrays()["feature"])
        added = self.mixed(np.zeros((n_nodes, self.forest.leaf_width))).added
        return added / tree_weight
