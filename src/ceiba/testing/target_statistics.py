"""Target statistics computed row by row from their definition.

``cpp/data/encoding/target_statistics.hpp`` defines them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ceiba.testing.columns import hash64

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["explained_share", "ordered_statistics", "row_permutation", "total_statistic"]

_PURPOSE = 0x7461726765747374


def row_permutation(seed: int, number: int, n_rows: int) -> list[int]:
    """Return the rows in random permutation ``number``."""
    key = hash64(seed, _PURPOSE, number)
    return sorted(range(n_rows), key=lambda row: (hash64(key, row) >> 32, row))


def ordered_statistics(
    levels: Sequence[Hashable],
    targets: Sequence[float],
    weights: Sequence[float] | None,
    permutations: Sequence[Sequence[int]],
    *,
    prior: float | None = None,
    strength: float = 1.0,
) -> NDArray[np.float64]:
    """Return each row's statistic from the rows before it, averaged over the permutations.

    Rows with the level None (unknown) get the statistic of a level without rows. ``prior=None``
    means the mean target of all rows before; the first row uses the target of the second.
    """
    weight = np.ones(len(targets)) if weights is None else np.asarray(weights)
    found = np.zeros(len(targets))
    for permutation in permutations:
        for place, row in enumerate(permutation):
            before = list(permutation[:place])
            same = [r for r in before if levels[r] == levels[row] and levels[row] is not None]
            near = before or list(permutation[1:2])
            mean = sum(weight[r] * targets[r] for r in near) / max(sum(weight[near]), 1e-300)
            own = mean if prior is None else prior
            total = sum(weight[r] * targets[r] for r in same)
            count = sum(weight[same]) + strength
            found[row] += (total + strength * own) / count if count > 0 else own
    return found / len(permutations)


def total_statistic(
    level: Hashable,
    levels: Sequence[Hashable],
    targets: Sequence[float],
    weights: Sequence[float] | None,
    *,
    prior: float | None = None,
    strength: float = 1.0,
) -> float:
    """Return the statistic of a level from all rows, as used by predict."""
    weight = np.ones(len(targets)) if weights is None else np.asarray(weights)
    mean = float(np.dot(weight, targets) / weight.sum())
    own = mean if prior is None else prior
    same = [r for r in range(len(targets)) if levels[r] == level]
    count = float(sum(weight[same])) + strength
    total = float(sum(weight[r] * targets[r] for r in same))
    return (total + strength * own) / count if count > 0 else own


def explained_share(
    targets: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    own: NDArray[np.float64],
    others: Sequence[NDArray[np.float64]],
    *,
    are_classes: bool = False,
) -> float:
    """Return the share of the target variance that columns explain beyond the given others.

    ``targets`` has the shape [n_targets, n_rows]. A combination holds the columns of all targets in
    order, and the weight of each row's key last. The result is the mean over the targets, or for
    classes of one target the share of the sum of their variances.
    """
    root = np.sqrt(np.ones(targets.shape[1]) if weights is None else weights)
    n_priors = (len(own) - 1) // len(targets)
    explained, total = [], []
    for t, target in enumerate(targets):

        def columns(values: NDArray[np.float64], t: int = t) -> list[NDArray[np.float64]]:
            statistics = values[t * n_priors : (t + 1) * n_priors]
            return [root * one for one in (*statistics, 1.0 / (1.0 + values[-1]))]

        parts = [root, *(column for other in others for column in columns(other))]
        left = [_error(root * target, known) for known in (parts, [*parts, *columns(own)])]
        explained.append(left[0] - left[1])
        total.append(_error(root * target, [root]))
    if are_classes:
        return sum(explained) / sum(total) if sum(total) > 0 else 0.0
    shares = [one / whole for one, whole in zip(explained, total, strict=True) if whole > 0]
    return sum(shares) / len(shares) if shares else 0.0


def _error(values: NDArray[np.float64], known: list[NDArray[np.float64]]) -> float:
    """Return the squared error of the best linear fit of the known columns."""
    matrix = np.column_stack(known)
    left = values - matrix @ np.linalg.lstsq(matrix, values, rcond=None)[0]
    return float(left @ left)
