"""The same sets of levels as the peers, where they compute the same thing: 50 tables, 5 trees.

Every level has at least 30 rows, numbers have few distinct values, and gradients are in general
position, so that no two splits tie. Minimums and smoothing change from table to table.
HistGradientBoosting has a fixed minimum of 10 rows a level, which it estimates from hessians: with
log loss only its first tree is compared, whose hessians are equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_limits
from xgboost_release import IS_NEWEST

import ceiba

pd = pytest.importorskip("pandas")
pytestmark = pytest.mark.parity

LEVELS = (3, 8, 20)
N_ROWS = 1500
SEEDS = range(50)
TREES = 5


@pytest.fixture(autouse=True)
def blas_threads() -> Iterator[None]:
    with threadpool_limits(1):
        yield


def make_data(seed: int, *, classes: bool) -> tuple[Any, np.ndarray]:
    """Return a frame of three categories and two numbers, and a target."""
    random = np.random.default_rng(seed)
    frame, score = {}, random.normal(size=N_ROWS)
    for number, n_levels in enumerate(LEVELS):
        every = np.repeat(np.arange(n_levels), 30)
        codes = np.concatenate([every, random.integers(0, n_levels, size=N_ROWS - len(every))])
        random.shuffle(codes)
        score += random.normal(size=n_levels)[codes]
        names = [f"level {code:02d}" for code in range(n_levels)]
        frame[f"category {number}"] = pd.Categorical.from_codes(codes, names)
    for name in "ab":
        frame[name] = random.integers(0, 12, size=N_ROWS).astype(np.float64)
    score += 0.2 * frame["a"]
    target = (score > np.median(score)).astype(np.float64) if classes else score
    return pd.DataFrame(frame), target


def turn(seed: int, number: int, choices: tuple[float, ...]) -> float:
    """Return one of the choices, so that all of them meet over the tables."""
    return choices[seed // 3**number % len(choices)]


def raw_scores(frame: Any, y: np.ndarray, params: dict[str, Any], *, classes: bool) -> np.ndarray:
    objective = "logistic" if classes else "squared_error"
    given = {"objective": objective, "n_jobs": 1, "n_estimators": TREES, **params}
    return ceiba.train(given, ceiba.Dataset(frame, y)).predict_raw(frame)


def assert_same(ours: np.ndarray, theirs: np.ndarray) -> None:
    np.testing.assert_allclose(ours, np.asarray(theirs, np.float64), rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("classes", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_lightgbm(seed: int, classes: bool) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    frame, y = make_data(seed, classes=classes)
    shared: dict[str, Any] = {"num_leaves": 8, "min_data_in_leaf": 1, "lambda_l2": 0.5}
    shared |= {"min_sum_hessian_in_leaf": 3.0, "learning_rate": 0.3, "min_data_in_bin": 1}
    shared["min_data_in_leaf"] = int(turn(seed, 0, (1, 20, 60)))
    shared["min_data_per_group"] = int(turn(seed, 1, (100, 1, 40)))
    shared |= {"cat_smooth": turn(seed, 2, (10.0, 1.0, 45.0)), "cat_l2": 10.0 * (seed % 2)}
    shared["max_cat_threshold"] = int(turn(seed, 3, (32, 5)))
    peer = lightgbm.train(
        {
            "objective": "binary" if classes else "regression",
            "num_threads": 1,
            "verbose": -1,
            **shared,
        },
        lightgbm.Dataset(frame.rename(columns=lambda name: name.replace(" ", "_")), y),
        TREES,
    )
    renamed = frame.rename(columns=lambda name: name.replace(" ", "_"))
    ours = raw_scores(frame, y, {"recipe": "lightgbm", **shared}, classes=classes)
    assert_same(ours, peer.predict(renamed, raw_score=True))


@pytest.mark.parametrize("classes", [False, True])
@pytest.mark.parametrize("max_cat_to_onehot", [4, 100])
@pytest.mark.parametrize("seed", SEEDS)
def test_xgboost(seed: int, classes: bool, max_cat_to_onehot: int) -> None:
    xgboost = pytest.importorskip("xgboost")
    frame, y = make_data(seed, classes=classes)
    shared = {"eta": 0.3, "reg_lambda": 0.5, "max_depth": 3}
    shared["min_child_weight"] = 0.0
    if IS_NEWEST:
        shared["reg_alpha"] = turn(seed, 2, (0.0, 0.0, 2.0))
        if not classes:  # at the limit, equal gradients make ties
            shared["min_child_weight"] = turn(seed, 0, (5.0, 0.0, 50.0))
            shared["max_delta_step"] = turn(seed, 3, (0.0, 0.4))
    shared |= {"max_cat_to_onehot": max_cat_to_onehot}
    shared |= {"max_cat_threshold": int(turn(seed, 1, (64, 4)))}
    base = float(y.mean())
    data = xgboost.DMatrix(frame, y, enable_categorical=True)
    peer = xgboost.train(
        {
            "objective": "binary:logistic" if classes else "reg:squarederror",
            "tree_method": "hist",
            "base_score": base,
            "nthread": 1,
            **shared,
        },
        data,
        TREES,
    )
    params = {"recipe": "xgboost", "base_score": base, **shared}
    ours = raw_scores(frame, y, params, classes=classes)
    assert_same(ours, peer.predict(data, output_margin=True))


@pytest.mark.parametrize("classes", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_hist_gradient_boosting(seed: int, classes: bool) -> None:
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    frame, y = make_data(seed, classes=classes)
    shared = {"max_leaf_nodes": 8, "l2_regularization": 0.5}
    shared["min_samples_leaf"] = 1 if classes else int(turn(seed, 0, (10, 1, 40)))
    kind = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    n_trees = 1 if classes else TREES
    peer = kind(
        max_iter=n_trees,
        learning_rate=0.3,
        early_stopping=False,
        categorical_features="from_dtype",
        **shared,
    ).fit(frame, y)
    params = {"recipe": "histgb", "learning_rate": 0.3, "early_stopping_rounds": 0, **shared}
    ours = raw_scores(frame, y, params | {"n_estimators": n_trees}, classes=classes)
    assert_same(ours, peer.decision_function(frame) if classes else peer.predict(frame))


@pytest.mark.parametrize("classes", [False, True])
@pytest.mark.parametrize("seed", SEEDS[2:12])
def test_levels_that_lightgbm_drops(seed: int, classes: bool) -> None:
    lightgbm = pytest.importorskip("lightgbm")
    frame, y = make_data(seed, classes=classes)
    frame = frame.rename(columns=lambda name: name.replace(" ", "_"))
    for number, (column, n_rows) in enumerate((("category_0", 9), ("category_2", 12))):
        rare = np.random.default_rng(seed + number).permutation(N_ROWS)[:n_rows]
        words = frame[column].astype(object)
        words.iloc[rare] = "rare"
        frame[column] = pd.Categorical(words)
        y[rare] = 1.0 if classes else y.max() + 1.0
    words = frame["category_1"].astype(object)
    words.iloc[[3, 5, 7]] = ["once", "twice", "twice"]
    frame["category_1"] = pd.Categorical(words)
    shared = {"min_data_in_leaf": 1, "min_data_per_group": 1, "cat_smooth": 1.0, "num_leaves": 8}
    shared |= {"min_sum_hessian_in_leaf": 3.0}
    objective = "binary" if classes else "regression"
    peer = lightgbm.train(
        {"objective": objective, "num_threads": 1, "verbose": -1, **shared},
        lightgbm.Dataset(frame, y),
        TREES,
    )
    ours = raw_scores(frame, y, {"recipe": "lightgbm", **shared}, classes=classes)
    assert_same(ours, peer.predict(frame, raw_score=True))
