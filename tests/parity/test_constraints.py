"""The same constrained trees as the peers, on columns with fewer distinct values than bins.

Monotone trees are those of XGBoost. The others measure the gain of a node whose value is clipped
in another way: LightGBM compares with the parent's value before it was clipped, and scikit-learn
leaves the second-order term out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits
from xgboost_release import IS_NEWEST

import ceiba

pytestmark = pytest.mark.parity

Reals = NDArray[np.float64]
N_ROWS = 800
N_TREES = 5
DIRECTIONS = [1, -1, 0, 1, 0]
SETS = [[0, 1, 2], [2, 3]]
SEEDS = range(4)
GIVEN = pytest.mark.parametrize(
    "given", [{"monotone": True}, {"sets": True}, {"monotone": True, "sets": True}], ids=str
)


@pytest.fixture(autouse=True)
def blas_threads() -> Iterator[None]:
    with threadpool_limits(1):
        yield


def make_data(seed: int) -> tuple[Reals, Reals, Reals]:
    random = np.random.default_rng(seed)
    X = random.integers(1, 20, size=(N_ROWS, 5)).astype(np.float64)
    y = np.sin(X[:, 0]) + 0.2 * X[:, 0] - 0.1 * X[:, 1] * (X[:, 2] > 6) + random.normal(size=N_ROWS)
    return X, y, random.uniform(0.5, 2.0, size=N_ROWS)


def raw_scores(data: tuple[Reals, Reals, Reals], given: dict[str, Any], **params: Any) -> Reals:
    X, y, weight = data
    if given.get("monotone"):
        params["monotone_constraints"] = DIRECTIONS
    if given.get("sets"):
        params["interaction_constraints"] = SETS
    params = {"learning_rate": 0.3, "n_estimators": N_TREES, "n_jobs": 1, **params}
    return ceiba.train(params, ceiba.Dataset(X, y, weight=weight)).predict_raw(X)


def assert_same_rows(ours: Reals, theirs: Any) -> None:
    theirs = np.asarray(theirs, dtype=np.float64)
    np.testing.assert_allclose(ours, theirs, rtol=2e-4, atol=2e-5)
    groups = np.unique(ours, return_inverse=True)[1]
    for group in range(groups.max() + 1):
        assert np.ptp(theirs[groups == group]) <= 2e-5


@GIVEN
@pytest.mark.parametrize("policy", ["depthwise", "lossguide"])
@pytest.mark.parametrize("seed", SEEDS)
def test_xgboost(seed: int, policy: str, given: dict[str, Any]) -> None:
    xgboost = pytest.importorskip("xgboost")
    data = make_data(seed)
    X, y, weight = data
    shared: dict[str, Any] = {
        "grow_policy": policy,
        "max_depth": 4 if policy == "depthwise" else 0,
        "max_leaves": 0 if policy == "depthwise" else 12,
        "reg_lambda": 0.5,
        "reg_alpha": 0.2 if IS_NEWEST else 0.0,
        "max_delta_step": 1.5,
        "min_child_weight": 5.0,
    }
    asked: dict[str, Any] = {}
    if given.get("monotone"):
        asked["monotone_constraints"] = "(1,-1,0,1,0)"
    if given.get("sets"):
        asked["interaction_constraints"] = "[[0,1,2],[2,3]]"
    peer = xgboost.train(
        {"eta": 0.3, "tree_method": "hist", "base_score": 0.5, "nthread": 1, **shared, **asked},
        xgboost.DMatrix(X, y, weight=weight),
        N_TREES,
    )
    ours = raw_scores(data, given, recipe="xgboost", base_score=0.5, **shared)
    assert_same_rows(ours, peer.predict(xgboost.DMatrix(X)))


@pytest.mark.parametrize("seed", SEEDS)
def test_hist_gradient_boosting(seed: int) -> None:
    from sklearn.ensemble import HistGradientBoostingRegressor

    data = make_data(seed)
    X, y, weight = data
    shared = {"max_leaf_nodes": 10, "min_samples_leaf": 10, "l2_regularization": 0.5}
    # There, columns in no set are one more set.
    for sets in (SETS, [[0, 1]], "pairwise", "no_interactions"):
        peer = HistGradientBoostingRegressor(
            max_iter=N_TREES,
            learning_rate=0.3,
            early_stopping=False,
            interaction_cst=sets,
            **shared,
        ).fit(X, y, sample_weight=weight)
        asked = {"interaction_cst": sets, "early_stopping_rounds": 0, **shared}
        assert_same_rows(raw_scores(data, {}, recipe="histgb", **asked), peer.predict(X))


@pytest.mark.parametrize("sets", [[*SETS, [4]], SETS, [[1, 2]]], ids=str)
@pytest.mark.parametrize("seed", SEEDS)
def test_lightgbm(seed: int, sets: list[list[int]]) -> None:
    """A column in no set is never split, even if it says most, as column 0 does."""
    lightgbm = pytest.importorskip("lightgbm")
    data = make_data(seed)
    X, y, weight = data
    shared = {"num_leaves": 10, "min_sum_hessian_in_leaf": 5.0, "lambda_l2": 0.5}
    peer = lightgbm.train(
        {
            "learning_rate": 0.3,
            "min_data_in_bin": 1,
            "min_data_in_leaf": 1,
            "num_threads": 1,
            "verbose": -1,
            "interaction_constraints": sets,
            **shared,
        },
        lightgbm.Dataset(X, y, weight=weight),
        N_TREES,
    )
    few = {"min_data_in_bin": 1, "min_samples_leaf": 1, "interaction_constraints": sets}
    ours = raw_scores(data, {}, recipe="lightgbm", **few, **shared)
    assert_same_rows(ours, peer.predict(X))
