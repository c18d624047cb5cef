"""Lines in leaves: ridge fits, the columns that they have, and what stays a constant."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import Ridge

from ceiba import Dataset, train
from ceiba.testing.forests import leaves_of
from ceiba.testing.linear_leaves import fit_linear_leaf

NO_SPLIT = {
    "n_estimators": 1,
    "learning_rate": 1.0,
    "min_split_gain": 1e300,
    "leaf_model": "linear",
    "linear_lambda": 0.0,
    "n_jobs": 1,
}


def lines_of(arrays: dict[str, Any], node: int) -> dict[str, Any]:
    """The terms of a leaf, by the names of their arrays."""
    if "linear_offsets" not in arrays:
        return {"feature": [], "slope": np.zeros(0)}
    begin, end = arrays["linear_offsets"][[node, node + 1]]
    names = ("feature", "slope", "mean", "low", "high")
    return {name: arrays[f"linear_{name}"][begin:end] for name in names}


@settings(max_examples=40)
@given(st.data())
def test_a_leaf_without_splits_is_a_ridge_fit(data: Any) -> None:
    """As scikit-learn's ridge on columns in units of their deviation, to eight digits."""
    random = np.random.default_rng(data.draw(st.integers(0, 2**32), label="seed"))
    n, k = int(random.integers(30, 300)), int(random.integers(1, 6))
    X = random.normal(size=(n, k)) @ random.normal(size=(k, k)) * 10.0 ** random.integers(-6, 7, k)
    X += 10.0 ** random.integers(-2, 4) * np.abs(X).max(axis=0)
    weights = None
    if data.draw(st.booleans(), label="weights"):
        whole = data.draw(st.booleans(), label="whole")
        weights = random.integers(1, 5, n).astype(float) if whole else random.random(n) + 0.1
    own = np.ones(n) if weights is None else weights
    means = np.average(X, axis=0, weights=own)
    spread = np.sqrt(np.average((X - means) ** 2, axis=0, weights=own))
    units = (X - means) / spread
    if np.linalg.cond((units * own[:, None]).T @ units) > 1e6:
        return
    y = units @ random.normal(size=k) + random.normal(size=n) + 3.0
    penalty = data.draw(st.sampled_from([0.0, 0.5, 20.0]), label="linear_lambda")
    model = train(
        {**NO_SPLIT, "linear_features": list(range(k)), "reg_lambda": 0, "linear_lambda": penalty},
        Dataset(X, y, weight=weights),
    )
    ridge = Ridge(alpha=penalty, solver="cholesky").fit(units, y, sample_weight=own)
    found = lines_of(model.forest.arrays(), 0)
    np.testing.assert_allclose(found["slope"] * spread, ridge.coef_, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(model.predict(X), ridge.predict(units), rtol=1e-8, atol=1e-8)
    np.testing.assert_array_equal(found["low"], X.min(axis=0))
    np.testing.assert_array_equal(found["high"], X.max(axis=0))
    np.testing.assert_allclose(found["mean"], means, rtol=1e-10)


NOISE_FACTOR = 2.0


@settings(max_examples=60)
@given(st.data())
def test_auto_shrinks_slopes_by_the_noise_of_the_leaf(data: Any) -> None:
    random = np.random.default_rng(data.draw(st.integers(0, 2**32), label="seed"))
    n, k = int(random.integers(20, 300)), int(random.integers(1, 5))
    X = random.normal(size=(n, k)) + 0.5 * random.normal(size=(n, 1))
    noise = data.draw(st.sampled_from([0.0, 0.3, 3.0]), label="noise")
    y = X @ random.normal(size=k) + noise * random.normal(size=n)
    weights = None
    if data.draw(st.booleans(), label="weights"):
        weights = random.integers(1, 4, n).astype(float)
    classes = data.draw(st.booleans(), label="classes")
    params = {**NO_SPLIT, "linear_features": list(range(k)), "reg_lambda": 0.5}
    if classes:
        y = 1.0 * (y > np.median(y))
        params |= {"objective": "logistic", "leaf_iterations": 1}
    model = train({**params, "linear_lambda": "auto"}, Dataset(X, y, weight=weights))
    start = model.start_scores[0]
    p = 1 / (1 + np.exp(-start)) if classes else start
    g, h = p - y, np.full(n, p * (1 - p) if classes else 1.0)
    line = fit_linear_leaf(
        X, g, h, weights, reg_lambda=0.5, linear_lambda=1.0, noise_factor=NOISE_FACTOR
    )
    found = lines_of(model.forest.arrays(), 0)
    assert list(found["feature"]) == line.columns
    np.testing.assert_allclose(found["slope"], line.slopes, rtol=1e-6, atol=1e-9)
    value = model.forest.arrays()["value"][0]
    np.testing.assert_allclose(value, line.value, rtol=1e-6, atol=1e-9)


def test_auto_follows_noise_and_rows() -> None:
    random = np.random.default_rng(5)
    x = random.normal(size=(4000, 1))
    noise = random.normal(size=4000)

    def slope(n: int, size: float) -> float:
        params = {**NO_SPLIT, "linear_features": [0], "reg_lambda": 0, "linear_lambda": "auto"}
        model = train(params, Dataset(x[:n], x[:n, 0] + size * noise[:n]))
        found = lines_of(model.forest.arrays(), 0)["slope"]
        return float(found[0]) if len(found) else 0.0

    assert slope(4000, 0.1) == pytest.approx(1.0, abs=0.01)
    assert slope(4000, 5.0) > 0.5  # many rows outweigh much noise
    params = {**NO_SPLIT, "linear_features": [0], "linear_lambda": "auto"}
    without = 0
    for seed in range(100):  # an F statistic of pure noise is below 2 in 84 of 100 cases
        y = np.random.default_rng(seed).normal(size=200)
        arrays = train(params, Dataset(x[:200], y)).forest.arrays()
        without += len(lines_of(arrays, 0)["feature"]) == 0
    assert without > 70


@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
@pytest.mark.parametrize("columns", [None, "tree", [0, 3]])
@pytest.mark.parametrize("weighted", [False, True])
def test_every_leaf_is_fitted_to_its_rows(policy: str, columns: Any, weighted: bool) -> None:
    random = np.random.default_rng(7)
    X = random.normal(size=(1500, 5)) * [1, 100, 0.01, 1, 1] + [0, 1e4, 0, 5, 0]
    X[random.random(X.shape) < 0.05] = np.nan
    X[:, 4] = np.round(X[:, 4])
    y = np.nan_to_num(np.where(X[:, 0] > 0, X[:, 3], -X[:, 2] * 100)) + 0.1 * random.normal(
        size=1500
    )
    y = 1.0 * (y > np.median(y))
    weight = random.integers(1, 4, 1500).astype(float) if weighted else None
    params = {
        "objective": "logistic",
        "n_estimators": 1,
        "learning_rate": 0.3,
        "grow_policy": policy,
        "max_leaves": 16,
        "max_depth": 4,
        "leaf_iterations": 1,
        "leaf_model": "linear",
        "linear_features": columns,
        "linear_lambda": 0.01,
        "max_linear_features": None if isinstance(columns, list) else 3,
        "reg_lambda": 2.0,
        "n_jobs": 2,
    }
    model = train(params, Dataset(X, y, weight=weight))
    arrays = model.forest.arrays()
    p = 1 / (1 + np.exp(-model.start_scores[0]))
    g, h = p - y, np.full(len(y), p * (1 - p))
    leaves = leaves_of(arrays, X)[:, 0]
    splits = arrays["feature"][arrays["feature"] >= 0]
    fitted = 0
    for node in np.flatnonzero(arrays["feature"] < 0):
        rows = leaves == node
        found = lines_of(arrays, node)
        if not rows.any():  # a symmetric tree has such leaves
            assert len(found["feature"]) == 0
            continue
        if columns is None:
            path, at = [], node
            while at > 0:
                parent = np.flatnonzero((arrays["left"] == at) | (arrays["right"] == at))[0]
                path.insert(0, int(arrays["feature"][parent]))
                at = parent
            allowed = sorted(list(dict.fromkeys(path))[:3])
        elif columns == "tree":
            sums = np.bincount(
                arrays["feature"][arrays["feature"] >= 0],
                arrays["gain"][arrays["feature"] >= 0],
                minlength=5,
            )
            allowed = sorted(sorted(set(splits.tolist()), key=lambda j: (-sums[j], j))[:3])
        else:
            allowed = columns
        own = None if weight is None else weight[rows]
        line = fit_linear_leaf(
            X[rows][:, allowed], g[rows], h[rows], own, reg_lambda=2.0, linear_lambda=0.01
        )
        assert found["feature"].tolist() == [allowed[k] for k in line.columns]
        np.testing.assert_allclose(arrays["value"][node], 0.3 * line.value, rtol=1e-7, atol=1e-10)
        reach = line.high - line.low
        expected = 0.3 * line.slopes * reach
        np.testing.assert_allclose(found["slope"] * reach, expected, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(found["mean"], line.means, rtol=1e-10, atol=1e-12)
        np.testing.assert_array_equal(found["low"], line.low)
        np.testing.assert_array_equal(found["high"], line.high)
        fitted += len(line.columns) > 0
    assert fitted > 3


def test_what_stays_a_constant() -> None:
    """Few rows, constant columns, columns that depend on each other."""
    random = np.random.default_rng(0)
    X = np.column_stack([random.normal(size=60), np.full(60, 3.0), np.full(60, np.nan)])
    y = X[:, 0] * 2 + 1
    given = {**NO_SPLIT, "linear_features": [0, 1, 2], "reg_lambda": 0}
    arrays = train(given, Dataset(X, y)).forest.arrays()
    assert lines_of(arrays, 0)["feature"].tolist() == [0]
    np.testing.assert_allclose(lines_of(arrays, 0)["slope"], [2.0], rtol=1e-10)
    assert "linear_offsets" not in train(given, Dataset(X[:3], y[:3])).forest.arrays()
    assert "linear_offsets" in train(given, Dataset(X[:4], y[:4])).forest.arrays()
    twice = np.column_stack([X[:, 0], 2 * X[:, 0]])
    both = {**given, "linear_features": [0, 1]}
    assert "linear_offsets" not in train(both, Dataset(twice, y)).forest.arrays()
    held = train({**both, "linear_lambda": 1e-3}, Dataset(twice, y)).forest.arrays()
    assert lines_of(held, 0)["feature"].tolist() == [0, 1]


def test_infinite_values_are_at_the_end_of_the_range() -> None:
    x = np.concatenate([np.linspace(0, 1, 50), [np.inf, -np.inf, np.nan]])[:, None]
    y = np.nan_to_num(x[:, 0], nan=0.5, posinf=1.0, neginf=0.0) * 3
    given = {**NO_SPLIT, "linear_features": [0], "reg_lambda": 0}
    for extrapolate, beyond in (("clip", (0, 3)), ("linear", (1.5, 1.5))):
        model = train({**given, "extrapolate": extrapolate}, Dataset(x, y))
        found = model.predict(np.array([[0.5], [np.nan], [-np.inf], [np.inf], [2.0]]))
        np.testing.assert_allclose(found[:2], [1.5, 1.5], atol=0.1)
        np.testing.assert_allclose(found[2:4], beyond, atol=0.2)
        np.testing.assert_allclose(found[4], 6 if extrapolate == "linear" else 3, atol=0.3)


@pytest.mark.parametrize("objective", ["absolute_error", "quantile"])
def test_exact_leaves_have_the_constant_that_the_slopes_leave(objective: str) -> None:
    random = np.random.default_rng(3)
    X = random.normal(size=(400, 2))
    y = X[:, 0] + random.standard_cauchy(400) * 0.1
    options = {"quantile": 0.3, "calibration_folds": 0} if objective == "quantile" else {}
    model = train(
        {**NO_SPLIT, "objective": objective, "linear_features": [0, 1], **options}, Dataset(X, y)
    )
    assert "linear_offsets" in model.forest.arrays()
    level = 0.3 if objective == "quantile" else 0.5
    below = np.mean(y < model.predict(X))
    assert abs(below - level) <= 2 / 400


def test_vector_leaves_share_means_and_have_slopes_of_their_own() -> None:
    random = np.random.default_rng(5)
    X = random.normal(size=(300, 3))
    Y = np.column_stack([X[:, 0], -2 * X[:, 1], X[:, 0] + X[:, 1]]) + 1.0
    given = {**NO_SPLIT, "linear_features": [0, 1], "reg_lambda": 0}
    model = train({**given, "multi_strategy": "vector_leaf"}, Dataset(X, Y))
    arrays = model.forest.arrays()
    slopes = [[1.0, 0.0, 1.0], [0.0, -2.0, 1.0]]
    np.testing.assert_allclose(arrays["linear_slope"], slopes, atol=1e-10)
    np.testing.assert_allclose(model.predict(X), Y, atol=1e-9)
    apart = train(given, Dataset(X, Y))
    np.testing.assert_allclose(apart.predict(X), Y, atol=1e-9)
