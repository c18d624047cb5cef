"""Trees with vector leaves against XGBoost's multi_output_tree."""

from __future__ import annotations

import numpy as np
import pytest

import ceiba

xgboost = pytest.importorskip("xgboost")
pytestmark = pytest.mark.parity


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("policy", ["depthwise", "lossguide"])
def test_same_partitions_as_xgboost(seed: int, policy: str) -> None:
    """Five targets of squared error; at most 200 values a column; no minimums."""
    random = np.random.default_rng(seed)
    n_rows, n_outputs, n_rounds = 3000, 5, 5
    values = random.normal(size=(200, 6))
    X = np.column_stack([values[random.integers(0, 200, n_rows), j] for j in range(6)])
    Y = np.column_stack([X[:, k] * X[:, k + 1] + np.sin(3 * X[:, k]) for k in range(n_outputs)])
    Y = Y * 10.0 ** random.integers(-1, 2, size=n_outputs) + random.normal(size=Y.shape)
    shape = {"max_depth": 5} if policy == "depthwise" else {"max_depth": 0, "max_leaves": 20}
    common = {"learning_rate": 0.3, "reg_lambda": 1.0, "min_child_weight": 0.0}
    start = Y.mean(axis=0)
    theirs = xgboost.train(
        {
            **common,
            **shape,
            "multi_strategy": "multi_output_tree",
            "tree_method": "hist",
            "max_bin": 256,
            "grow_policy": policy,
            "base_score": start.tolist(),
            "nthread": 1,
        },
        xgboost.DMatrix(X, Y),
        n_rounds,
    )
    ours = ceiba.train(
        {
            "recipe": "xgboost",
            **common,
            **shape,
            "multi_strategy": "multi_output_tree",
            "max_bins": 257,
            "grow_policy": policy,
            "base_score": start.tolist(),
            "n_estimators": n_rounds,
        },
        ceiba.Dataset(X, Y),
    )
    leaves = theirs.predict(xgboost.DMatrix(X), pred_leaf=True)
    for k, (a, b) in enumerate(zip(ours.apply(X).T, leaves.T, strict=True)):
        pairs = len(np.unique(np.column_stack([a, b]), axis=0))
        assert pairs == len(np.unique(a)) == len(np.unique(b)), f"tree {k}"
    np.testing.assert_allclose(
        ours.predict(X), theirs.predict(xgboost.DMatrix(X)), rtol=1e-4, atol=1e-4
    )
