"""The estimators inside scikit-learn's tools."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import StackingRegressor, VotingClassifier
from sklearn.inspection import permutation_importance
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ceiba import CeibaClassifier, CeibaRegressor


@pytest.fixture
def two_classes() -> tuple[np.ndarray, np.ndarray]:
    X = np.random.default_rng(0).normal(size=(200, 4))
    return X, np.where(X[:, 0] + X[:, 1] > 0, "yes", "no")


@pytest.fixture
def routing() -> Iterator[None]:
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def small(**parameters: object) -> CeibaClassifier:
    return CeibaClassifier(n_estimators=10, n_jobs=1, **parameters)


def test_clone_keeps_what_was_written(two_classes: tuple[np.ndarray, np.ndarray]) -> None:
    estimator = small(eta=0.3, num_leaves=5, recipe="xgboost")
    copy = clone(estimator)
    assert copy.get_params() == estimator.get_params()
    assert copy.get_params()["eta"] == 0.3
    assert copy.get_params()["learning_rate"] is None
    X, y = two_classes
    np.testing.assert_array_equal(
        copy.fit(X, y).predict_proba(X), estimator.fit(X, y).predict_proba(X)
    )


def test_pickle(two_classes: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = two_classes
    estimator = small(eta=0.3).fit(X, y, eval_set=[(X, y)])
    copy = pickle.loads(pickle.dumps(estimator))
    np.testing.assert_array_equal(copy.predict_proba(X), estimator.predict_proba(X))
    assert copy.evals_result_ == estimator.evals_result_
    assert copy.get_params() == estimator.get_params()
    assert copy.model_.fingerprint() == estimator.model_.fingerprint()


def test_pipeline_and_grid_search(two_classes: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = two_classes
    pipeline = make_pipeline(StandardScaler(), small())
    search = GridSearchCV(
        pipeline,
        {"ceibaclassifier__max_leaves": [2, 8], "ceibaclassifier__eta": [0.1, 0.5]},
        cv=2,
        error_score="raise",
    )
    search.fit(X, y)
    assert search.best_score_ > 0.8
    assert set(search.best_params_) == {"ceibaclassifier__max_leaves", "ceibaclassifier__eta"}


def test_cross_validation_and_scores(two_classes: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = two_classes
    assert cross_val_score(small(), X, y, cv=3, scoring="roc_auc").mean() > 0.85
    found = cross_validate(small(early_stopping_rounds=3), X, y, cv=2, error_score="raise")
    assert found["test_score"].mean() > 0.7


def test_metadata_routing(routing: None, two_classes: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = two_classes
    estimator = small().set_fit_request(sample_weight=True, eval_set=False, callbacks=False)
    estimator.set_score_request(sample_weight=True)
    pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), estimator)
    search = GridSearchCV(pipeline, {"ceibaclassifier__max_leaves": [4]}, cv=2, error_score="raise")
    weights = np.where(y == "yes", 5.0, 1.0)
    search.fit(X, y, sample_weight=weights)
    expected = small(max_leaves=4).fit(StandardScaler().fit_transform(X), y, sample_weight=weights)
    found = search.best_estimator_[-1].model_
    assert found.fingerprint() == expected.model_.fingerprint()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_initial_scores_are_routed(routing: None, n_classes: int) -> None:
    X = np.random.default_rng(0).normal(size=(200, 4))
    y = np.digitize(X[:, 0] + X[:, 1], [-0.5, 0.5][: n_classes - 1])
    scores = X[:, 0] if n_classes == 2 else X[:, :3]
    estimator = small().set_fit_request(init_score=True)
    found = cross_validate(
        estimator,
        X,
        y,
        cv=2,
        params={"init_score": scores},
        return_estimator=True,
        return_indices=True,
    )
    for fitted, rows in zip(found["estimator"], found["indices"]["train"], strict=True):
        expected = small().fit(X[rows], y[rows], init_score=scores[rows])
        assert fitted.model_.fingerprint() == expected.model_.fingerprint()


def test_inside_other_estimators(two_classes: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = two_classes
    voting = VotingClassifier([("a", small()), ("b", small(max_leaves=4))], voting="soft")
    assert voting.fit(X, y).score(X, y) > 0.8
    assert CalibratedClassifierCV(small(), cv=2).fit(X, y).score(X, y) > 0.8
    regressor = CeibaRegressor(n_estimators=10, n_jobs=1)
    stack = StackingRegressor([("ceiba", regressor)], Ridge(), cv=2)
    assert stack.fit(X, X[:, 0]).score(X, X[:, 0]) > 0.5
    both = MultiOutputRegressor(regressor).fit(X, X[:, :2])
    assert both.predict(X).shape == (200, 2)
    importance = permutation_importance(small().fit(X, y), X, y, n_repeats=2, random_state=0)
    assert set(np.argsort(importance.importances_mean)[-2:]) == {0, 1}


def test_repr_shows_what_was_written() -> None:
    assert repr(CeibaRegressor(eta=0.3)) == "CeibaRegressor(eta=0.3)"
    assert "eta" in CeibaRegressor(eta=0.3)._repr_html_()
