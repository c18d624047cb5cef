"""The same partitions as the histogram peers, tree by tree, where bins hold single values.

Numbers and classes, with and without weights, with missing values and penalties.
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
Rows = tuple[Reals, Reals, Reals | None]
N_ROWS = 900
N_TREES = 8
N_CLASSES = 3
#: Unweighted classes have rows of equal gradients and so splits of equal gain.
CONDITIONS = pytest.mark.parametrize(
    ("n_classes", "weighted"), [(0, False), (0, True), (2, True), (N_CLASSES, True)]
)
SEEDS = pytest.mark.parametrize("seed", range(3))
OBJECTIVES = {0: "squared_error", 2: "logistic", N_CLASSES: "softmax"}


@pytest.fixture(autouse=True)
def blas_threads() -> Iterator[None]:
    with threadpool_limits(1):
        yield


def make_rows(seed: int, n_classes: int, weighted: bool) -> Rows:
    random = np.random.default_rng(seed)
    X = random.integers(1, 40, size=(N_ROWS, 6)).astype(np.float64)
    y = (
        0.2 * X[:, 0]
        - 0.1 * X[:, 1] * (X[:, 2] > 15)
        + np.sin(X[:, 3])
        + random.normal(size=N_ROWS)
    )
    X[random.random(N_ROWS) < 0.2, 1] = np.nan
    X[random.random(N_ROWS) < 0.1, 4] = np.nan
    if n_classes:
        y = np.searchsorted(np.quantile(y, np.arange(1, n_classes) / n_classes), y) * 1.0
    return X, y, random.uniform(0.5, 2.0, size=N_ROWS) if weighted else None


def train(rows: Rows, n_classes: int, **params: Any) -> ceiba.Model:
    X, y, weight = rows
    given = {"n_estimators": N_TREES, "learning_rate": 0.3, "n_jobs": 1, **params}
    given["objective"] = OBJECTIVES[n_classes]
    return ceiba.train(given, ceiba.Dataset(X, y, weight=weight))


def assert_same_leaves(ours: Any, theirs: Any) -> None:
    """Assert that each tree cuts the rows into the same sets."""
    ours, theirs = np.asarray(ours).reshape(N_ROWS, -1), np.asarray(theirs).reshape(N_ROWS, -1)
    assert ours.shape == theirs.shape
    for tree in range(ours.shape[1]):
        a, b = ours[:, tree], theirs[:, tree].astype(np.int64)
        pairs = np.unique(np.stack([a, b]), axis=1).shape[1]
        assert pairs == len(np.unique(a)) == len(np.unique(b)), tree


def assert_same_scores(ours: Any, theirs: Any) -> None:
    ours, theirs = np.asarray(ours), np.asarray(theirs, dtype=np.float64)
    if ours.ndim == 2:
        ours = ours - ours.mean(axis=1, keepdims=True)
        theirs = theirs - theirs.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(ours, theirs, rtol=3e-4, atol=3e-5)


@SEEDS
@CONDITIONS
@pytest.mark.parametrize("limit", [0.0, 0.4])
def test_xgboost(seed: int, n_classes: int, weighted: bool, limit: float) -> None:
    xgboost = pytest.importorskip("xgboost")
    rows = make_rows(seed, n_classes, weighted)
    X, y, weight = rows
    shared = {
        "reg_lambda": 0.5,
        "reg_alpha": 0.1 if IS_NEWEST or limit == 0 else 0.0,
        "gamma": 0.2,
        "min_child_weight": 4.0,
        "max_depth": 4,
        "max_delta_step": limit,
    }
    objective = {0: "reg:squarederror", 2: "binary:logistic", 3: "multi:softprob"}[n_classes]
    classes = {"num_class": n_classes} if n_classes > 2 else {}
    peer = xgboost.train(
        {"objective": objective, "eta": 0.3, "base_score": 0.5, "nthread": 1, **classes, **shared},
        xgboost.DMatrix(X, y, weight=weight),
        N_TREES,
    )
    start = [1 / n_classes] * n_classes if n_classes > 2 else 0.5
    model = train(rows, n_classes, recipe="xgboost", base_score=start, **shared)
    matrix = xgboost.DMatrix(X)
    assert_same_leaves(model.apply(X), peer.predict(matrix, pred_leaf=True))
    assert_same_scores(model.predict_raw(X), peer.predict(matrix, output_margin=True))


@SEEDS
@CONDITIONS
@pytest.mark.parametrize(
    "penalties",
    [
        {"lambda_l2": 0.0, "lambda_l1": 0.0},
        {"lambda_l2": 2.0, "lambda_l1": 0.0},
        # Columns in which no split gains anything, and there are many, are given up.
        {"lambda_l2": 0.0, "lambda_l1": 15.0},
        {"lambda_l2": 0.5, "lambda_l1": 0.3, "min_gain_to_split": 0.4, "max_depth": 4},
    ],
    ids=["none", "l2", "l1", "all"],
)
def test_lightgbm(seed: int, n_classes: int, weighted: bool, penalties: dict[str, float]) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    rows = make_rows(seed, n_classes, weighted)
    X, y, weight = rows
    shared = {"num_leaves": 12, "min_data_in_leaf": 20, "min_sum_hessian_in_leaf": 3.0}
    shared |= {"min_data_in_bin": 1, **penalties}
    objective = {0: "regression", 2: "binary", 3: "multiclass"}[n_classes]
    classes = {"num_class": n_classes} if n_classes > 2 else {}
    peer = lightgbm.train(
        {"objective": objective, "learning_rate": 0.3, "num_threads": 1, "verbose": -1}
        | shared
        | classes,
        lightgbm.Dataset(X, y, weight=weight),
        N_TREES,
    )
    model = train(rows, n_classes, recipe="lightgbm", **shared)
    assert_same_leaves(model.apply(X), peer.predict(X, pred_leaf=True))
    assert_same_scores(model.predict_raw(X), peer.predict(X, raw_score=True))


@SEEDS
@CONDITIONS
def test_hist_gradient_boosting(seed: int, n_classes: int, weighted: bool) -> None:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    rows = make_rows(seed, n_classes, weighted)
    X, y, weight = rows
    kind = HistGradientBoostingClassifier if n_classes else HistGradientBoostingRegressor
    shared = {"max_leaf_nodes": 12, "min_samples_leaf": 10, "l2_regularization": 0.5}
    peer = kind(max_iter=N_TREES, learning_rate=0.3, early_stopping=False, **shared)
    peer.fit(X, y, sample_weight=weight)
    model = train(rows, n_classes, recipe="histgb", early_stopping_rounds=0, **shared)
    theirs = peer.decision_function(X) if n_classes else peer.predict(X)
    assert_same_scores(model.predict_raw(X), theirs)
    known, positions = peer._bin_mapper.make_known_categories_bitsets()
    values = [tree.predict(X, known, positions, 1) for trees in peer._predictors for tree in trees]
    # Leaves have no numbers there; their values tell them apart.
    numbers = [np.unique(own, return_inverse=True)[1] for own in values]
    assert_same_leaves(model.apply(X), np.stack(numbers, axis=1))
