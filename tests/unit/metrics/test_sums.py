"""The sums that decide: exact, and blind to the order of rows."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

from ceiba import _core
from ceiba.errors import InvalidInputError

Floats = np.ndarray[Any, np.dtype[np.float64]]

some_values = st.lists(
    st.floats(min_value=-1e6, max_value=1e6, allow_subnormal=False).map(
        lambda value: 0.0 if abs(value) < 1e-6 else value
    ),
    max_size=40,
)


@given(some_values, st.randoms(use_true_random=False))
def test_sum_is_the_rounded_true_sum_in_any_order(values: list[float], random: Any) -> None:
    result = _core.exact_sum(np.array(values, dtype=np.float64))
    assert result == pytest.approx(math.fsum(values), rel=1e-15, abs=1e-18)
    random.shuffle(values)
    assert _core.exact_sum(np.array(values, dtype=np.float64)) == result


@given(some_values, st.data())
def test_weighted_sum_takes_exact_products(values: list[float], data: Any) -> None:
    weights = [data.draw(st.floats(1e-3, 1e3)) for _ in values]
    exact = sum(
        (Fraction(v) * Fraction(w) for v, w in zip(values, weights, strict=True)), Fraction(0)
    )
    result = _core.exact_sum(
        np.array(values, dtype=np.float64), np.array(weights, dtype=np.float64)
    )
    assert result == pytest.approx(float(exact), rel=1e-15, abs=1e-15)


def test_sum_of_many_rows_has_the_same_bits_on_every_path() -> None:
    random = np.random.default_rng(0)
    values = random.standard_cauchy(200_003)
    weights = random.gamma(1.0, size=200_003)
    expected = _core.exact_sum(values), _core.exact_sum(values, weights)
    assert expected[0] == math.fsum(values)
    order = random.permutation(len(values))
    assert (
        _core.exact_sum(values[order]),
        _core.exact_sum(values[order], weights[order]),
    ) == expected
    was_on = _core.uses_avx2()
    try:
        _core.set_avx2(False)
        assert (_core.exact_sum(values), _core.exact_sum(values, weights)) == expected
    finally:
        _core.set_avx2(was_on)


def test_extreme_and_missing_values() -> None:
    assert _core.exact_sum(np.array([])) == 0.0
    assert _core.exact_sum(np.array([1e308, 1e308, -1e308])) == 1e308
    assert _core.exact_sum(np.array([1e308, 1e308])) == math.inf
    assert _core.exact_sum(np.array([5e-324, 5e-324])) == pytest.approx(0.0, abs=1e-320)
    assert _core.exact_sum(np.array([1.0, np.inf])) == math.inf
    assert _core.exact_sum(np.array([1.0, -np.inf])) == -math.inf
    assert math.isnan(_core.exact_sum(np.array([np.inf, -np.inf])))
    assert math.isnan(_core.exact_sum(np.array([1.0, np.nan])))


def test_cancellation_leaves_the_small_value() -> None:
    assert _core.exact_sum(np.array([1e16, 1.0, -1e16])) == 1.0


@pytest.mark.parametrize("n_rows", [10, 500, 20_000])
@pytest.mark.parametrize("spread", [1.0, 1e-9, 1e300])
def test_ranking_equals_scikit_learn_at_any_size_and_scale(n_rows: int, spread: float) -> None:
    random = np.random.default_rng(n_rows)
    target = (np.arange(n_rows) % 3 == 0).astype(np.float64)
    # Around 1, a spread of 1e-9 leaves keys that differ only in their lower bits.
    scores = (
        (1.0 + random.normal(size=n_rows) * spread)
        if spread < 1
        else random.normal(size=n_rows) * spread
    )
    scores[random.random(n_rows) < 0.2] = scores[0]
    weights = random.gamma(0.3, size=n_rows)
    assert _core.auc(target, scores) == pytest.approx(roc_auc_score(target, scores), rel=1e-12)
    expected = roc_auc_score(target, scores, sample_weight=weights)
    assert _core.auc(target, scores, weights) == pytest.approx(expected, rel=1e-11)
    assert _core.average_precision(target, scores) == pytest.approx(
        average_precision_score(target, scores), rel=1e-11
    )
    assert _core.average_precision(target, scores, weights) == pytest.approx(
        average_precision_score(target, scores, sample_weight=weights), rel=1e-11
    )
    order = random.permutation(n_rows)
    assert _core.average_precision(target[order], scores[order], weights[order]) == (
        _core.average_precision(target, scores, weights)
    )
    assert _core.auc(target[order], scores[order], weights[order]) == _core.auc(
        target, scores, weights
    )


def test_auc_of_ties_signed_zeros_and_infinities() -> None:
    target = np.array([0.0, 1.0, 0.0, 1.0])
    assert _core.auc(target, np.zeros(4)) == 0.5
    assert _core.auc(target, np.array([0.0, -0.0, 0.0, -0.0])) == 0.5
    assert _core.auc(target, np.array([-np.inf, np.inf, 0.0, 1.0])) == 1.0
    assert _core.auc(1.0 - target, np.array([-np.inf, np.inf, 0.0, 1.0])) == 0.0
    assert math.isnan(_core.auc(np.zeros(4), np.arange(4.0)))
    assert math.isnan(_core.auc(np.array([]), np.array([])))


def test_average_precision_of_ties_signed_zeros_and_infinities() -> None:
    target = np.array([0.0, 1.0, 0.0, 1.0])
    assert _core.average_precision(target, np.array([0.0, -0.0, 0.0, -0.0])) == 0.5
    assert _core.average_precision(target, np.array([-np.inf, np.inf, 0.0, 1.0])) == 1.0
    assert _core.average_precision(np.ones(4), np.arange(4.0)) == 1.0
    assert math.isnan(_core.average_precision(np.zeros(4), np.arange(4.0)))
    assert math.isnan(_core.average_precision(target, np.arange(4.0), np.array([1.0, 0, 1, 0])))
    assert math.isnan(_core.average_precision(np.array([]), np.array([])))
    with pytest.raises(InvalidInputError, match="scores of average_precision must not be NaN"):
        _core.average_precision(np.array([0.0, 1.0]), np.array([np.nan, 1.0]))


def test_auc_refuses_what_it_cannot_rank() -> None:
    zeros_and_one = np.array([0.0, 1.0])
    with pytest.raises(InvalidInputError, match="must not be NaN"):
        _core.auc(zeros_and_one, np.array([np.nan, 1.0]))
    with pytest.raises(InvalidInputError, match="must be 0 or 1"):
        _core.auc(np.array([0.0, 2.0]), zeros_and_one)
    with pytest.raises(InvalidInputError, match="finite and not negative"):
        _core.auc(zeros_and_one, zeros_and_one, np.array([1.0, -1.0]))
    with pytest.raises(InvalidInputError, match=r"weights must have 2 values\. Got 1"):
        _core.auc(zeros_and_one, zeros_and_one, np.array([1.0]))
