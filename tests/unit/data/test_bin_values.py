"""What bins stand for: means of the values in them, centred and scaled."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba import _core

RANDOM = np.random.default_rng(3)


def values_of(column: np.ndarray, weights: np.ndarray | None = None, max_bins: int = 16):
    mapper = _core.BinMapper.find([[column]], weights, max_bins, 1, 1)
    (values,) = mapper.values(_core.Regressors.build([[column]], [0], 1), weights, 1)
    codes = np.searchsorted(mapper.edges(0), column, side="left")
    codes[np.isnan(column)] = len(mapper.edges(0)) + 1
    return np.asarray(values), codes


@pytest.mark.parametrize("weighted", [None, "whole", "real"])
def test_values_are_standardised_means(weighted: str | None) -> None:
    x = np.where(RANDOM.random(500) < 0.1, np.nan, RANDOM.lognormal(size=500) * 1e3 + 5e6)
    weights = {
        None: None,
        "whole": RANDOM.integers(1, 5, 500).astype(float),
        "real": RANDOM.random(500) + 0.1,
    }[weighted]
    values, codes = values_of(x, weights)
    w = np.ones(500) if weights is None else weights
    known = ~np.isnan(x)
    means = [
        np.average(x[codes == b], weights=w[codes == b]) if (codes == b).any() else 0.0
        for b in range(len(values) - 1)
    ]
    each = np.asarray(means)[codes[known]]
    mean = np.average(x[known], weights=w[known])
    deviation = np.sqrt(np.average((each - mean) ** 2, weights=w[known]))
    np.testing.assert_allclose(values[codes[known]], (each - mean) / deviation, atol=1e-9)
    assert values[-1] == 0.0  # missing


def test_weights_are_repeats_and_the_order_of_rows_is_nothing() -> None:
    x, k = RANDOM.normal(size=200), RANDOM.integers(1, 4, 200)
    order = RANDOM.permutation(200)
    expected, _ = values_of(np.repeat(x, k))
    weighted, _ = values_of(x, k.astype(float))
    shuffled, _ = values_of(x[order], k[order].astype(float))
    np.testing.assert_array_equal(weighted, expected)
    np.testing.assert_array_equal(shuffled, expected)


def test_columns_that_are_no_regressors_have_none() -> None:
    columns = [
        [np.zeros(6)],
        [np.full(6, np.nan)],
        [np.array([0.0, 1, 2, 0, 1, 2])],
        [np.array([1.0, 2, 3, np.inf, -np.inf, np.nan])],
    ]
    mapper = _core.BinMapper.find(columns, None, 16, 1, 1, [0, 0, 3, 0])
    constant, missing, category, infinite = mapper.values(
        _core.Regressors.build(columns, [0, 1, 2, 3], 1), None, 1
    )
    assert constant == missing == category == []
    assert np.isfinite(infinite).all()  # infinite values count as the largest of the others
