"""CeibaRegressor and CeibaClassifier."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.metrics import log_loss, mean_tweedie_deviance

import ceiba
from ceiba import CeibaClassifier, CeibaRegressor, load_model
from ceiba.errors import (
    CeibaError,
    InvalidInputError,
    InvalidParameterError,
    InvalidTypeError,
)
from ceiba.estimators import NotFittedError

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(400, 4))
Y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * RANDOM.normal(size=400)
BINARY = np.where(Y > 0, "yes", "no")
THREE = np.array(["low", "mid", "top"])[np.digitize(Y, [-0.5, 0.5])]
FRAME = pd.DataFrame(X, columns=["a", "b", "c", "d"])


def regressor(**given: Any) -> CeibaRegressor:
    return CeibaRegressor(**{"n_estimators": 10, "n_jobs": 1, **given})


def classifier(**given: Any) -> CeibaClassifier:
    return CeibaClassifier(**{"n_estimators": 10, "n_jobs": 1, **given})


# ---- regression ----------------------------------------------------------------------------------


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


# ---- classification ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "labels",
    [
        BINARY,
        BINARY == "yes",
        np.where(BINARY == "yes", 7, -3),
        np.where(BINARY == "yes", 1.0, 0.0),
        THREE,
        np.unique(THREE, return_inverse=True)[1].astype(np.int8),
        pd.Series(THREE, dtype="category"),
        pl.Series(THREE),
        THREE.astype(object),
    ],
    ids=lambda y: f"{type(y).__module__} {y.dtype}",
)
def test_labels_of_every_kind(labels: Any) -> None:
    fitted = classifier(n_estimators=30).fit(X, labels)
    values = np.asarray(labels)
    np.testing.assert_array_equal(fitted.classes_, np.unique(values))
    predicted = fitted.predict(X)
    assert (predicted == values).mean() > 0.9
    assert predicted.dtype == fitted.classes_.dtype
    probabilities = fitted.predict_proba(X)
    assert probabilities.shape == (400, len(fitted.classes_))
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    np.testing.assert_array_equal(fitted.classes_[probabilities.argmax(axis=1)], predicted)
    decision = fitted.decision_function(X)
    assert decision.shape == ((400,) if len(fitted.classes_) == 2 else (400, 3))


def test_softmax_with_two_classes() -> None:
    fitted = classifier(objective="softmax").fit(X, BINARY)
    assert fitted.model_.n_outputs == 2
    assert fitted.decision_function(X).shape == (400,)
    assert fitted.predict_proba(X).shape == (400, 2)
    np.testing.assert_array_equal(
        fitted.predict(X), np.where(fitted.decision_function(X) > 0, "yes", "no")
    )


def test_staged_classes() -> None:
    for labels in (BINARY, THREE):
        fitted = classifier().fit(X, labels)
        classes, probabilities = (
            list(fitted.staged_predict(X)),
            list(fitted.staged_predict_proba(X)),
        )
        assert len(classes) == len(probabilities) == 10
        np.testing.assert_array_equal(classes[-1], fitted.predict(X))
        np.testing.assert_array_equal(probabilities[-1], fitted.predict_proba(X))


def test_objectives_for_the_other_task() -> None:
    with pytest.raises(InvalidParameterError, match="Use CeibaClassifier"):
        regressor(objective="logistic").fit(X, Y)
    with pytest.raises(InvalidParameterError, match="not one for a classifier"):
        classifier(objective="squared_error").fit(X, BINARY)
    with pytest.raises(InvalidParameterError, match="Got 3 classes"):
        classifier(objective="binary:logistic").fit(X, THREE)
    with pytest.raises(InvalidParameterError, match="one of squared_error"):
        regressor(objective="squared_eror").fit(X, Y)


def test_exponential_classifier() -> None:
    fitted = classifier(objective="exponential").fit(X, BINARY)
    decision, probabilities = fitted.decision_function(X), fitted.predict_proba(X)
    np.testing.assert_allclose(probabilities[:, 1], 1 / (1 + np.exp(-2 * decision)), rtol=1e-12)
    np.testing.assert_array_equal(fitted.predict(X), np.where(decision > 0, "yes", "no"))
    with pytest.raises(InvalidParameterError, match="Got 3 classes"):
        classifier(objective="exponential").fit(X, THREE)


def test_metrics_of_an_exponential_classifier_are_those_of_its_probabilities() -> None:
    fitted = classifier(objective="exponential", eval_metric=["logloss", "accuracy"])
    fitted.fit(X, BINARY, eval_set=[(X, BINARY)])
    history = fitted.evals_result_["validation_0"]
    expected = log_loss(BINARY, fitted.predict_proba(X))
    assert history["logloss"][-1] == pytest.approx(expected, rel=1e-12)
    assert history["accuracy"][-1] == fitted.score(X, BINARY)


@pytest.mark.parametrize("objective", ["poisson", "gamma", "tweedie"])
def test_regressors_of_rates(objective: str) -> None:
    fitted = regressor(objective=objective, tweedie_variance_power=1.3)
    fitted.fit(X, np.exp(Y), eval_set=[(X, np.exp(Y))])
    assert list(fitted.evals_result_["validation_0"]) == [f"{objective}_deviance"]
    power = {"poisson": 1.0, "gamma": 2.0, "tweedie": 1.3}[objective]
    expected = mean_tweedie_deviance(np.exp(Y), fitted.predict(X), power=power)
    last = fitted.evals_result_["validation_0"][f"{objective}_deviance"][-1]
    assert last == pytest.approx(expected, rel=1e-12)
    with pytest.raises(InvalidInputError, match=r"Eval set 'validation_0'.*must hold numbers"):
        fitted.fit(X, np.exp(Y), eval_set=[(X, -np.exp(Y))])


def test_class_weight_is_a_sample_weight() -> None:
    weights = np.where(BINARY == "yes", 3.0, 1.0)
    by_class = classifier(class_weight={"yes": 3.0}).fit(X, BINARY)
    by_row = classifier().fit(X, BINARY, sample_weight=weights)
    assert by_class.model_.fingerprint() == by_row.model_.fingerprint()
    both = classifier(class_weight={"yes": 3.0}).fit(X, BINARY, sample_weight=np.full(400, 2.0))
    assert both.model_.fingerprint() != by_class.model_.fingerprint()
    balanced = classifier(class_weight="balanced", n_estimators=1).fit(X, BINARY)
    assert balanced.model_.start_scores[0] == pytest.approx(0.0, abs=1e-12)


def test_scale_pos_weight_raises_the_second_class() -> None:
    plain = classifier().fit(X, BINARY).predict_proba(X)[:, 1].mean()
    scaled = classifier(scale_pos_weight=5.0).fit(X, BINARY).predict_proba(X)[:, 1].mean()
    assert scaled > plain + 0.1
    with pytest.raises(InvalidParameterError, match="two classes"):
        classifier(scale_pos_weight=5.0).fit(X, THREE)


def test_base_score() -> None:
    assert regressor(base_score=3.0).fit(X, Y).model_.start_scores.tolist() == [3.0]
    assert classifier(base_score=0.5).fit(X, BINARY).model_.start_scores.tolist() == [0.0]
    per_class = classifier(base_score=[0.2, 0.3, 0.5]).fit(X, THREE).model_.start_scores
    np.testing.assert_allclose(per_class, np.log([0.2, 0.3, 0.5]))


# ---- tables --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "table",
    [
        X,
        np.asfortranarray(X),
        X.tolist(),
        FRAME,
        pl.DataFrame(FRAME),
        pa.table({name: FRAME[name].to_numpy() for name in FRAME}),
        sparse.csr_array(X),
        sparse.csc_array(X),
        sparse.csr_matrix(X),
        X.astype(object),
    ],
    ids=lambda t: f"{type(t).__module__}.{type(t).__name__}",
)
def test_tables_of_every_kind_give_the_same_predictions(table: Any) -> None:
    expected = regressor().fit(X, Y).predict(X)
    fitted = regressor().fit(table, Y)
    np.testing.assert_array_equal(fitted.predict(table), expected)
    names = getattr(fitted, "feature_names_in_", None)
    has_names = hasattr(table, "columns") or hasattr(table, "column_names")
    assert (names is not None and names.tolist() == ["a", "b", "c", "d"]) == has_names


def test_missing_values() -> None:
    holes = X.copy()
    holes[RANDOM.random(X.shape) < 0.3] = np.nan
    fitted = regressor(n_estimators=50).fit(holes, Y)
    assert fitted.score(holes, Y) > 0.6
    frame = FRAME.where(~np.isnan(holes))
    np.testing.assert_array_equal(
        regressor(n_estimators=50).fit(frame, Y).predict(frame), fitted.predict(holes)
    )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n_rows", [1, 2, 400])
def test_the_fast_path_gives_what_the_slow_one_does(dtype: str, n_rows: int) -> None:
    rows = X[:n_rows].astype(dtype)
    for fitted in (
        regressor().fit(X, Y),
        classifier().fit(X, BINARY),
        classifier().fit(X, THREE),
    ):
        slow = np.array([fitted.predict(row.tolist())[0] for row in rows[:, None, :][:5]])
        np.testing.assert_array_equal(fitted.predict(rows)[:5], slow)
        np.testing.assert_array_equal(fitted.predict(rows[:, ::-1][:, ::-1]), fitted.predict(rows))
        with pytest.raises(InvalidInputError, match="X has 3 features, but Ceiba"):
            fitted.predict(rows[:, :3])
        with pytest.raises(CeibaError, match=r"2D|1D|dimension"):
            fitted.predict(rows[0])


def test_fitting_again_forgets_the_names() -> None:
    fitted = regressor().fit(FRAME, Y)
    assert fitted.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    with pytest.warns(UserWarning, match="valid feature names"):
        fitted.predict(X)
    fitted.fit(X, Y)
    assert not hasattr(fitted, "feature_names_in_")
    with pytest.warns(UserWarning, match="fitted without feature names"):
        fitted.predict(FRAME)


# ---- files ---------------------------------------------------------------------------------------


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


# ---- what is asked of a fitted estimator ---------------------------------------------------------


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


@pytest.mark.parametrize("nonsense", ["many", 0, 1.5, [1]])
def test_n_jobs_that_are_nonsense_after_fit(nonsense: Any) -> None:
    fitted = regressor().fit(X, Y)
    with pytest.raises(InvalidParameterError, match="n_jobs must be"):
        fitted.set_params(n_jobs=nonsense).predict(X)


def test_nullable_labels_come_back() -> None:
    labels = pd.Series(BINARY == "yes")
    for dtype, expected in (("Int64", [0, 1]), ("boolean", [False, True])):
        fitted = classifier().fit(X, labels.astype(dtype))
        assert [type(label) for label in fitted.classes_.tolist()] == [type(expected[0])] * 2
        assert fitted.classes_.tolist() == expected
    with pytest.raises(InvalidInputError, match="missing values"):
        classifier().fit(X, labels.astype("boolean").mask(labels))


def test_base_score_without_dimensions() -> None:
    assert regressor(base_score=np.array(3.0)).fit(X, Y).model_.start_scores.tolist() == [3.0]


def test_not_fitted_is_at_the_top() -> None:
    assert ceiba.NotFittedError is NotFittedError
    with pytest.raises(InvalidTypeError, match="path must be"):
        regressor().load_model(None)
