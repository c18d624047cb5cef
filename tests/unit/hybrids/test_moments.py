"""Moments of candidates equal the products of the rows on their left sides."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba.hybrids.moments import candidates_of, node_moments

RANDOM = np.random.default_rng(7)
N = 200
PART = RANDOM.normal(size=(N, 4))
TOTALS = node_moments([PART])
WEIGHTS = RANDOM.integers(1, 3, size=N).astype(float)


@pytest.mark.parametrize("with_missing", [False, True])
def test_numbers(with_missing: bool) -> None:
    n_codes = 6
    codes = RANDOM.integers(0, n_codes + with_missing, size=N)
    found = candidates_of(
        codes,
        n_codes,
        is_category=False,
        weights=WEIGHTS,
        parts=[PART],
        totals=TOTALS,
        min_weight=20.0,
    )
    assert found is not None
    assert bool(found.missing_left.any()) is with_missing
    for k, (code, missing_left) in enumerate(zip(found.codes, found.missing_left, strict=True)):
        left = (codes <= code) & (codes < n_codes) | (codes == n_codes) & missing_left
        assert found.left_weights[k] == WEIGHTS[left].sum()
        assert 20.0 <= found.left_weights[k] <= WEIGHTS.sum() - 20.0
        np.testing.assert_allclose(found.left[0][k], PART[left].T @ PART[left], atol=1e-10)
        rest = PART[~left].T @ PART[~left]
        np.testing.assert_allclose(TOTALS[0] - found.left[0][k], rest, atol=1e-10)


def test_levels_are_parted_one_by_one() -> None:
    codes = RANDOM.integers(0, 4, size=N)
    found = candidates_of(
        codes, 3, is_category=True, weights=WEIGHTS, parts=[PART], totals=TOTALS, min_weight=1.0
    )
    assert found is not None
    assert found.codes.tolist() == [0, 1, 2]
    for code in found.codes:
        own = PART[codes == code]
        np.testing.assert_allclose(found.left[0][code], own.T @ own, atol=1e-10)


def test_too_few_rows_leave_no_candidate() -> None:
    codes = np.repeat([0, 1], [N - 5, 5])
    for is_category in (False, True):
        assert (
            candidates_of(
                codes,
                2,
                is_category=is_category,
                weights=WEIGHTS,
                parts=[PART],
                totals=TOTALS,
                min_weight=20.0,
            )
            is None
        )
