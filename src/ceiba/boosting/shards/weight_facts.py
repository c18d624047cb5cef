"""Facts about the weights of the rows of all shards (``cpp/gradient/row_selection.hpp``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ceiba.reductions import facts_of_weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Facts", "weight_facts"]

#: Sample, whether there are weights, whether they are whole, whether they count as rows, the
#: largest.
Facts = tuple[int, bool, bool, bool, float]


def weight_facts(
    sample: int, weights: NDArray[np.float64] | None, counted: bool, *, whole: bool = True
) -> Facts:
    """Return the facts about weights of all shards.

    ``whole=False``: they count as real numbers, even if they are whole.
    """
    if weights is None:
        return sample, False, True, True, 1.0
    is_whole, top = facts_of_weights(weights)
    is_whole = is_whole and whole
    return sample, True, is_whole, is_whole and counted, top
