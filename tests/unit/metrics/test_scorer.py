"""Scorers of scikit-learn as metrics."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sklearn_metrics
from small_table import BINARY, THREE, X, Y, classifier, regressor

from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.metrics import find_metric
from ceiba.metrics.scorer import ScorerMetric

WEIGHTS = np.linspace(0.5, 2.0, 400)


@pytest.mark.parametrize(
    "name",
    [
        "f1_macro", "precision", "recall", "jaccard", "neg_log_loss", "neg_brier_score", "f1_micro",
        "top_k_accuracy", "precision_weighted", "roc_auc_ovr_weighted",
    ],
)  # fmt: skip
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["plain", "weighted"])
def test_a_scorer_of_classes_by_name(name: str, weights: Any) -> None:
    two = name in ("precision", "recall", "jaccard", "neg_brier_score")
    labels = (BINARY == "yes").astype(int) if two else THREE
    fitted = classifier().fit(X, labels)
    scorer = sklearn_metrics.get_scorer(name)
    if name == "roc_auc_ovr_weighted":
        labels = np.unique(labels, return_inverse=True)[1]
        fitted = classifier().fit(X, labels)
    weighed = {} if weights is None else {"sample_weight": weights}
    expected = scorer(fitted, X, labels, **weighed)
    assert fitted.evaluate(X, labels, name, weights) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["neg_mean_absolute_error", "explained_variance", "max_error"])
def test_a_scorer_of_numbers_by_name(name: str) -> None:
    fitted = regressor().fit(X, Y)
    name = "neg_max_error" if name == "max_error" else name
    expected = sklearn_metrics.get_scorer(name)(fitted, X, Y)
    assert fitted.evaluate(X, Y, name) == pytest.approx(expected)


def test_scorers_that_are_made() -> None:
    fitted = classifier().fit(X, BINARY)
    scorer = sklearn_metrics.make_scorer(sklearn_metrics.fbeta_score, beta=2, pos_label="no")
    expected = scorer(fitted, X, BINARY)
    assert fitted.evaluate(X, BINARY, scorer) == pytest.approx(expected)
    loss = sklearn_metrics.make_scorer(
        sklearn_metrics.log_loss, greater_is_better=False, response_method="predict_proba"
    )
    metric = find_metric(loss)
    assert (metric.name, metric.higher_is_better) == ("neg_log_loss", True)
    assert fitted.evaluate(X, BINARY, loss) == pytest.approx(loss(fitted, X, BINARY))


def test_functions_that_compare_labels_are_handed_classes() -> None:
    fitted = classifier().fit(X, BINARY)
    index = (BINARY == "yes").astype(int)
    predicted = (fitted.predict(X) == "yes").astype(int)
    for function in (
        sklearn_metrics.f1_score,
        sklearn_metrics.hamming_loss,
        sklearn_metrics.jaccard_score,
    ):
        assert fitted.evaluate(X, BINARY, function) == function(index, predicted)
    assert find_metric(sklearn_metrics.f1_score).higher_is_better
    assert not find_metric(sklearn_metrics.hamming_loss).higher_is_better
    probabilities = fitted.predict_proba(X)[:, 1]
    for function in (sklearn_metrics.log_loss, sklearn_metrics.brier_score_loss):
        assert not isinstance(find_metric(function), ScorerMetric)
        assert fitted.evaluate(X, BINARY, function) == function(index, probabilities)


def test_a_scorer_decides_early_stopping() -> None:
    fitted = classifier(n_estimators=200, eval_metric="f1_macro", early_stopping_rounds=3).fit(
        X[:200], THREE[:200], eval_set=[(X[200:], THREE[200:])]
    )
    values = fitted.evals_result_["validation_0"]["f1_macro"]
    assert fitted.best_iteration_ == int(np.argmax(values))


def test_what_does_not_fit() -> None:
    with pytest.raises(InvalidParameterError, match="needs class probabilities"):
        regressor(eval_metric="neg_log_loss").fit(X, Y, eval_set=[(X, Y)])
    with pytest.raises(InvalidInputError, match="jaccard of scikit-learn does not fit this model"):
        classifier(eval_metric="jaccard").fit(X, THREE, eval_set=[(X, THREE)])
    two = [sklearn_metrics.make_scorer(sklearn_metrics.fbeta_score, beta=b) for b in (1, 2)]
    with pytest.raises(InvalidParameterError, match="Two metrics of eval_metric are called"):
        classifier(eval_metric=two).fit(X, BINARY, eval_set=[(X, BINARY)])


@pytest.mark.parametrize(
    ("function", "options"),
    [
        (sklearn_metrics.f1_score, {"average": "macro"}),
        (sklearn_metrics.fbeta_score, {"beta": 2.0, "average": "micro"}),
        (sklearn_metrics.accuracy_score, {"normalize": True}),
        (sklearn_metrics.hamming_loss, {}),
    ],
)
def test_a_partial_of_a_function_of_labels_gets_labels(function: Any, options: Any) -> None:
    fitted = classifier().fit(X, THREE)
    metric = partial(function, **options)
    expected = function(THREE, fitted.predict(X), **options)
    assert fitted.evaluate(X, THREE, metric) == pytest.approx(expected)
    found = find_metric(metric)
    assert (found.name, found.higher_is_better) == (
        function.__name__,
        function is not sklearn_metrics.hamming_loss,
    )


def test_a_partial_may_name_the_positive_class_and_itself() -> None:
    fitted = classifier().fit(X, BINARY)
    metric = partial(sklearn_metrics.f1_score, pos_label="no")
    metric.__name__ = "f1_of_no"  # type: ignore[attr-defined]
    expected = sklearn_metrics.f1_score(BINARY, fitted.predict(X), pos_label="no")
    assert fitted.evaluate(X, BINARY, metric) == pytest.approx(expected)
    watched = classifier(eval_metric=metric).fit(X, BINARY, eval_set=[(X, BINARY)])
    assert list(watched.evals_result_["validation_0"]) == ["f1_of_no"]
    # Probabilities, as log_loss itself gets them.
    loss = partial(sklearn_metrics.log_loss, labels=[0, 1])
    usual = fitted.evaluate(X, BINARY, "logloss")
    assert fitted.evaluate(X, BINARY, loss) == pytest.approx(usual)
