"""Plain boosting whose splits know rows by other orders than its leaves do.

With ``target_leaves="own"`` a row has two sets of statistics: those that splits are chosen by, and
those that take it to the leaf it has a say in. Each set has scores of its own. If gradients were
taken at the scores of the other set, what the two disagree on would stay in them for ever: no leaf
could answer it, and split after split would be chosen for it.

So trees are grown on gradients at scores whose leaves have the rows that the splits send there, and
whose values are forgotten. Values of the model come from the rows and the scores of the other set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ceiba.boosting.modes.ordered import OrderedBoosting

if TYPE_CHECKING:
    from ceiba.parameters.resolving import Parameters

__all__ = ["SeparateLeafEncodingBoosting"]


class SeparateLeafEncodingBoosting(OrderedBoosting):
    """Splits are chosen at scores of their own, which know every row."""

    def _count_permutations(self, parameters: Parameters) -> int:
        del parameters
        return 1

    def _first_rows(self, n_rows: int) -> int:
        del n_rows
        return 0
