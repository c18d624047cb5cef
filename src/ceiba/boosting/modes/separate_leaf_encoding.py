"""Plain boosting with separate target encodings for splits and for leaf values.

With ``target_leaves="own"`` each row has two target encodings, from different permutations: splits
are chosen by the first, and leaf values are fitted to the rows that the second sends to the leaf.

Each encoding has its own scores. Gradients for splits are computed at the scores of the first one.
At the scores of the second one, differences between the encodings would remain in the gradients, no
leaf could remove them, and they would attract split after split. Leaf values of the model come from
the scores of the second encoding; those of the first are used for gradients only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ceiba.boosting.modes.ordered import OrderedBoosting

if TYPE_CHECKING:
    from ceiba.parameters.resolving import Parameters

__all__ = ["SeparateLeafEncodingBoosting"]


class SeparateLeafEncodingBoosting(OrderedBoosting):
    """Splits are chosen at their own scores, fitted to all rows."""

    def _count_permutations(self, parameters: Parameters) -> int:
        del parameters
        return 1

    def _first_rows(self, n_rows: int) -> int:
        del n_rows
        return 0
