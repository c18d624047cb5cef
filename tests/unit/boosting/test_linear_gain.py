"""Splits that are chosen by what lines gain: with every kind of growth, loss and boosting."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ceiba
from ceiba.errors import InvalidParameterError

RANDOM = np.random.default_rng(11)
GAIN = {"leaf_model": "linear", "linear_fit": "gain", "n_jobs": 1}
SMALL = {"n_estimators": 8, "max_leaves": 8, "min_samples_leaf": 10}
N_ROWS = 600


def make_table(n_rows: int = N_ROWS) -> tuple[np.ndarray, np.ndarray]:
    X = RANDOM.normal(size=(n_rows, 5))
    y = np.where(X[:, 0] > 0, 2 * X[:, 0], -X[:, 1]) + X[:, 2] * (X[:, 3] > 0.3)
    X[RANDOM.random(X.shape) < 0.03] = np.nan
    return X, y + 0.1 * RANDOM.normal(size=n_rows)


X, Y = make_table()


def train(y: np.ndarray = Y, x: Any = X, **params: Any) -> ceiba.Model:
    settings = {**GAIN, **SMALL, **params}
    return ceiba.train(settings, ceiba.Dataset(x, y))


def error(model: ceiba.Model, x: Any = X, y: np.ndarray = Y) -> float:
    return float(np.sqrt(np.mean((model.predict(x) - y) ** 2)))


@pytest.mark.parametrize("fit", ["additive", "half_additive", "full"])
@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
def test_lines_that_choose_splits_fit_better(fit: str, policy: str) -> None:
    params = {"grow_policy": policy, "max_depth": 3, "n_estimators": 20}
    gain = train(linear_regression=fit, **params)
    constant = train(leaf_model="constant", linear_fit=None, **params)
    assert error(gain) < 0.8 * error(constant)
    assert "linear_offsets" in gain.forest.arrays()


def test_without_a_limit_of_leaves_the_order_of_growth_is_no_matter() -> None:
    """Windows of rows, in which trees of constants grow depth first, know nothing of lines."""
    params = {"max_leaves": 0, "max_depth": 4}
    wide, deep = (train(grow_policy=policy, **params) for policy in ("depthwise", "depthfirst"))
    np.testing.assert_array_equal(wide.predict(X), deep.predict(X))
    forest = train(recipe="forest", n_estimators=5)
    assert "linear_offsets" in forest.forest.arrays()


@pytest.mark.threads
@pytest.mark.parametrize("fit", ["additive", "half_additive", "full"])
def test_threads_and_the_order_of_rows_change_nothing(fit: str) -> None:
    one = train(linear_regression=fit)
    order = np.random.default_rng(2).permutation(N_ROWS)
    other = train(Y[order], X[order], linear_regression=fit, n_jobs=3)
    assert one.fingerprint() == other.fingerprint()
    blocks = [(X[part], Y[part]) for part in (slice(0, 100), slice(100, 101), slice(101, None))]
    settings = {**GAIN, **SMALL, "linear_regression": fit}
    blocked = ceiba.train(settings, ceiba.Dataset.from_blocks(blocks))
    assert blocked.fingerprint() == one.fingerprint()


def test_a_weight_of_k_is_k_rows() -> None:
    k = np.random.default_rng(3).integers(1, 4, N_ROWS)
    settings = {**GAIN, "n_estimators": 4, "min_samples_leaf": 15}
    weighted = ceiba.train(settings, ceiba.Dataset(X, Y, weight=k.astype(float)))
    repeated = ceiba.train(settings, ceiba.Dataset(np.repeat(X, k, axis=0), np.repeat(Y, k)))
    np.testing.assert_array_equal(
        weighted.forest.arrays()["feature"], repeated.forest.arrays()["feature"]
    )
    np.testing.assert_array_equal(
        weighted.forest.arrays()["gain"], repeated.forest.arrays()["gain"]
    )


@pytest.mark.parametrize(
    "params",
    [
        {"objective": "absolute_error"},
        {"objective": "quantile", "quantile": 0.7},
        {"objective": "huber"},
        {"sampling": "goss"},
        {"subsample": 0.6},
        {"boosting": "dart"},
        {"boosting": "forest", "subsample": 0.6},
        {"colsample_bynode": 0.5},
        {"linear_features": [0, 2]},
        {"linear_features": [0, 2], "linear_regression": "additive"},
        {"linear_features": [0, 2], "linear_regression": "full"},
        {"interaction_constraints": [[0, 1], [2, 3, 4]]},
        {"max_linear_features": 1},
        {"recipe": "plgb"},
    ],
    ids=str,
)
def test_with_other_choices(params: dict[str, Any]) -> None:
    model = train(**params)
    assert np.isfinite(model.predict(X)).all()
    assert error(model) < np.std(Y)


def test_classes() -> None:
    three = np.digitize(Y, [-0.5, 1.0])
    model = train(three, objective="multiclass", num_class=3)
    assert np.mean(model.predict(X).argmax(axis=1) == three) > 0.8
    two = train((Y > 0).astype(float), objective="binary")
    assert np.mean((two.predict(X) > 0.5) == (Y > 0)) > 0.9


def test_categories_split_and_have_no_slopes() -> None:
    pd = pytest.importorskip("pandas")
    level = np.random.default_rng(5).integers(0, 6, N_ROWS)
    frame = pd.DataFrame({"x": X[:, 0], "level": pd.Categorical.from_codes(level, list("abcdef"))})
    y = np.array([0, 3, -2, 5, 1, 0])[level] + np.nan_to_num(X[:, 0]) * (level % 2)
    model = train(y, frame, n_estimators=30)
    assert error(model, frame, y) < 0.3 * np.std(y)
    assert set(model.forest.arrays()["linear_feature"].tolist()) <= {0}


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"split_method": "exact"}, "linear_fit='gain'.*split_method='exact'"),
        ({"split_method": "approx"}, "linear_fit='gain'.*split_method='approx'"),
        ({"split_score": "cosine"}, "linear_fit='gain'.*split_score='cosine'"),
        ({"random_strength": 1.0}, "linear_fit='gain'.*random_strength=1"),
        ({"extra_trees": True}, "linear_fit='gain'.*extra_trees=True"),
        ({"linear_features": "tree"}, "linear_fit='gain'.*linear_features='tree'"),
        ({"monotone_constraints": [1, 0, 0, 0, 0]}, "monotone"),
        ({"linear_regression": "full", "max_linear_features": 9}, "at most 8 columns.* Got 9"),
    ],
)
def test_what_has_no_meaning_is_refused(params: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidParameterError, match=words):
        train(**params)
