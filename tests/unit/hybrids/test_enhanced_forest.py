"""Enhanced forests: a linear model, and a forest on what it leaves."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from ceiba import EnhancedForestClassifier, EnhancedForestRegressor

RANDOM = np.random.default_rng(17)
X = RANDOM.normal(size=(500, 3))
Y = 3.0 * X[:, 0] + np.sin(4.0 * X[:, 1])


def test_predictions_are_the_sum_of_both() -> None:
    model = EnhancedForestRegressor(n_estimators=10, alpha=2.0, standardize=False).fit(X, Y)
    linear = Ridge(alpha=2.0).fit(X, Y)
    np.testing.assert_allclose(model.coef_, linear.coef_, rtol=1e-8)
    np.testing.assert_allclose(model.intercept_, linear.intercept_, atol=1e-9)
    sums = linear.predict(X) + model.forest_.predict(X)
    np.testing.assert_allclose(model.predict(X), sums, rtol=1e-8)
    assert model.score(X, Y) > linear.score(X, Y) + 0.01


def test_predictions_extrapolate() -> None:
    model = EnhancedForestRegressor(n_estimators=10).fit(X, Y)
    assert model.predict([[100.0, 0.0, 0.0]])[0] > 200.0


def test_where_the_forest_takes_all_away_the_logistic_model_has_the_word() -> None:
    labels = (Y > 0).astype(int)
    model = EnhancedForestClassifier(n_estimators=5).fit(X, labels)
    inner = model.model_
    far = np.array([[60.0, 0.0, 0.0], [-60.0, 0.0, 0.0]])
    probabilities = inner.scores(far)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    assert probabilities[0, 1] > 0.5 > probabilities[1, 1]


def test_lists_are_chosen_by_cross_validation() -> None:
    model = EnhancedForestRegressor(
        alpha=[1.0, 1e6], n_estimators=5, max_depth=[1, 6], n_folds=3
    ).fit(X, Y)
    assert model.best_params_["alpha"] == 1.0
    assert model.best_params_["max_depth"] == 6
    results = model.cv_results_
    assert len(results) == 4
    best = results[results["rank"] == 1].iloc[0]
    assert (best.alpha, best.max_depth) == (1.0, 6)
    alone = EnhancedForestRegressor(alpha=1.0, n_estimators=5, max_depth=6).fit(X, Y)
    assert alone.fingerprint() == model.fingerprint()
    assert alone.cv_results_ is None


def test_classes_are_chosen_by_log_loss() -> None:
    labels = np.digitize(Y, [-1.0, 1.0])
    model = EnhancedForestClassifier(C=[1e-6, 1.0], n_estimators=4, n_folds=2).fit(X, labels)
    assert model.best_params_["C"] == 1.0


def test_few_rows_of_a_class_are_too_few_for_folds() -> None:
    labels = np.zeros(500)
    labels[:3] = 1
    with pytest.raises(ValueError, match=r"n_folds=5 needs at least 5 .*smallest class\. Got 3"):
        EnhancedForestClassifier(C=[0.1, 1.0], n_estimators=2).fit(X, labels)


def test_the_summary_names_what_the_forest_leans_on() -> None:
    model = EnhancedForestRegressor(n_estimators=5).fit(X, Y)
    assert "5 trees, mostly by f1" in model.summary()
    assert model.feature_importances_.argmax() == 1
    assert model.feature_importances_.sum() == pytest.approx(1.0)
