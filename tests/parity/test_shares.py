"""Shares and uncertain labels: the same trees as XGBoost."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba import CeibaRegressor

pytestmark = pytest.mark.parity


@pytest.mark.parametrize("weighted", [False, True])
def test_xgboost(weighted: bool) -> None:
    xgboost = pytest.importorskip("xgboost")
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 4)).astype(np.float32).astype(np.float64)
    shares = 1.0 / (1.0 + np.exp(-2.0 * X[:, 0] - random.normal(size=400)))
    weights = random.gamma(2.0, size=400) if weighted else None
    shared = {"n_estimators": 10, "base_score": 0.4, "n_jobs": 1}
    peer = xgboost.XGBRegressor(objective="reg:logistic", tree_method="exact", **shared)
    own = CeibaRegressor(objective="reg:logistic", recipe="xgboost", split_method="exact", **shared)
    expected = peer.fit(X, shares, sample_weight=weights).predict(X)
    found = own.fit(X, shares, weights).predict(X)
    np.testing.assert_allclose(found, expected, atol=1e-5)
