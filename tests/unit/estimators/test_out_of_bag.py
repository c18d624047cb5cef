"""Out-of-bag predictions against a plain recomputation, tree by tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score, mean_squared_error, r2_score
from small_table import BINARY, THREE, X, Y

from ceiba import CeibaForestClassifier, CeibaForestRegressor
from ceiba.errors import InvalidInputError
from ceiba.testing.columns import row_hash


def bag_of(seed: int, tree: int, n_rows: int, n_draws: int) -> np.ndarray:
    """Rows of a bootstrap, by the definition of its random numbers."""
    drawn = [((row_hash(seed, tree, draw) >> 32) * n_rows) >> 32 for draw in range(n_draws)]
    return np.unique(drawn)


def recomputed(fitted: Any, rows: np.ndarray, n_draws: int) -> np.ndarray:
    """Mean over the trees that do not know a row, from each tree's own predictions."""
    n_trees, seed = fitted.model_.n_iterations, fitted.random_state
    total: Any = 0.0
    asked = np.zeros(len(rows))
    for tree in range(n_trees):
        raw = fitted.model_.predict_raw(rows, iteration_range=(tree, tree + 1))
        raw = raw.reshape(len(rows), -1)
        out = np.ones(len(rows), dtype=bool)
        out[bag_of(seed, tree, len(rows), n_draws)] = False
        total = total + np.where(out[:, None], raw, 0.0)
        asked += out
    with np.errstate(invalid="ignore"):
        return total / asked[:, None]


@pytest.mark.parametrize("target", [BINARY, THREE])
def test_classes(target: np.ndarray) -> None:
    fitted = CeibaForestClassifier(30, oob_score=True, random_state=4, n_jobs=2).fit(X, target)
    expected = recomputed(fitted, X, len(X))
    shares = np.column_stack([1 - expected, expected]) if expected.shape[1] == 1 else expected
    np.testing.assert_allclose(fitted.oob_decision_function_, shares, atol=1e-12)
    found = fitted.classes_[shares.argmax(axis=1)]
    assert fitted.oob_score_ == accuracy_score(target, found)
    assert 0.6 < fitted.oob_score_ < fitted.score(X, target)
    balanced = CeibaForestClassifier(
        30, oob_score=balanced_accuracy_score, random_state=4, n_jobs=2
    ).fit(X, target)
    assert balanced.oob_score_ == balanced_accuracy_score(target, found)


def test_numbers() -> None:
    fitted = CeibaForestRegressor(
        30, oob_score=True, random_state=1, max_samples=0.7, n_jobs=2
    ).fit(X, Y)
    expected = recomputed(fitted, X, 280)[:, 0]
    np.testing.assert_allclose(fitted.oob_prediction_, expected, rtol=1e-12)
    assert fitted.oob_score_ == pytest.approx(r2_score(Y, expected), abs=1e-12)
    scored = CeibaForestRegressor(
        30, oob_score=mean_squared_error, random_state=1, max_samples=0.7
    ).fit(X, Y)
    assert scored.oob_score_ == pytest.approx(mean_squared_error(Y, expected))


def test_rows_that_every_tree_knows_have_none() -> None:
    with pytest.warns(UserWarning, match="in the sample of every tree"):
        fitted = CeibaForestRegressor(2, oob_score=True, random_state=1).fit(X, Y)
    unknown = np.isnan(fitted.oob_prediction_)
    assert 0 < unknown.sum() < 400
    assert np.isfinite(fitted.oob_score_)


def test_rows_of_weight_zero_are_out_of_every_bag() -> None:
    weights = np.ones(400)
    weights[:100] = 0.0
    fitted = CeibaForestRegressor(20, oob_score=True, random_state=2).fit(X, Y, weights)
    np.testing.assert_allclose(fitted.oob_prediction_[:100], fitted.predict(X[:100]), rtol=1e-12)
    assert (fitted.oob_prediction_[100:] != fitted.predict(X[100:])).any()


def test_importances() -> None:
    fitted = CeibaForestClassifier(40, random_state=2).fit(X, BINARY)
    table = fitted.oob_importances(X, BINARY, n_repeats=3)
    assert list(table.columns) == list(fitted.importances("permutation", X, BINARY).columns)
    assert sorted(table.feature) == ["f0", "f1", "f2", "f3"]
    assert set(table.feature[:2]) == {"f0", "f1"}
    assert (np.diff(table.permutation) <= 0).all()
    assert (table.spread >= 0).all()
    assert table.equals(fitted.oob_importances(X, BINARY, n_repeats=3))
    numbers = CeibaForestRegressor(20, random_state=2).fit(X, Y)
    once = numbers.oob_importances(X, Y, n_repeats=1)
    assert set(once.feature[once.permutation > 0]) >= {"f0", "f1"}
    assert (once.spread == 0).all()
    with pytest.raises(InvalidInputError, match="400 rows"):
        fitted.oob_importances(X[:50], BINARY[:50])
    whole = CeibaForestClassifier(5, bootstrap=False).fit(X, BINARY)
    with pytest.raises(InvalidInputError, match="forest fitted by this estimator on samples"):
        whole.oob_importances(X, BINARY)


def test_importances_of_several_targets() -> None:
    both = np.column_stack([Y, X[:, 2]])
    fitted = CeibaForestRegressor(30, oob_score=True, random_state=2).fit(X, both)
    drops = fitted.oob_importances(X, both, n_repeats=2).set_index("feature").permutation
    assert (drops[["f0", "f1", "f2"]] > 0.05).all()
    assert abs(drops["f3"]) < 0.05
    seen: list[np.ndarray] = []

    def error(truth: np.ndarray, found: np.ndarray) -> float:
        seen.append(found)
        return -float(np.abs(truth - found).mean())

    fitted.oob_importances(X, both, scorer=error, n_repeats=1)
    known = ~np.isnan(fitted.oob_prediction_[:, 0])
    np.testing.assert_array_equal(seen[0], fitted.oob_prediction_[known])
