"""CeibaRegressor, and what all estimators do: stages, leaves, importances, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import mean_tweedie_deviance
from small_table import BINARY, FRAME, THREE, X, Y, classifier, regressor

import ceiba
from ceiba import load_model
from ceiba.errors import CeibaError, InvalidInputError, InvalidParameterError, InvalidTypeError
from ceiba.estimators import NotFittedError


def test_a_regressor_learns() -> None:
    fitted = regressor(n_estimators=100).fit(X[:300], Y[:300])
    assert fitted.score(X[300:], Y[300:]) > 0.7
    assert fitted.n_features_in_ == 4
    assert fitted.n_iter_ == 100
    assert fitted.best_iteration_ == 99
    assert fitted.evals_result_ == {}
    assert not hasattr(fitted, "feature_names_in_")
    np.testing.assert_array_equal(fitted.predict(X), fitted.model_.predict(X))


def test_staged_predictions_end_at_the_prediction() -> None:
    fitted = regressor().fit(X, Y)
    stages = list(fitted.staged_predict(X))
    assert len(stages) == 10
    np.testing.assert_array_equal(stages[-1], fitted.predict(X))


def test_apply() -> None:
    leaves = regressor().fit(X, Y).apply(X)
    assert leaves.shape == (400, 10)
    assert classifier().fit(X, THREE).apply(X).shape == (400, 30)


def test_importances() -> None:
    fitted = regressor().fit(X, Y)
    by_gain = fitted.feature_importances_
    assert by_gain.shape == (4,)
    assert by_gain.sum() == pytest.approx(1.0)
    assert set(np.argsort(by_gain)[-2:]) == {0, 1}
    for kind in ("weight", "cover"):
        other = fitted.set_params(importance_type=kind).feature_importances_
        unscaled = fitted.model_.feature_importances(kind)
        np.testing.assert_allclose(other, unscaled / unscaled.sum())
    constant = regressor().fit(X, np.ones(400))
    assert constant.feature_importances_.tolist() == [0, 0, 0, 0]


def test_objectives_for_the_other_task() -> None:
    with pytest.raises(InvalidParameterError, match="Use CeibaClassifier"):
        regressor(objective="logistic").fit(X, Y)
    with pytest.raises(InvalidParameterError, match="cannot train a classifier"):
        classifier(objective="squared_error").fit(X, BINARY)
    with pytest.raises(InvalidParameterError, match="Got 3 classes"):
        classifier(objective="binary:logistic").fit(X, THREE)
    with pytest.raises(InvalidParameterError, match="mean 'squared_error'"):
        regressor(objective="squared_eror").fit(X, Y)


@pytest.mark.parametrize("objective", ["poisson", "gamma", "tweedie"])
def test_regressors_of_rates(objective: str) -> None:
    options = {"tweedie_variance_power": 1.3} if objective == "tweedie" else {}
    fitted = regressor(objective=objective, **options)
    fitted.fit(X, np.exp(Y), eval_set=[(X, np.exp(Y))])
    assert list(fitted.evals_result_["validation_0"]) == [f"{objective}_deviance"]
    power = {"poisson": 1.0, "gamma": 2.0, "tweedie": 1.3}[objective]
    expected = mean_tweedie_deviance(np.exp(Y), fitted.predict(X), power=power)
    last = fitted.evals_result_["validation_0"][f"{objective}_deviance"][-1]
    assert last == pytest.approx(expected, rel=1e-12)
    with pytest.raises(InvalidInputError, match=r"Eval set 'validation_0'.*must hold numbers"):
        fitted.fit(X, np.exp(Y), eval_set=[(X, -np.exp(Y))])


@pytest.mark.parametrize("labels", [Y, BINARY, THREE, BINARY == "yes", (Y > 0) * 5], ids=str)
def test_save_and_load(labels: np.ndarray, tmp_path: Path) -> None:
    make = regressor if labels is Y else classifier
    fitted = make().fit(FRAME, labels, eval_set=[(FRAME, labels)])
    path = tmp_path / "model.ceiba"
    fitted.save_model(path)
    loaded = make().load_model(path)
    np.testing.assert_array_equal(loaded.predict(FRAME), fitted.predict(FRAME))
    assert loaded.evals_result_ == fitted.evals_result_
    assert loaded.best_iteration_ == fitted.best_iteration_
    assert loaded.feature_names_in_.tolist() == fitted.feature_names_in_.tolist()
    assert load_model(path).fingerprint() == fitted.model_.fingerprint()
    if make is classifier:
        np.testing.assert_array_equal(loaded.classes_, fitted.classes_)
        np.testing.assert_array_equal(loaded.predict_proba(FRAME), fitted.predict_proba(FRAME))
    other = classifier if make is regressor else regressor
    with pytest.raises(InvalidInputError, match="Load it with"):
        other().load_model(path)


@pytest.mark.parametrize("method", ["predict", "apply", "staged_predict"])
def test_not_fitted(method: str) -> None:
    with pytest.raises(NotFittedError, match="not fitted yet"):
        list(getattr(regressor(), method)(X))
    with pytest.raises(CeibaError):
        _ = regressor().feature_importances_
    with pytest.raises(CeibaError):
        regressor().save_model("nowhere")


def test_not_fitted_is_at_the_top() -> None:
    assert ceiba.NotFittedError is NotFittedError
    with pytest.raises(InvalidTypeError, match="path must be"):
        regressor().load_model(None)


def test_base_score() -> None:
    assert regressor(base_score=3.0).fit(X, Y).model_.start_scores.tolist() == [3.0]
    assert classifier(base_score=0.5).fit(X, BINARY).model_.start_scores.tolist() == [0.0]
    per_class = classifier(base_score=[0.2, 0.3, 0.5]).fit(X, THREE).model_.start_scores
    np.testing.assert_allclose(per_class, np.log([0.2, 0.3, 0.5]))


def test_base_score_without_dimensions() -> None:
    assert regressor(base_score=np.array(3.0)).fit(X, Y).model_.start_scores.tolist() == [3.0]


@pytest.mark.parametrize("nonsense", ["many", 0, 1.5, [1]])
def test_n_jobs_that_are_nonsense_after_fit(nonsense: Any) -> None:
    fitted = regressor().fit(X, Y)
    with pytest.raises(InvalidParameterError, match="n_jobs must be"):
        fitted.set_params(n_jobs=nonsense).predict(X)


def test_importances_leave_a_random_state_alone() -> None:
    state = np.random.RandomState(3)
    fitted = regressor(random_state=state).fit(X, Y)
    before = state.get_state()[2]
    first = fitted.feature_importances_
    assert state.get_state()[2] == before
    fitted.set_params(max_bins="nonsense", importance_type="split")
    assert not np.array_equal(fitted.feature_importances_, first)
    fitted.set_params(importance_type="nonsense")
    with pytest.raises(InvalidParameterError, match="importance_type"):
        _ = fitted.feature_importances_
