"""A metric given as a function."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sklearn_metrics

from ceiba import CeibaClassifier, Dataset, train
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.metrics import CustomMetric, find_metric

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(300, 3))
Y = X[:, 0] + RANDOM.normal(size=300)
WEIGHTS = RANDOM.gamma(1.0, size=300)
SMALL = {"n_estimators": 6, "n_jobs": 1}


def largest_error(y_true: Any, y_pred: Any) -> float:
    return float(np.abs(y_true - y_pred).max())


def evaluate(eval_metric: Any, weights: Any = None, **more: Any) -> Any:
    return train(
        {"eval_metric": eval_metric, **SMALL, **more},
        Dataset(X, Y),
        eval_sets={"valid": Dataset(X[::-1], Y[::-1], weight=weights)},
    )


def test_number() -> None:
    model = evaluate(largest_error)
    values = model.history["valid"]["largest_error"]
    for value, prediction in zip(values, model.staged_predict(X[::-1]), strict=True):
        assert value == pytest.approx(largest_error(Y[::-1], prediction), rel=1e-12)
    assert model.parameters["eval_metric"] == ["largest_error"]


def test_names_and_functions_mix() -> None:
    model = evaluate(["mae", largest_error, "rmse"])
    assert list(model.history["valid"]) == ["mae", "largest_error", "rmse"]
    assert model.parameters["eval_metric"] == ["mae", "largest_error", "rmse"]


def test_scikit_learn_functions_get_the_weights() -> None:
    model = evaluate([sklearn_metrics.mean_squared_error, "rmse"], WEIGHTS)
    history = model.history["valid"]
    np.testing.assert_allclose(
        history["mean_squared_error"], np.square(history["rmse"]), rtol=1e-12
    )


def test_a_third_argument_gets_the_weights() -> None:
    def mine(y_true: Any, y_pred: Any, weight: Any) -> tuple[str, float, bool]:
        return "mean_error", float(np.average(np.abs(y_true - y_pred), weights=weight)), False

    for weights in (None, WEIGHTS):
        history = evaluate([mine, "mae"], weights).history["valid"]
        np.testing.assert_allclose(history["mean_error"], history["mae"], rtol=1e-12)


@pytest.mark.parametrize("higher", [True, False])
def test_early_stopping_goes_the_way_that_is_said(higher: bool) -> None:
    def counted(y_true: Any, y_pred: Any) -> tuple[str, float, bool]:
        return "mine", float(np.std(y_pred)), higher

    model = evaluate(["rmse", counted], early_stopping_rounds=2, n_estimators=9)
    # The spread of the predictions grows with every round.
    assert model.best_iteration == (8 if higher else 0)


def test_direction_of_a_plain_number() -> None:
    assert not CustomMetric.of(largest_error).higher_is_better
    assert CustomMetric.of(sklearn_metrics.r2_score).higher_is_better

    def good(y_true: Any, y_pred: Any) -> float:
        return 1.0

    good.higher_is_better = True  # type: ignore[attr-defined]
    assert CustomMetric.of(good).higher_is_better
    assert find_metric(good).name == "good"


def test_a_partial_is_the_function_that_it_binds() -> None:
    bound = partial(partial(sklearn_metrics.roc_auc_score, multi_class="ovr"), average="macro")
    assert CustomMetric.of(bound).higher_is_better
    assert CustomMetric.of(bound).name == "roc_auc_score"
    bound.__name__ = "own"  # type: ignore[attr-defined]
    assert CustomMetric.of(bound).name == "own"
    assert CustomMetric.of(bound).higher_is_better
    bound.higher_is_better = False  # type: ignore[attr-defined]
    assert not CustomMetric.of(bound).higher_is_better
    assert not CustomMetric.of(partial(largest_error)).higher_is_better


@pytest.mark.parametrize("returned", [None, "good", (1.0, 2.0), ("mine", "high", True), [1.0]])
def test_wrong_answers_are_found_before_training(returned: Any) -> None:
    def wrong(y_true: Any, y_pred: Any) -> Any:
        return returned

    with pytest.raises(InvalidInputError, match="custom metric wrong must return a number"):
        evaluate(wrong)


def test_two_functions_of_one_name_are_an_error() -> None:
    with pytest.raises(InvalidParameterError, match="Two metrics of eval_metric are called"):
        evaluate([lambda y, p: 1.0, lambda y, p: 2.0])


def test_classifier_hands_over_class_indices_and_probabilities() -> None:
    seen = []

    def look(y_true: Any, y_pred: Any) -> float:
        seen.append((set(y_true.tolist()), y_pred.shape, float(y_pred.min()), float(y_pred.max())))
        return 0.0

    labels = np.where(Y > 0, "yes", "no")
    CeibaClassifier(eval_metric=look, **SMALL).fit(X, labels, eval_set=[(X, labels)])
    assert all(entry[:2] == ({0.0, 1.0}, (300,)) and 0 < entry[2] <= entry[3] < 1 for entry in seen)
    several = np.digitize(Y, [-0.5, 0.5])
    seen.clear()
    CeibaClassifier(eval_metric=look, **SMALL).fit(X, several, eval_set=[(X, several)])
    assert all(entry[:2] == ({0.0, 1.0, 2.0}, (300, 3)) for entry in seen)
