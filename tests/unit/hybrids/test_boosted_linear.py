"""Boosted linear models: the worst leaf of a tree on the errors becomes a rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor

from ceiba import BoostedLinearClassifier, BoostedLinearRegressor

RANDOM = np.random.default_rng(19)
X = RANDOM.normal(size=(300, 2)).round(1)
Y = X[:, 0] + 4.0 * ((X[:, 1] > 0.5) & (X[:, 0] > 0)) + 0.1 * RANDOM.normal(size=300)


def published(errors: Any, n_steps: int) -> np.ndarray:
    """Return predictions of the algorithm, step by step with scikit-learn's trees."""
    columns = X.copy()
    for _ in range(n_steps):
        model = LinearRegression().fit(columns, Y)
        tree = DecisionTreeRegressor(max_depth=2).fit(X, errors(Y, model.predict(columns)))
        sizes = np.abs(tree.predict(X))
        columns = np.column_stack([columns, np.isclose(sizes, sizes.max(), rtol=1e-12)])
    predicted: np.ndarray = LinearRegression().fit(columns, Y).predict(columns)
    return predicted


@pytest.mark.parametrize(
    ("loss", "n_steps", "errors"),
    [
        ("linear", 3, lambda y, p: y - p),
        ("squared", 1, lambda y, p: (y - p) ** 2),  # whose worst leaf stays the worst
        ("exponential", 1, lambda y, p: 1 - np.exp(-np.abs(y - p))),
    ],
)
def test_rules_are_those_of_the_algorithm(loss: Any, n_steps: int, errors: Any) -> None:
    model = BoostedLinearRegressor(
        penalty="none",
        loss=loss,
        n_estimators=n_steps,
        max_depth=2,
        min_samples_leaf=1,
        max_bins=1000,
    ).fit(X, Y)
    np.testing.assert_allclose(model.predict(X), published(errors, n_steps), atol=1e-6)


def test_rules_come_as_table_and_as_text() -> None:
    model = BoostedLinearRegressor(penalty="none", n_estimators=1, max_depth=2).fit(X, Y)
    rules = model.rules_
    assert list(rules) == ["rule", "coefficient", "rows", "mean_error"]
    assert rules.rule[0].startswith(("f1 > ", "f0 > "))
    assert rules.coefficient[0] == pytest.approx(4.0, abs=0.3)
    assert rules.rows[0] == ((X[:, 1] > 0.5) & (X[:, 0] > 0)).sum()
    text = model.summary()
    assert text.startswith("y = ")
    assert rules.rule[0] in text
    assert model.coef_.shape == (3,)
    assert list(model.coefficients_.column) == ["(intercept)", "f0", "f1"]


def test_rules_have_twenty_rows_unless_told_otherwise() -> None:
    y = Y.copy()
    y[np.argsort(X[:, 1])[-3:]] += 100.0  # three rows whose errors are the largest
    for loss in ("linear", "squared"):
        assert BoostedLinearRegressor(loss=loss).fit(X, y).rules_.rows.min() >= 20
        assert BoostedLinearRegressor(loss=loss, min_samples_leaf=1).fit(X, y).rules_.rows.min() < 5
    labels = y > 1
    assert BoostedLinearClassifier(n_estimators=5).fit(X, labels).rules_.rows.min() >= 20


def test_no_rule_comes_twice() -> None:
    labels = (Y > 1).astype(int)
    model = BoostedLinearClassifier(n_estimators=30, max_depth=1).fit(X, labels)
    assert model.rules_.rule.is_unique


def test_nothing_is_learned_where_no_error_is_left() -> None:
    model = BoostedLinearRegressor(penalty="none", n_estimators=5).fit(X, np.ones(300))
    assert len(model.rules_) == 0
    assert BoostedLinearRegressor(n_estimators=0).fit(X, Y).coef_.shape == (2,)


def test_counts_have_poisson_errors() -> None:
    counts = RANDOM.poisson(np.exp(np.clip(Y, -2, 2)))
    model = BoostedLinearRegressor(loss="poisson", n_estimators=2).fit(X, counts)
    assert len(model.rules_) == 2
    with pytest.raises(ValueError, match=r"needs y >= 0\. Got -1"):
        BoostedLinearRegressor(loss="poisson").fit(X, np.where(counts > 0, counts, -1.0))


@pytest.mark.parametrize("loss", ["error", "log_loss"])
def test_rules_help_classifiers(loss: Any) -> None:
    labels = np.where((X[:, 1] > 0.5) & (X[:, 0] > 0), "in", "out")
    plain = BoostedLinearClassifier(n_estimators=0).fit(X, labels)
    model = BoostedLinearClassifier(
        n_estimators=3, max_depth=2, loss=loss, min_samples_leaf=10
    ).fit(X, labels)
    assert model.score(X, labels) > plain.score(X, labels)
    assert model.score(X, labels) > 0.95


def test_several_classes_have_a_coefficient_each() -> None:
    labels = np.digitize(Y, [0.0, 2.0])
    model = BoostedLinearClassifier(n_estimators=2).fit(X, labels)
    assert [name for name in model.rules_ if name.startswith("coef")] == [
        "coefficient 0",
        "coefficient 1",
        "coefficient 2",
    ]
    assert model.coef_.shape == (3, 4)
