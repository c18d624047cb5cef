"""Pruning as XGBoost does it: before growth goes on with bins, after growth with exact splits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ceiba

pytestmark = pytest.mark.parity


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("gamma", [0.5, 3.0, 12.0])
@pytest.mark.parametrize("prune", ["before", "after"])
def test_xgboost(seed: int, gamma: float, prune: str) -> None:
    xgboost = pytest.importorskip("xgboost")
    random = np.random.default_rng(seed)
    X = random.integers(1, 15, size=(700, 5)).astype(np.float64)
    y = np.where((X[:, 0] > 7) == (X[:, 1] > 7), 1.0, -1.0) + 0.1 * X[:, 2]
    y += random.normal(size=700)
    weight = random.uniform(0.5, 2.0, size=700)
    shared: dict[str, Any] = {"gamma": gamma, "max_depth": 5, "reg_lambda": 0.7, "eta": 0.3}
    peer = xgboost.train(
        {
            "tree_method": "exact" if prune == "after" else "hist",
            "base_score": 0.5,
            "nthread": 1,
            **shared,
        },
        xgboost.DMatrix(X, y, weight=weight),
        4,
    )
    theirs = peer.predict(xgboost.DMatrix(X))
    params = {"recipe": "xgboost", "base_score": 0.5, "n_estimators": 4, "prune": prune, **shared}
    ours = ceiba.train(params, ceiba.Dataset(X, y, weight=weight))
    np.testing.assert_allclose(ours.predict(X), theirs, rtol=2e-4, atol=2e-5)
    groups = np.unique(ours.predict(X), return_inverse=True)[1]
    for group in range(groups.max() + 1):
        assert np.ptp(theirs[groups == group]) <= 2e-5
    n_leaves = sum(tree.count("leaf=") for tree in peer.get_dump())
    assert (ours.forest.arrays()["feature"] < 0).sum() == n_leaves
