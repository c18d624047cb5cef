"""Column sampling by weight: the chance of a column is in proportion to its weight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ceiba
from ceiba.testing import reference

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(60, 4))
Y = RANDOM.normal(size=60)


def used(**given: Any) -> list[set[int]]:
    """Return the columns of each tree."""
    params = {"n_estimators": 300, "max_depth": 1, "min_samples_leaf": 1, **given}
    arrays = ceiba.train(params, ceiba.Dataset(X, Y)).forest.arrays()
    cuts = arrays["tree_offsets"][1:-1]
    return [set(part[part >= 0].tolist()) for part in np.split(arrays["feature"], cuts)]


@pytest.mark.parametrize("stage", ["colsample_bytree", "colsample_bylevel", "colsample_bynode"])
def test_one_column_of_four(stage: str) -> None:
    weights = [1.0, 2.0, 0.0, 5.0]
    trees = used(**{stage: 0.25, "feature_weights": weights})
    share = [sum(column in tree for tree in trees) / len(trees) for column in range(4)]
    assert share[2] == 0.0
    np.testing.assert_allclose(share, np.array(weights) / 8, atol=0.08)


def test_weight_zero_comes_last() -> None:
    """Three of four columns are wanted, and two have a weight: the third has none."""
    weights = (0.0, 1.0, 0.0, 1.0)
    for key in range(50):
        drawn = reference.sample_columns([0, 1, 2, 3], 0.75, key, 1, 0, weights)
        assert {1, 3} < set(drawn)


def test_draws_without_replacement_follow_the_weights() -> None:
    """The chance of a pair is that of drawing one after the other."""
    weights = (1.0, 2.0, 3.0)
    counts = np.zeros(3)
    n = 4000
    for key in range(n):
        left_out = {0, 1, 2} - set(reference.sample_columns([0, 1, 2], 0.6, key, 1, 0, weights))
        counts[left_out.pop()] += 1
    total = sum(weights)
    expected = [
        sum(
            weights[a] / total * weights[b] / (total - weights[a])
            for a in range(3)
            for b in range(3)
            if len({a, b, out}) == 3
        )
        for out in range(3)
    ]
    np.testing.assert_allclose(counts / n, expected, atol=0.025)


def test_without_sampling_weights_are_refused() -> None:
    with pytest.raises(ceiba.CeibaError, match=r"has no effect with colsample_bytree=1\.0"):
        ceiba.train({"feature_weights": [1, 2, 0, 5]}, ceiba.Dataset(X, Y))


def test_a_number_of_columns() -> None:
    params = {"max_features": 2, "max_depth": 1}
    assert {len(tree) for tree in used(**params)} == {1}
    assert used(max_features=4) == used()
