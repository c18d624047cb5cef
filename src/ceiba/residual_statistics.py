"""Quantiles and Huber minima of residuals, leaf by leaf, over the rows of all shards.

The answers of ``_core.ShardResiduals`` are sums over rows and extremes, so each step is a reduction
(``reductions.py``) whose size depends on the number of leaves only. The results have the bits of
``cpp/leaf/residual.cpp``, which selects and sorts where all rows are in one process.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from ceiba import _core
from ceiba.reductions import (
    count_rows,
    largest,
    over_shards,
    smallest,
    summed,
    values_of_keys,
    weight_to_reach,
    weight_units,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Kind = Literal["quantile", "huber", "huber_friedman"]

__all__ = ["huber_minimum", "residual_statistics"]

#: Bits of a key that one question counts by, for every leaf; and points of a search for a root.
_BITS = 8
#: No breakpoint of a slope is farther from the median than this many deltas.
_FARTHEST = 3


def huber_minimum(values: Floats, weights: Floats | None, delta: float) -> float:
    """Return the constant that minimizes the Huber loss of the values of all rows."""
    if not over_shards():
        return _core.huber_minimum(values, weights, delta)
    units = weight_units(weights, count_rows(values))
    units = np.ones(len(values), dtype=np.int64) if units is None else units
    residuals = _core.ShardResiduals.of(values + 0.0, units)
    (minimum,), _ = residual_statistics(residuals, 1, "huber", delta)
    return float(minimum)


def residual_statistics(
    residuals: _core.ShardResiduals, n_nodes: int, kind: Kind, option: float
) -> tuple[Floats, Integers]:
    """Return the statistic of each node, 0 for nodes without rows, and the weights of the nodes."""
    level = option if kind == "quantile" else 0.5
    values, totals = _quantiles(residuals, n_nodes, level)
    if kind == "huber_friedman":
        values = _moved_by_mean(residuals, values, totals, option)
    elif kind == "huber":
        values = _roots(residuals, values, totals, option)
    return np.where(totals > 0, values, 0.0), totals


def _quantiles(
    residuals: _core.ShardResiduals, n_nodes: int, level: float
) -> tuple[Floats, Integers]:
    prefixes = np.zeros(n_nodes, dtype=np.uint64)
    totals = wanted = np.zeros(n_nodes, dtype=np.int64)
    for n_done in range(0, 64, _BITS):
        upto = np.cumsum(summed(residuals.count(prefixes, n_done, _BITS)), axis=1)
        if n_done == 0:
            totals = upto[:, -1]
            wanted = np.array([weight_to_reach(level, int(total)) for total in totals])
        digits = np.minimum((upto < wanted[:, None]).sum(axis=1), upto.shape[1] - 1)
        before = np.where(digits > 0, upto[np.arange(n_nodes), digits - 1], 0)
        wanted = wanted - before
        prefixes = (prefixes << np.uint64(_BITS)) | digits.astype(np.uint64)
    return values_of_keys(prefixes), totals


def _moved_by_mean(
    residuals: _core.ShardResiduals, medians: Floats, totals: Integers, delta: float
) -> Floats:
    """Return Friedman's step: the median plus the mean difference, clipped to delta."""
    medians = np.where(totals > 0, medians, 0.0)
    sums = summed(residuals.clipped_sums(medians, delta))
    scale, _ = _units(delta)
    pairs = zip(medians, sums, totals, strict=True)
    return np.array(
        [
            median + float(_whole(limbs)) / scale / float(total) if total else 0.0
            for median, limbs, total in pairs
        ]
    )


def _roots(
    residuals: _core.ShardResiduals, medians: Floats, totals: Integers, delta: float
) -> Floats:
    """Return where the slope of Huber's loss is 0 (``cpp/leaf/huber.hpp``)."""
    scale, limit = _units(delta)
    if limit == 0:
        return medians
    medians = np.where(totals > 0, medians, 0.0)
    residuals.center(medians, delta)
    last = _last_not_above(residuals, len(medians), limit)
    before, after = residuals.neighbors(last)
    left = np.maximum(-limit, largest(before))
    right = np.maximum(left, np.minimum(limit, smallest(after)))
    middle = left + (right - left) // 2
    slopes, rises = residuals.lines(middle)
    slopes, rises = summed(slopes), summed(rises)
    found = np.empty(len(medians))
    for node, median in enumerate(medians):
        rise, at = int(rises[node]), int(middle[node])
        root = float(at)
        if rise > 0:
            at_zero = _whole(slopes[node]) - rise * at
            low, high = float(left[node]), float(right[node])
            root = min(max(-float(at_zero) / float(rise), low), high)
        found[node] = median + root / scale
    return found


def _last_not_above(residuals: _core.ShardResiduals, n_nodes: int, limit: int) -> Integers:
    """Return the last point of each node at which the slope, which rises, is not above 0."""
    low = np.full(n_nodes, -_FARTHEST * limit, dtype=np.int64)
    span = 2 * _FARTHEST * limit + 1  # candidates: low, ..., low + span - 1
    n_points = 1 << _BITS
    while span > 1:
        step = -(-span // n_points)
        offsets = step * np.arange(1, n_points, dtype=np.int64)
        offsets = offsets[offsets < span]
        points = low[:, None] + offsets
        slopes, _ = residuals.lines(points.reshape(-1))
        limbs = summed(slopes).reshape(n_nodes, len(offsets), 4)
        passed = _not_above_zero(limbs).sum(axis=1)
        low = low + step * passed
        span = step
    return low


def _units(delta: float) -> tuple[float, int]:
    """Return the fixed-point scale of differences and delta in it, as ``HuberUnits``."""
    if not delta > 0.0:
        return 1.0, 0
    exponent = max(-1000, min(1000, 59 - math.frexp(delta)[1]))
    scale = math.ldexp(1.0, exponent)
    return scale, round(delta * scale)


def _not_above_zero(limbs: Integers) -> NDArray[np.bool_]:
    """Return whether the integers of 128 bits with these parts [..., 4] are at most 0."""
    carried, carry = limbs.copy(), np.zeros(limbs.shape[:-1], dtype=np.int64)
    for place in range(3):
        carried[..., place] += carry
        carry = carried[..., place] >> 32
        carried[..., place] &= 0xFFFFFFFF
    carried[..., 3] += carry
    negative: NDArray[np.bool_] = carried[..., 3] < 0
    return negative | ~carried.any(axis=-1)


def _whole(limbs: Integers) -> int:
    return sum(int(limb) << 32 * place for place, limb in enumerate(limbs))
