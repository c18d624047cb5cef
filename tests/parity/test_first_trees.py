"""The same trees as the peers, where they compute the same thing.

Columns have few distinct values, so that every library has one bin for each, and gradients are in
general position, so that no two splits tie. "The same tree" is the same partition of the training
rows, with the same values up to the float32 of the peers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

import ceiba

pytestmark = pytest.mark.parity

Reals = NDArray[np.float64]
N_ROWS = 600
SEEDS = range(4)


@pytest.fixture(autouse=True)
def blas_threads() -> Iterator[None]:
    """Keep scikit-learn off the cores of other workers: its threads wait by spinning."""
    with threadpool_limits(1):
        yield


def make_data(seed: int, *, classes: bool, missing: bool) -> tuple[Reals, Reals, Reals]:
    """Return rows, target and weights; weights keep gains of two classes from being equal."""
    random = np.random.default_rng(seed)
    X = random.integers(1, 12, size=(N_ROWS, 5)).astype(np.float64)
    y = X[:, 0] - 0.5 * X[:, 1] * (X[:, 2] > 6) + random.normal(size=N_ROWS)
    if missing:
        X[random.random(N_ROWS) < 0.3, 0] = np.nan
        X[random.random(N_ROWS) < 0.1, 3] = np.nan
    weight = random.uniform(0.5, 2.0, size=N_ROWS)
    return X, (y > np.median(y)).astype(np.float64) if classes else y, weight


def raw_scores(data: tuple[Reals, Reals, Reals], classes: bool, params: dict[str, Any]) -> Reals:
    X, y, weight = data
    objective = "logistic" if classes else "squared_error"
    dataset = ceiba.Dataset(X, y, weight=weight)
    return ceiba.train({"objective": objective, "n_jobs": 1, **params}, dataset).predict_raw(X)


def assert_same_rows(ours: Any, theirs: Any) -> None:
    """Assert that two vectors of scores cut the rows into the same sets, with the same values."""
    ours, theirs = np.asarray(ours).ravel(), np.asarray(theirs, dtype=np.float64).ravel()
    np.testing.assert_allclose(ours, theirs, rtol=2e-4, atol=2e-5)
    groups = np.unique(ours, return_inverse=True)[1]
    for group in range(groups.max() + 1):
        own = theirs[groups == group]
        assert np.ptp(own) <= 1e-5 * max(1.0, float(np.abs(own).max()))


CONDITIONS = pytest.mark.parametrize(
    ("classes", "missing", "n_trees"),
    [(False, False, 1), (False, True, 1), (True, False, 1), (False, False, 4), (True, True, 4)],
)


@pytest.mark.parametrize("seed", SEEDS)
@CONDITIONS
def test_hist_gradient_boosting(seed: int, classes: bool, missing: bool, n_trees: int) -> None:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    data = make_data(seed, classes=classes, missing=missing)
    X, y, weight = data
    kind = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    shared = {"max_leaf_nodes": 8, "min_samples_leaf": 10, "l2_regularization": 0.5}
    peer = kind(max_iter=n_trees, learning_rate=0.3, early_stopping=False, **shared)
    peer.fit(X, y, sample_weight=weight)
    theirs = peer.decision_function(X) if classes else peer.predict(X)
    params = {"recipe": "histgb", "n_estimators": n_trees, "learning_rate": 0.3, **shared}
    assert_same_rows(raw_scores(data, classes, {**params, "early_stopping_rounds": 0}), theirs)


@pytest.mark.parametrize("seed", SEEDS)
@CONDITIONS
def test_lightgbm(seed: int, classes: bool, missing: bool, n_trees: int) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    data = make_data(seed, classes=classes, missing=missing)
    X, y, weight = data
    limits = {"num_leaves": 8, "min_data_in_leaf": 20, "min_sum_hessian_in_leaf": 3.0}
    shared = {**limits, "lambda_l2": 0.5, "lambda_l1": 0.1}
    peer = lightgbm.train(
        {
            "objective": "binary" if classes else "regression",
            "learning_rate": 0.3,
            "min_data_in_bin": 1,
            "num_threads": 1,
            "verbose": -1,
            **shared,
        },
        lightgbm.Dataset(X, y, weight=weight),
        n_trees,
    )
    params = {"recipe": "lightgbm", "min_data_in_bin": 1, "learning_rate": 0.3, **shared}
    ours = raw_scores(data, classes, {**params, "n_estimators": n_trees})
    assert_same_rows(ours, peer.predict(X, raw_score=True))


@pytest.mark.parametrize("policy", ["depthwise", "lossguide"])
@pytest.mark.parametrize("seed", SEEDS)
@CONDITIONS
def test_xgboost(seed: int, classes: bool, missing: bool, n_trees: int, policy: str) -> None:
    xgboost = pytest.importorskip("xgboost")
    data = make_data(seed, classes=classes, missing=missing)
    X, y, weight = data
    shared: dict[str, Any] = {
        "eta": 0.3,
        "reg_lambda": 0.5,
        "reg_alpha": 0.1,
        "min_child_weight": 5.0,
        "gamma": 0.2,
        "grow_policy": policy,
        "max_depth": 3 if policy == "depthwise" else 0,
        "max_leaves": 0 if policy == "depthwise" else 8,
    }
    base = float(y.mean())
    peer = xgboost.train(
        {
            "objective": "binary:logistic" if classes else "reg:squarederror",
            "tree_method": "hist",
            "base_score": base,
            "nthread": 1,
            **shared,
        },
        xgboost.DMatrix(X, y, weight=weight),
        n_trees,
    )
    theirs = peer.predict(xgboost.DMatrix(X), output_margin=True)
    params = {"recipe": "xgboost", "base_score": base, "n_estimators": n_trees, **shared}
    assert_same_rows(raw_scores(data, classes, params), theirs)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_trees", [1, 4])
@pytest.mark.parametrize("score", ["L2", "Cosine"])
def test_catboost(score: str, seed: int, n_trees: int, tmp_path: Any) -> None:
    catboost = pytest.importorskip("catboost")
    data = make_data(seed, classes=False, missing=False)
    X, y, weight = data
    peer = catboost.CatBoostRegressor(
        iterations=n_trees,
        learning_rate=0.3,
        depth=3,
        l2_leaf_reg=0.5,
        bootstrap_type="No",
        random_strength=0,
        score_function=score,
        boosting_type="Plain",
        boost_from_average=True,
        thread_count=1,
        train_dir=str(tmp_path),
        allow_writing_files=False,
        verbose=False,
    ).fit(X, y, sample_weight=weight)
    params = {
        "grow_policy": "symmetric",
        "max_depth": 3,
        "reg_lambda": 0.5 * weight.mean(),  # as CatBoost scales it
        "min_samples_leaf": 0,
        "min_child_weight": 0.0,
        "learning_rate": 0.3,
        "n_estimators": n_trees,
        "score_function": score,
    }
    assert_same_rows(raw_scores(data, False, params), peer.predict(X))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_trees", [1, 4])
@pytest.mark.parametrize("steps", [1, 10])
def test_recipe_catboost_without_chance(steps: int, seed: int, n_trees: int, tmp_path: Any) -> None:
    """Leaves of two classes: ten damped Newton steps, splits by the cosine of gradients alone."""
    catboost = pytest.importorskip("catboost")
    X, y, _ = make_data(seed, classes=True, missing=False)
    shared = {"iterations": n_trees, "learning_rate": 0.3, "random_strength": 0}
    shared |= {"bootstrap_type": "No", "leaf_estimation_iterations": steps, "depth": 4}
    peer = catboost.CatBoostClassifier(
        thread_count=1, train_dir=str(tmp_path), allow_writing_files=False, verbose=False, **shared
    ).fit(X, y)
    params = {"recipe": "catboost", **shared}
    ours = raw_scores((X, y, np.ones(len(y))), True, params)
    assert_same_rows(ours, peer.predict(X, prediction_type="RawFormulaVal"))
