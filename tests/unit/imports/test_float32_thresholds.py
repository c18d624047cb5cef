from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba.imports.float32_thresholds import largest_below, largest_up_to

FLOAT32 = st.floats(width=32, allow_nan=False)


def neighbors(x):
    """A number and those beside it, in 64 and in 32 bits."""
    with np.errstate(over="ignore"):
        small = np.float32(x)
        near = [x, np.float64(small), *(np.nextafter(x, side) for side in (-np.inf, np.inf))]
        for side in (np.float32(-np.inf), np.float32(np.inf)):
            other = np.nextafter(small, side)
            near += [np.float64(other), (np.float64(small) + np.float64(other)) / 2.0]
    return [value for value in near if not np.isnan(value)]


def check(threshold, made, passes):
    with np.errstate(over="ignore"):
        for x in [*neighbors(made), *neighbors(np.float64(threshold)), -np.inf, np.inf]:
            assert (x <= made) == passes(np.float32(x)), x


@given(FLOAT32.filter(lambda t: t != -np.inf))
@settings(max_examples=300)
def test_below(threshold):
    made = float(largest_below(np.array([threshold], dtype=np.float32))[0])
    check(threshold, made, lambda x: x < np.float32(threshold))


@given(FLOAT32 | st.floats(allow_nan=False))
@settings(max_examples=300)
def test_up_to(threshold):
    made = float(largest_up_to(np.array([threshold]))[0])
    check(threshold, made, lambda x: x <= np.float64(threshold))


@pytest.mark.parametrize(
    "threshold", [0.0, -0.0, 1e-45, -1e-45, 3.4028234663852886e38, -3.4028234663852886e38, np.inf]
)
def test_ends_of_the_range(threshold):
    made = float(largest_below(np.array([threshold], dtype=np.float32))[0])
    check(threshold, made, lambda x: x < np.float32(threshold))
