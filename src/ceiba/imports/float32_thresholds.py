"""Thresholds of libraries that compare in 32 bits, as exact thresholds for float64 values.

XGBoost, CatBoost and scikit-learn's trees round a value to float32 before they compare it. The
functions return the largest float64 that passes the test after rounding, so that ``x <= result``
sends every float64 x to the same side. Rounding is to nearest, ties to even.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["largest_below", "largest_up_to"]

Floats = NDArray[np.float64]

#: What the float32 after the largest finite one would be.
_PAST_LARGEST = 2.0**128


def largest_below(thresholds: NDArray[np.floating]) -> Floats:
    """Return the largest x with ``float32(x) < threshold``, for float32 thresholds."""
    with np.errstate(over="ignore", under="ignore"):
        return _largest_rounding_to(
            np.nextafter(thresholds.astype(np.float32), np.float32(-np.inf))
        )


def largest_up_to(thresholds: NDArray[np.floating]) -> Floats:
    """Return the largest x with ``float32(x) <= threshold``, for thresholds of any precision."""
    with np.errstate(over="ignore", under="ignore"):
        rounded = thresholds.astype(np.float32)
        lower = np.nextafter(rounded, np.float32(-np.inf))
        return _largest_rounding_to(np.where(rounded > thresholds, lower, rounded))


def _largest_rounding_to(values: NDArray[np.float32]) -> Floats:
    """Return the largest float64 that rounds to each float32 value."""
    following = np.nextafter(values, np.float32(np.inf)).astype(np.float64)
    overflows = np.isinf(following) & np.isfinite(values)
    following[overflows] = _PAST_LARGEST
    own = np.where(np.isneginf(values), -_PAST_LARGEST, values.astype(np.float64))
    middle = (own + following) / 2.0  # exact: one more bit than a float32 has
    rounds_up = middle.astype(np.float32) > values
    return np.where(rounds_up, np.nextafter(middle, -np.inf), middle)
