"""Standard deviation of the noise on split scores (``random_strength``).

As in CatBoost, a normal number with this standard deviation is added to the score of a candidate:

    random_strength · sqrt(mean of g²) · m / (1 + m),   m = n · exp(−sum of learning rates so far)

g are the gradients of the n rows. The noise starts at the size of a gradient and vanishes once the
learning rates so far add up to more than log n. Integer weights count as repeated rows; other
weights multiply gradients.
``cpp/split/ranking.hpp`` assigns the numbers to candidates.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ceiba import _core
from ceiba.reductions import any_row, count_rows, exact_sum, extent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.boosting.row_statistics import RowStatistics
    from ceiba.parameters.resolving import Parameters

__all__ = ["deviations"]


def deviations(
    parameters: Parameters,
    statistics: RowStatistics,
    weights: NDArray[np.float64] | None,
    round: int,
) -> list[float]:
    """Return the standard deviation for each tree of a round; an empty list without noise."""
    strength = parameters.random_strength
    if strength == 0.0:
        return []
    rates = parameters.learning_rate
    passed = math.fsum(rates[:round]) if isinstance(rates, list) else round * rates
    counts = weights if weights is not None and not any_row(np.mod(weights, 1.0) != 0.0) else None
    factors = weights if counts is None else None
    n_rows = _n_rows(statistics.gradients[0], counts)
    left = n_rows * float(_core.exp(np.array([-passed]))[0])
    share = strength * (left / (1.0 + left))
    return [
        share * _typical(gradients if factors is None else gradients * factors, counts)
        for gradients in statistics.gradients
    ]


def _n_rows(values: NDArray[np.float64], counts: NDArray[np.float64] | None) -> float:
    return float(count_rows(values)) if counts is None else exact_sum(counts)


def _typical(values: NDArray[np.float64], counts: NDArray[np.float64] | None) -> float:
    """Return the root mean square, independent of row order."""
    low, high = extent(values)
    largest = max(high, -low)
    if not 0.0 < largest < math.inf:
        return 0.0
    parts = values / largest  # whose squares neither overflow nor vanish
    parts *= parts
    return largest * math.sqrt(exact_sum(parts, counts) / _n_rows(parts, counts))
