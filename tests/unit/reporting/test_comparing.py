"""Tests of means and distributions, against scipy.stats and by their error rates."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from ceiba.reporting.comparing import (
    category_difference,
    corrected,
    higher_mean,
    number_difference,
    weighted_mean_and_error,
)


def p_of(one, other):
    parts = (weighted_mean_and_error(own, np.ones(len(own))) for own in (one, other))
    return higher_mean(*parts)


def test_means_are_compared_as_by_scipy():
    random = np.random.default_rng(0)
    one, other = random.gamma(2.0, size=40) + 0.3, random.gamma(2.0, size=90)
    expected = stats.ttest_ind(one, other, equal_var=False, alternative="greater").pvalue
    assert p_of(one, other) == pytest.approx(expected, rel=1e-12)


def test_equal_values_differ_nowhere():
    assert p_of(np.ones(5), np.ones(7)) == 1.0


def test_weights_of_the_mean():
    values, weights = np.array([1.0, 2.0, 6.0]), np.array([1.0, 2.0, 1.0])
    mean, error, free = weighted_mean_and_error(values, weights)
    assert mean == np.average(values, weights=weights)
    assert error > 0
    assert free == 2


def test_holm():
    assert corrected(np.array([0.01, 0.04, 0.03])).tolist() == pytest.approx([0.03, 0.06, 0.06])
    assert corrected(np.array([])).tolist() == []


def test_distributions_are_compared_as_by_scipy():
    random = np.random.default_rng(1)
    one, other = random.normal(size=400), random.normal(0.2, 1, size=300).round(1)
    distance, p_value = number_difference(one, other)
    expected = stats.ks_2samp(one, other, method="asymp")
    assert distance == pytest.approx(expected.statistic)
    assert p_value == pytest.approx(expected.pvalue, abs=0.02)


def test_categories_are_compared_as_by_scipy():
    one, other = np.array([30.0, 50.0, 20.0]), np.array([60.0, 80.0, 10.0])
    distance, p_value = category_difference(one, other)
    expected = stats.chi2_contingency(np.stack([one, other]), correction=False)
    assert p_value == pytest.approx(expected.pvalue, rel=1e-9)
    assert distance == pytest.approx(0.5 * np.abs(one / 100 - other / 150).sum())


def test_empty_samples_do_not_differ():
    empty = np.array([])
    assert number_difference(empty, np.ones(3)) == (0.0, 1.0)
    assert category_difference(np.zeros(2), np.ones(2)) == (0.0, 1.0)
    assert category_difference(np.array([5.0, 0.0]), np.array([9.0, 0.0])) == (0.0, 1.0)


def test_chance_finds_a_weaker_slice_in_at_most_5_percent():
    # Losses with a heavy tail, 20 slices of 50 rows: the error rate of the whole family.
    random = np.random.default_rng(2)
    n_found = 0
    for _ in range(200):
        losses = random.lognormal(0.0, 1.5, size=1000)
        slices = np.arange(1000) // 50
        p_values = [p_of(losses[slices == k], losses[slices != k]) for k in range(20)]
        n_found += (corrected(np.array(p_values)) < 0.05).any()
    assert n_found <= 0.05 * 200 + 3 * np.sqrt(200 * 0.05 * 0.95)
