"""Reference implementation of residual leaves: sorted lists and Python integers.

The definitions are in ``cpp/gradient/weighted_quantile.hpp`` and ``cpp/leaf/huber.hpp``. Every
function returns the same bits as the C++ core.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.testing.rounding import are_whole, exponent_above

Reals = NDArray[np.float64]


def weight_units(weights: Reals | None, n_rows: int) -> list[int]:
    """Return whole weights unchanged; scale others so that their sum fits 62 bits."""
    if weights is None:
        return [1] * n_rows
    if are_whole(weights):
        return [int(weight) for weight in weights]
    exponent = 62 - exponent_above(float(n_rows)) - exponent_above(float(np.max(weights)))
    scale = 2.0 ** min(max(exponent, -1000), 1000)
    return [max(1, int(weight * scale)) for weight in weights]


def quantile(values: Any, times: list[int], level: float) -> float:
    """Return the smallest value whose cumulative weight reaches ``level`` times the total."""
    total = sum(times)
    rest = min(max(1, math.ceil(level * float(total))), total)
    for value, weight in sorted(zip(map(float, values), times, strict=True)):
        rest -= weight
        if rest <= 0:
            return value + 0.0
    raise AssertionError("unreachable: the cumulative weight ends at the total")


def huber_minimum(values: Any, times: list[int], delta: float) -> float:
    """Return the root of the derivative of the Huber loss, searched between all its corners."""
    median = quantile(values, times, 0.5)
    scale, width = _units(delta)
    if width == 0:
        return median
    points = [_clipped(value - median, scale, 2 * width) for value in values]

    def line(x: int) -> tuple[int, int]:
        near = [(p, t) for p, t in zip(points, times, strict=True) if x - width <= p <= x + width]
        below = sum(t for p, t in zip(points, times, strict=True) if p < x - width)
        above = sum(t for p, t in zip(points, times, strict=True) if p > x + width)
        return width * (below - above) - sum(p * t for p, t in near), sum(t for _, t in near)

    def slope(x: int) -> int:
        at_zero, rise = line(x)
        return at_zero + rise * x

    corners = sorted({point + shift for point in points for shift in (-width, width)})
    left = max([-width, *(x for x in corners if slope(x) <= 0)])
    right = max(left, min([width, *(x for x in corners if slope(x) > 0)]))
    middle = left + (right - left) // 2
    at_zero, rise = line(middle)
    root = min(max(-float(at_zero) / float(rise), float(left)), float(right)) if rise else middle
    return median + root / scale


def huber_step(values: Any, times: list[int], delta: float) -> float:
    """Return the median plus the mean difference from it, with differences clipped to delta."""
    median = quantile(values, times, 0.5)
    scale, width = _units(delta)
    total = sum(
        _clipped(value - median, scale, width) * weight
        for value, weight in zip(values, times, strict=True)
    )
    return median + float(total) / scale / float(sum(times))


def sorted_rows(raw: Reals, shift: Any = None) -> Reals:
    """Return quantile predictions: scores [n, K] plus the shift, sorted within each row."""
    moved = raw if shift is None else raw + np.asarray(shift)
    return np.array([sorted(map(float, row)) for row in moved]).reshape(raw.shape)


def _units(delta: float) -> tuple[float, int]:
    if not delta > 0:
        return 1.0, 0
    scale = 2.0 ** min(max(59 - exponent_above(delta), -1000), 1000)
    return scale, round(delta * scale)


def _clipped(difference: float, scale: float, limit: int) -> int:
    return round(min(max(float(difference) * scale, -float(limit)), float(limit)))
