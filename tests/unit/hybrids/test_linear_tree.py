"""Linear trees: splits are those that models of the rows would choose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import log_loss

from ceiba import LinearTreeClassifier, LinearTreeRegressor

RANDOM = np.random.default_rng(13)
N = 300
X = RANDOM.normal(size=(N, 3))
Y = np.where(X[:, 1] > 0.3, 2.0, -1.0) * X[:, 0] + 0.1 * RANDOM.normal(size=N)


def brute_force(model: Any, min_weight: int) -> float:
    """Return the least loss that any split of a column between two values can leave."""
    best = np.inf
    for column in X.T:
        for threshold in np.sort(column)[min_weight - 1 : -min_weight]:
            left = column <= threshold
            loss = 0.0
            for side in (left, ~left):
                model.fit(X[side], Y[side])
                loss += ((Y[side] - model.predict(X[side])) ** 2).sum()
            best = min(best, loss)
    return float(best)


@pytest.mark.parametrize(
    ("penalty", "model", "alpha"),
    [("ridge", Ridge(alpha=3.0), 3.0), ("none", LinearRegression(), 1.0),
     ("lasso", Lasso(alpha=0.05), 0.05)],
)  # fmt: skip
def test_the_split_is_the_one_of_brute_force(penalty: Any, model: Any, alpha: float) -> None:
    tree = LinearTreeRegressor(
        penalty=penalty, alpha=alpha, standardize=False, max_depth=1, max_bins=1000,
        min_samples_leaf=100,
    ).fit(X, Y)  # fmt: skip
    loss = ((Y - tree.predict(X)) ** 2).sum()
    np.testing.assert_allclose(loss, brute_force(model, 100), rtol=1e-6)
    assert tree.n_leaves_ == 2


def test_leaves_are_models_of_their_rows() -> None:
    tree = LinearTreeRegressor(alpha=2.0, standardize=False, max_depth=2).fit(X, Y)
    leaves = tree.apply(X)
    assert sorted(set(leaves)) == list(range(tree.n_leaves_))
    for leaf in range(tree.n_leaves_):
        here = leaves == leaf
        model = Ridge(alpha=2.0).fit(X[here], Y[here])
        np.testing.assert_allclose(tree.predict(X[here]), model.predict(X[here]), rtol=1e-7)
        table = tree.coefficients_
        own = table[table.leaf == leaf].set_index("column").coefficient
        np.testing.assert_allclose(own[["f0", "f1", "f2"]], model.coef_, rtol=1e-7)
        np.testing.assert_allclose(own["(intercept)"], model.intercept_, rtol=1e-6, atol=1e-9)


def test_leaves_of_a_classifier_are_logistic_models() -> None:
    labels = Y > 0
    tree = LinearTreeClassifier(C=0.5, max_depth=1, max_bins=60).fit(X, labels)
    leaves = tree.apply(X)
    assert tree.n_leaves_ == 2
    assert "f1" in tree.leaves_.rule[0]
    scales = X.std(axis=0)
    for leaf in range(2):
        here = leaves == leaf
        model = LogisticRegression(C=0.5, max_iter=1000).fit(X[here] / scales, labels[here])
        expected = model.predict_proba(X[here] / scales)
        np.testing.assert_allclose(tree.predict_proba(X[here]), expected, atol=1e-3)


def test_depth_zero_is_the_model_of_all_rows() -> None:
    tree = LinearTreeRegressor(penalty="none", max_depth=0).fit(X, Y)
    np.testing.assert_allclose(tree.predict(X), LinearRegression().fit(X, Y).predict(X), atol=1e-9)
    assert tree.leaves_.rule.tolist() == ["every row"]


def test_penalties_of_classifiers_split_where_slopes_change() -> None:
    labels = (Y > 0).astype(int)
    plain = LinearTreeClassifier(max_depth=0).fit(X, labels)
    for penalty in ("none", "lasso", "elasticnet"):
        tree = LinearTreeClassifier(penalty=penalty, C=1.0, max_depth=1).fit(X, labels)
        assert "f1" in tree.leaves_.rule[0]
        own, other = (log_loss(labels, one.predict_proba(X)) for one in (tree, plain))
        assert own < 0.5 * other


def test_a_leaf_of_one_class_keeps_probabilities_above_zero() -> None:
    x = np.linspace(-3, 3, 300)[:, None]
    labels = np.where(np.abs(x[:, 0]) > 1.5, "far", "near")
    tree = LinearTreeClassifier(max_depth=1).fit(x, labels)
    assert "always far" in tree.summary()
    assert (tree.predict_proba(x) > 0).all()
    three = np.digitize(x[:, 0], [-1.0, 1.0])
    trio = LinearTreeClassifier(max_depth=2).fit(x, three)
    assert (trio.predict_proba(x) > 0).all()
    assert trio.score(x, three) > 0.95


def test_missing_values_go_where_they_fit() -> None:
    x = X.copy()
    y = Y.copy()
    absent = RANDOM.random(N) < 0.3
    x[absent, 1] = np.nan
    y[absent] = 2.0 * x[absent, 0]
    tree = LinearTreeRegressor(max_depth=1, max_bins=60).fit(x, y)
    assert tree.leaves_.rule.str.contains("or .* is missing").tolist() == [False, True]
    assert tree.score(x, y) > 0.97
    y = np.where(absent, 5.0, x[:, 0])
    tree = LinearTreeRegressor(max_depth=1).fit(x, y)
    assert sorted(tree.leaves_.rule) == ["f1 is missing", "f1 is not missing"]


def test_categories_are_split_by_a_level() -> None:
    frame = np.empty((N, 2), dtype=object)
    frame[:, 0] = X[:, 0]
    frame[:, 1] = RANDOM.choice(["a", "b", "c"], size=N)
    y = np.where(frame[:, 1] == "b", 3.0, -1.0) * X[:, 0]
    tree = LinearTreeRegressor(max_depth=1).fit(frame, y)
    assert tree.leaves_.rule.tolist() == ["f1 is b", "f1 is not b or f1 is missing"]


def test_split_features_are_the_only_ones_that_are_split() -> None:
    tree = LinearTreeRegressor(max_depth=3, split_features=[2]).fit(X, Y)
    assert all("f0" not in rule and "f1" not in rule for rule in tree.leaves_.rule)


def test_a_gain_may_be_demanded() -> None:
    assert LinearTreeRegressor(min_gain=0.9999).fit(X, Y).n_leaves_ == 1
    assert LinearTreeRegressor(min_gain=0.0).fit(X, Y).n_leaves_ > 2


def test_predictions_go_on_along_the_line() -> None:
    x = np.linspace(0, 1, 200)[:, None]
    tree = LinearTreeRegressor(penalty="none", max_depth=1).fit(x, np.abs(x[:, 0] - 0.5))
    np.testing.assert_allclose(tree.predict([[-1.0], [3.0]]), [1.5, 2.5], atol=0.05)


def test_the_summary_can_be_read() -> None:
    x = np.linspace(-1, 1, 200)[:, None]
    tree = LinearTreeRegressor(penalty="none", max_depth=1).fit(x, np.abs(x[:, 0]) + 1)
    text = tree.summary()
    assert "leaf 0: f0 <= " in text
    assert "rows 100, mean squared error " in text
    assert "y = 1 - 1 * f0" in text
    assert tree.leaves_.rows.sum() == 200
    wide = LinearTreeRegressor(max_depth=0).fit(RANDOM.normal(size=(50, 12)), Y[:50])
    assert "4 smaller terms" in wide.summary()
    assert "smaller" not in wide.leaves_.formula[0]
