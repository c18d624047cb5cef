"""Exact splits against XGBoost's: the same partition of the training rows, the same leaf values.

Features are continuous, in float32, which XGBoost computes in. Classes start from a score of their
own for each row: from a common one the first gradients are all the same but for their sign, and
splits tie. Gradients are float32 there and float64 here, which near-ties could tell apart: the
seeds are fixed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from xgboost_release import IS_NEWEST

import ceiba

pytestmark = pytest.mark.parity

Reals = NDArray[np.float64]
N_TREES = 20
PEER_OBJECTIVES = {
    "squared_error": "reg:squarederror",
    "logistic": "binary:logistic",
    "softmax": "multi:softprob",
}
SETTINGS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "shallow": {"max_depth": 3, "learning_rate": 0.1},
    "reg_lambda": {"reg_lambda": 7.5},
    "no penalty": {"reg_lambda": 0.0, "min_child_weight": 2.0},
    "reg_alpha": {"reg_alpha": 1.5},
    "min_child_weight": {"min_child_weight": 15.0},
    "max_delta_step": {"max_delta_step": 0.3},
    "gamma": {"gamma": 2.0, "max_depth": 5},
    "L1 and more": {"reg_lambda": 2.0, "reg_alpha": 0.5, "min_child_weight": 4.0},
    "L1 and limit": {"reg_alpha": 1.5, "max_delta_step": 0.5},
    "limit and more": {"reg_lambda": 2.0, "min_child_weight": 4.0, "max_delta_step": 0.5},
}


def make_data(seed: int, objective: str, *, missing: bool) -> tuple[Reals, Reals, Reals]:
    random = np.random.default_rng(seed)
    n = 1500
    X = random.normal(size=(n, 6)).astype(np.float32).astype(np.float64)
    signal = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] - 0.5 * X[:, 3] + random.normal(size=n)
    if missing:
        X[random.random(n) < 0.3, 0] = np.nan
        X[random.random(n) < 0.1, 2] = np.nan
    weight = random.uniform(0.5, 2.0, size=n).astype(np.float32).astype(np.float64)
    match objective:
        case "logistic":
            signal = (signal > 0.3).astype(np.float64)
        case "softmax":
            signal = np.searchsorted([-0.7, 0.6], signal).astype(np.float64)
        case _:
            signal = signal.astype(np.float32).astype(np.float64)
    return X, signal, weight


def peer_leaves(booster: Any, rows: Any) -> tuple[NDArray[np.int64], Reals]:
    """Return the leaf of each row in each tree, and its value."""
    leaves = booster.predict(rows, pred_leaf=True).astype(np.int64)
    leaves = leaves.reshape(len(leaves), -1)
    frame = booster.trees_to_dataframe()
    frame = frame[frame["Feature"] == "Leaf"]
    value_of = dict(zip(zip(frame["Tree"], frame["Node"], strict=True), frame["Gain"], strict=True))
    values = np.empty(leaves.shape)
    for tree in range(leaves.shape[1]):
        values[:, tree] = [value_of[tree, leaf] for leaf in leaves[:, tree]]
    return leaves, values


def assert_same_partitions(model: ceiba.Model, X: Reals, booster: Any, rows: Any) -> None:
    ours = np.asarray(model.apply(X))
    theirs, their_values = peer_leaves(booster, rows)
    assert ours.shape == theirs.shape
    arrays = model.forest.arrays()
    for tree in range(ours.shape[1]):
        pairs = np.unique(np.stack([ours[:, tree], theirs[:, tree]]), axis=1)
        n_leaves = len(np.unique(ours[:, tree]))
        assert pairs.shape[1] == n_leaves == len(np.unique(theirs[:, tree])), f"tree {tree}"
        our_values = arrays["value"][arrays["tree_offsets"][tree] + ours[:, tree]]
        np.testing.assert_allclose(our_values, their_values[:, tree], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("objective", PEER_OBJECTIVES)
@pytest.mark.parametrize("setting", SETTINGS)
def test_xgboost_exact(setting: str, objective: str, missing: bool, weighted: bool) -> None:
    xgboost = pytest.importorskip("xgboost")
    if setting == "L1 and limit" and not IS_NEWEST:
        pytest.skip("XGBoost before 3.4 leaves the L1 penalty out of bounded gains")
    params = {"max_depth": 6, "learning_rate": 0.3, **SETTINGS[setting]}
    X, y, weight = make_data(10 + len(setting), objective, missing=missing)
    given = weight if weighted else None
    n_outputs = 3 if objective == "softmax" else 1
    start = np.random.default_rng(1).normal(scale=0.5, size=(len(y), n_outputs)).astype(np.float32)
    rows = xgboost.DMatrix(X, y, weight=given)
    if objective != "squared_error":
        rows.set_base_margin(start)
    theirs = {"objective": PEER_OBJECTIVES[objective], "tree_method": "exact", "nthread": 1}
    if objective == "softmax":
        theirs["num_class"] = n_outputs
    else:
        theirs["base_score"] = 0.5
    booster = xgboost.train({**params, **theirs}, rows, N_TREES)
    ours: dict[str, Any] = {
        "recipe": "xgboost",
        "split_method": "exact",
        "objective": objective,
        "n_jobs": 1,
    }
    ours |= {"n_estimators": N_TREES, "n_jobs": 1}
    if "gamma" not in params:
        ours |= {"min_split_gain": 1e-6, "prune": "before"}  # XGBoost takes no smaller gain
    if objective == "squared_error":
        dataset = ceiba.Dataset(X, y, weight=given)
        ours["base_score"] = 0.5
    else:
        init_score = start.astype(np.float64)
        dataset = ceiba.Dataset(X, y, weight=given, init_score=np.squeeze(init_score))
    model = ceiba.train({**params, **ours}, dataset)
    assert_same_partitions(model, X, booster, rows)


@pytest.mark.parametrize("depth", [3, 6])
def test_a_tree_of_scikit_learn(depth: int) -> None:
    """The best splits of squared error, with scikit-learn's thresholds in float64."""
    from sklearn.tree import DecisionTreeRegressor

    X, y, weight = make_data(5, "squared_error", missing=False)
    peer = DecisionTreeRegressor(max_depth=depth, min_samples_leaf=5).fit(X, y, weight)
    params = {"n_estimators": 1, "learning_rate": 1.0, "max_depth": depth, "min_samples_leaf": 5}
    params |= {"split_method": "exact", "reg_lambda": 0.0, "min_child_weight": 0.0}
    params |= {"grow_policy": "depthwise", "max_leaves": 0, "n_jobs": 1}
    model = ceiba.train(params, ceiba.Dataset(X, y, weight=weight))
    np.testing.assert_allclose(model.predict(X), peer.predict(X), rtol=1e-10)
    arrays = model.forest.arrays()
    found = np.sort(arrays["threshold"][arrays["feature"] >= 0])
    expected = np.sort(peer.tree_.threshold[peer.tree_.feature >= 0])
    np.testing.assert_allclose(found, expected, rtol=1e-12)
