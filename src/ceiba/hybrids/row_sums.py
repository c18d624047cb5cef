"""Row sums that do not depend on the other rows of the batch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["row_sums"]

Floats = NDArray[np.float64]


def row_sums(values: Floats) -> Floats:
    """Return the sum [n] of each row of values [n, m], m > 0, added from left to right.

    ``values.sum(axis=1)`` sums in an order that depends on the shape and memory layout of the
    array. A running sum has only one order.
    """
    sums: Floats = np.add.accumulate(values, axis=1)[:, -1]
    return sums
