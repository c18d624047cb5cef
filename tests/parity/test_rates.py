"""Counts, rates and amounts: the same trees as the peers under the recipes named after them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

import ceiba

pytestmark = pytest.mark.parity

N_ROWS = 600
N_TREES = 4
#: Ours, and what LightGBM and XGBoost call it.
NAMES = {
    "poisson": ("poisson", "count:poisson"),
    "gamma": ("gamma", "reg:gamma"),
    "tweedie": ("tweedie", "reg:tweedie"),
}
each_loss = pytest.mark.parametrize("objective", NAMES)
each_seed = pytest.mark.parametrize("seed", range(3))


@pytest.fixture(autouse=True)
def blas_threads() -> Iterator[None]:
    """Keep scikit-learn off the cores of other workers: its threads wait by spinning."""
    with threadpool_limits(1):
        yield


def make_data(seed: int, objective: str) -> tuple[Any, Any, Any]:
    random = np.random.default_rng(seed)
    X = random.integers(1, 12, size=(N_ROWS, 5)).astype(np.float64)
    mean = np.exp(0.2 * X[:, 0] - 0.1 * X[:, 1] * (X[:, 2] > 6))
    y = mean * random.gamma(3.0, 1.0 / 3.0, size=N_ROWS)
    if objective != "gamma":
        y[random.random(N_ROWS) < 0.3] = 0.0
    return X, y, random.uniform(0.5, 2.0, size=N_ROWS)


def log_means(data: tuple[Any, Any, Any], **params: Any) -> Any:
    X, y, weight = data
    given = {"n_estimators": N_TREES, "learning_rate": 0.3, "n_jobs": 1, **params}
    return ceiba.train(given, ceiba.Dataset(X, y, weight=weight)).predict_raw(X)


@each_seed
@each_loss
def test_lightgbm(objective: str, seed: int) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    data = X, y, weight = make_data(seed, objective)
    shared = {"num_leaves": 8, "min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 3.0}
    peer = lightgbm.train(
        {"objective": NAMES[objective][0], "learning_rate": 0.3, "min_data_in_bin": 1,
         "num_threads": 1, "verbose": -1, **shared},
        lightgbm.Dataset(X, y, weight=weight),
        N_TREES,
    )  # fmt: skip
    ours = log_means(data, objective=objective, recipe="lightgbm", min_data_in_bin=1, **shared)
    np.testing.assert_allclose(ours, peer.predict(X, raw_score=True), rtol=2e-4, atol=2e-5)


@each_seed
@each_loss
def test_xgboost(objective: str, seed: int) -> None:
    xgboost = pytest.importorskip("xgboost")
    data = X, y, weight = make_data(seed, objective)
    base = float(np.average(y, weights=weight))
    shared = {"max_depth": 3, "min_child_weight": 5.0, "base_score": base}
    peer = xgboost.train(
        {"objective": NAMES[objective][1], "tree_method": "hist", "eta": 0.3, "nthread": 1,
         **shared},
        xgboost.DMatrix(X, y, weight=weight),
        N_TREES,
    )  # fmt: skip
    theirs = peer.predict(xgboost.DMatrix(X), output_margin=True)
    ours = log_means(data, objective=objective, recipe="xgboost", **shared)
    np.testing.assert_allclose(ours, theirs, rtol=2e-4, atol=2e-5)


@each_seed
@pytest.mark.parametrize("objective", ["poisson", "gamma"])
def test_hist_gradient_boosting(objective: str, seed: int) -> None:
    from sklearn.ensemble import HistGradientBoostingRegressor

    data = X, y, weight = make_data(seed, objective)
    shared = {"max_leaf_nodes": 8, "min_samples_leaf": 10, "l2_regularization": 0.5}
    peer = HistGradientBoostingRegressor(
        loss=objective,
        max_iter=N_TREES,
        learning_rate=0.3,
        early_stopping=False,
        **shared,
    ).fit(X, y, sample_weight=weight)
    params = {"recipe": "histgb", "early_stopping_rounds": 0, **shared}
    ours = log_means(data, objective=objective, **params)
    np.testing.assert_allclose(ours, np.log(peer.predict(X)), rtol=2e-4, atol=2e-5)
