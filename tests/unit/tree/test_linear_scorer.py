"""The gain of linear models: shared by a level, and no smaller than that of constants."""

from __future__ import annotations

from typing import Any

import numpy as np

from ceiba import Dataset, train

random = np.random.default_rng(7)
X = random.normal(size=(500, 3))
Y = np.abs(X[:, 0]) + 0.1 * X[:, 1]


def root_gain(**given: Any) -> float:
    settings = {"n_estimators": 1, "max_leaves": 2, "reg_lambda": 0.0, "min_samples_leaf": 20}
    return float(train({**settings, **given}, Dataset(X, Y)).forest.arrays()["gain"][0])


LINEAR = {"leaf_model": "linear", "linear_fit": "gain", "linear_lambda": 1e-6}


def test_slopes_gain_more_than_constants() -> None:
    assert root_gain(**LINEAR) > 1.5 * root_gain()


def test_a_penalty_lowers_the_gain() -> None:
    assert root_gain(**{**LINEAR, "linear_lambda": 1e4}) < root_gain(**LINEAR)
