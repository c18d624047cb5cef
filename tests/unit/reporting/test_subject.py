"""The subject of a report: tasks, predictions and losses of all kinds of models."""

from __future__ import annotations

import numpy as np
import pytest
from report_cases import OTHERS, TASKS, case_of, judged, model_of

import ceiba
from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.reporting.subject import subject_of


@pytest.mark.parametrize("kind", TASKS)
def test_tasks(kind):
    assert subject_of(model_of(kind)).task == kind


def test_other_models():
    tasks = [subject_of(model_of(kind)).task for kind in OTHERS]
    assert tasks == ["binary", "binary", "regression", "binary", "quantiles"]


@pytest.mark.parametrize("kind", [*TASKS, *OTHERS])
def test_predictions_are_those_of_the_model(kind):
    case, model = case_of(kind), model_of(kind)
    X, _ = judged(kind)
    classes = hasattr(model, "predict_proba") and case.subject.has_classes
    expected = model.predict_proba(X) if classes else model.predict(X)
    if kind == "multilabel":
        expected = model.model_.predict(X)
    own = case.rows.predicted.prediction
    own = case.subject.chances(case.rows.predicted) if classes else own
    expected = np.asarray(expected)[case.rows.numbers]
    assert np.allclose(own.reshape(expected.shape), expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("kind", [*TASKS, *OTHERS])
def test_losses(kind):
    case = case_of(kind)
    losses = case.rows.losses
    n = case.rows.n_rows if case.rows.queries is None else case.rows.queries.n_queries
    assert losses.shape == (n,)
    assert np.isfinite(losses).all()
    assert (losses >= 0).all()


def test_stages_end_at_the_prediction():
    for kind in ("binary", "forest", "two_scores", "quantiles"):
        case = case_of(kind)
        *_, last = case.subject.staged(case.rows.table)
        assert np.array_equal(last.prediction, case.rows.predicted.prediction)
        assert np.array_equal(last.raw, case.rows.predicted.raw)


def test_other_objects_are_refused():
    with pytest.raises(InvalidTypeError, match=r"ceiba\.Model or a fitted estimator"):
        subject_of("model")


def test_unfitted_estimators_are_refused():
    with pytest.raises(ceiba.NotFittedError):
        subject_of(ceiba.CeibaRegressor())


def gradients(y, raw):
    return raw - y, np.ones_like(raw)


def test_custom_objectives():
    X, y = judged("regression")
    regressor = ceiba.CeibaRegressor(objective=gradients, n_estimators=2).fit(X, y)
    assert subject_of(regressor).task == "regression"
    X, y = judged("binary")
    classifier = ceiba.CeibaClassifier(objective=gradients, n_estimators=2).fit(X, y)
    with pytest.raises(InvalidInputError, match="custom objective with classes"):
        subject_of(classifier)
