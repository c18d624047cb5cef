"""Reference implementation of gradient rounding to integers.

A round sums integers, so that neither threads nor the order of rows change a tree. Three precisions
differ in the number of bits per row; the total sum must fit. The fourth one, centered, is for
gradients with a heavy tail: gains then use differences to the center of each node, which are exact
integers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Precision = Literal["single", "packed", "wide", "centered"]

MOST_SINGLE_ROWS = 1 << 24  # with a constant hessian
MOST_PACKED_ROWS = 4096  # with a hessian for each row
SUM_BITS = 51
FEWEST_UNITS = 8
HEAVY_TAIL = 64.0
MOST_WHOLE = 2.0**30


@dataclass(frozen=True)
class Rounded:
    """Integers of the selected rows; a sum times its unit is the real sum."""

    gradients: NDArray[np.int64]
    hessians: NDArray[np.int64]  # row counts if the hessian is constant
    counts: NDArray[np.int64]
    gradient_unit: float
    hessian_unit: float
    precision: Precision
    constant_hessian: bool = False

    def real(self, sums: NDArray[np.int64], of_node: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return sums [3, ...] of rows of a node as real numbers, relative to its center."""
        gradient, hessian, count = sums
        if self.precision == "centered":
            total, n = int(of_node[0]), int(of_node[2])
            center = 0 if n == 0 else int(math.copysign(abs(total) // n, total))
            gradient = gradient - center * count
        units = (self.gradient_unit, self.hessian_unit, 1.0)
        parts = zip((gradient, hessian, count), units, strict=True)
        return np.array([np.asarray(part, dtype=np.int64) * unit for part, unit in parts])


def are_whole(weights: NDArray[np.float64] | None) -> bool:
    """Whether weights are row counts: all are whole numbers of reasonable size."""
    if weights is None:
        return True
    return bool(np.all(weights == np.floor(weights))) and math.fsum(weights) < MOST_WHOLE


def exponent_above(value: float) -> int:
    """Return the smallest e with value < 2**e."""
    return math.frexp(value)[1]


def fixed_point_scale(bits: int, largest: float) -> float:
    """Return the power of two that scales ``largest`` to just below 2**bits."""
    if not largest > 0:
        return 1.0
    return math.ldexp(1.0, min(1000, max(-1000, bits - exponent_above(largest))))


def levels(precision: Precision, repeats: int, constant_hessian: bool) -> tuple[int, int]:
    """Return the number of bits of the largest gradient and of the largest hessian."""
    count_bits = repeats.bit_length()
    if precision == "single":  # gradient, hessian and count share 64 bits
        free = 64 - count_bits
        hessian_bits = 0 if constant_hessian else free * 24 // 51
        gradient_bits = min(free - hessian_bits - 1, SUM_BITS)
        return min(gradient_bits - count_bits, 40), max(hessian_bits - count_bits, 1)
    if precision == "centered":
        return min(61 - count_bits, 50), 1
    pair_bits = min(64 - count_bits, SUM_BITS) - count_bits
    if precision == "packed":
        return 14, min(12, pair_bits)
    return min(SUM_BITS - count_bits, 40), min(pair_bits, 40)


def round_rows(
    gradients: NDArray[np.float64],
    hessians: NDArray[np.float64] | None,
    constant_hessian: float,
    weights: NDArray[np.float64] | None,
    *,
    weighted_counts: bool,
    whole: bool,
    fine: bool = False,
    penalty: float = math.inf,
    several: bool = False,
    centers: bool = False,
) -> Rounded:
    """Round the selected rows of one tree. ``whole``: all weights are whole numbers.

    ``fine`` is the rounding of exact splits: varying hessians never use the coarse precision. Few
    rows do not use it either if the ``penalty`` is below a sixteenth of the largest hessian. An
    output of ``several`` in one tree uses the wide precision. ``centers``: gains are invariant to a
    constant added to all gradients.
    """
    n = len(gradients)
    times = np.ones(n, dtype=np.int64)
    factor = np.ones(n)
    if weights is not None and whole:
        times = weights.astype(np.int64)
    elif weights is not None:
        factor = weights
    counts = times if whole and weighted_counts else np.ones(n, dtype=np.int64)
    constant = hessians is None and (weights is None or (whole and weighted_counts))
    repeats = int(times.sum())

    real_gradients = gradients * factor
    real_hessians = (np.full(n, constant_hessian) if hessians is None else hessians) * factor

    def at(precision: Precision) -> Rounded:
        gradient_levels, hessian_levels = levels(precision, repeats, constant)
        g, gradient_unit = _whole_numbers(real_gradients, gradient_levels)
        h, hessian_unit = _whole_numbers(real_hessians, hessian_levels)
        if constant:
            units = (gradient_unit, constant_hessian)
            return Rounded(g * times, counts, counts, *units, precision, constant_hessian=True)
        units = (gradient_unit, hessian_unit)
        return Rounded(g * times, h * times, counts, *units, precision)

    few = repeats <= (MOST_SINGLE_ROWS if constant else MOST_PACKED_ROWS)
    fine = fine or (repeats <= MOST_PACKED_ROWS and penalty < real_hessians.max() / 16)
    wide = several or (fine and not (constant and few))
    rounded = at("wide" if wide else "single" if few else "packed")
    if centers and constant and _has_heavy_tail(rounded, real_gradients, repeats):
        return at("centered")
    if wide:
        return rounded
    if _rounds_away(rounded.gradients, real_gradients, times):
        return at("wide")
    if not constant and _rounds_away(rounded.hessians, real_hessians, times):
        return at("wide")
    return rounded


def weigh_rows(
    weights: NDArray[np.float64] | None,
    selected: NDArray[np.intp],
    rounded: Rounded,
    *,
    weighted_counts: bool,
) -> NDArray[np.int64]:
    """Return the weight of the selected rows, in any unit.

    These are row counts without weights or if weights count as rows; otherwise fixed-point weights.
    """
    whole = are_whole(weights)
    if weights is None or (whole and weighted_counts):
        return rounded.counts
    own = weights[selected]
    if whole:
        return own.astype(np.int64)
    bits = 62 - exponent_above(float(len(selected)))
    return np.rint(own * fixed_point_scale(bits, float(weights.max()))).astype(np.int64)


def _has_heavy_tail(rounded: Rounded, values: NDArray[np.float64], repeats: int) -> bool:
    """Whether the largest gradient is far above the mean gradient."""
    mean = float(np.abs(rounded.gradients).sum()) * rounded.gradient_unit / repeats
    return bool(np.abs(values).max() > HEAVY_TAIL * mean)


def _rounds_away(
    integers: NDArray[np.int64], values: NDArray[np.float64], times: NDArray[np.int64]
) -> bool:
    """Whether a heavy tail rounds typical rows to zero.

    That is the case if the mean is a few units, or three of four rows became 0.
    """
    if not np.any(values != 0):
        return False
    zeros = times[integers == 0].sum()
    return bool(np.abs(integers).sum() < FEWEST_UNITS * times.sum() or 4 * zeros > 3 * times.sum())


def _whole_numbers(values: NDArray[np.float64], bits: int) -> tuple[NDArray[np.int64], float]:
    """Return values scaled to integers below 2**bits, and the unit."""
    scale = fixed_point_scale(bits, float(np.abs(values).max()))
    limit = 2.0**bits - 1
    return np.rint(np.clip(values * scale, -limit, limit)).astype(np.int64), 1 / scale
