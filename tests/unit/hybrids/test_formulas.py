"""Formulas show the terms of a model, and no rounding errors."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import BoostedLinearRegressor, EnhancedForestRegressor, LinearTreeRegressor
from ceiba.hybrids.formulas import rounding_error

HYBRIDS = (
    LinearTreeRegressor(penalty="none", max_depth=0),
    BoostedLinearRegressor(penalty="none", n_estimators=0),
    EnhancedForestRegressor(penalty="none", n_estimators=1),
)


def numbers_of(text: str) -> list[float]:
    """Return the numbers of the first formula of a summary, the intercept first."""
    line = next(line for line in text.splitlines() if "y = " in line)
    right = line.split("y = ")[1]
    return [float(one) for one in re.findall(r"(?:^|[+-] )(-?[\d.]+(?:e[+-]?\d+)?)", right)]


@pytest.mark.parametrize("hybrid", HYBRIDS, ids=lambda one: type(one).__name__)
@given(
    slope=st.integers(-40, 40),
    intercept=st.integers(-1000, 1000),
    factor=st.sampled_from([1e-6, 1.0, 1e9]),
    seed=st.integers(0, 50),
)
@settings(max_examples=25, deadline=None)
def test_terms_of_rounding_errors_are_left_out(
    hybrid: object, slope: int, intercept: int, factor: float, seed: int
) -> None:
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "x": random.integers(-50, 50, size=120).astype(float),
            "z": random.normal(size=120) * 100.0,
            "g": random.choice(["a", "b", "c"], size=120),
        }
    )
    y = factor * (intercept + slope * frame.x)
    fitted = hybrid.fit(frame, y)  # type: ignore[attr-defined]
    found = numbers_of(fitted.summary())
    assert found[0] == pytest.approx(factor * intercept, rel=1e-4, abs=1e-9 * factor)
    assert found[1:] == ([] if slope == 0 else [pytest.approx(abs(factor * slope), rel=1e-5)])


def test_rounding_error_follows_the_largest_number() -> None:
    assert rounding_error(1.0, -4.0, 0.0) == pytest.approx(4.0 * 2.0**-40)
    assert rounding_error(0.0) == 0.0
