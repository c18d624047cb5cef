"""Metrics of rows, and the best score of a training."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import metrics as sklearn_metrics
from small_table import BINARY, FRAME, THREE, X, Y, classifier, regressor

from ceiba import CeibaRanker, Dataset, refit, train
from ceiba.errors import InvalidInputError, InvalidParameterError


def test_the_best_score_is_that_of_the_best_iteration() -> None:
    fitted = regressor(n_estimators=300, early_stopping_rounds=5, eval_metric=["mae", "rmse"]).fit(
        X[:200], Y[:200], eval_set={"seen": (X[:200], Y[:200]), "new": (X[200:], Y[200:])}
    )
    assert list(fitted.best_score_) == ["seen", "new"]
    values = fitted.evals_result_["new"]["rmse"]
    assert fitted.best_score_["new"]["rmse"] == min(values) == values[fitted.best_iteration_]
    assert fitted.model_.best_score == fitted.best_score_
    assert regressor().fit(X, Y).best_score_ == {}


def test_metrics_of_rows() -> None:
    weights = np.linspace(0.0, 2.0, 400)
    fitted = regressor(eval_metric=["mae", "rmse"]).fit(FRAME, Y, eval_set=[(FRAME, Y)])
    last = {name: values[-1] for name, values in fitted.evals_result_["validation_0"].items()}
    assert fitted.evaluate(FRAME, Y) == last
    assert fitted.model_.evaluate(FRAME, Y) == last
    assert fitted.model_.evaluate(Dataset(FRAME, Y)) == last
    assert fitted.evaluate(FRAME.assign(target=Y), "target", "rmse") == last["rmse"]
    expected = sklearn_metrics.mean_absolute_error(Y, fitted.predict(FRAME), sample_weight=weights)
    assert fitted.evaluate(FRAME, Y, "mae", weights) == pytest.approx(expected)
    assert fitted.model_.evaluate(FRAME, Y, "mae", sample_weight=weights) == pytest.approx(expected)
    assert list(fitted.evaluate(FRAME, Y, ["r2", "mae"])) == ["r2", "mae"]
    largest = fitted.evaluate(FRAME, Y, lambda true, predicted: np.abs(true - predicted).max())
    assert largest == np.abs(Y - fitted.predict(FRAME)).max()


@pytest.mark.parametrize("labels", [BINARY, THREE], ids=["two", "three"])
def test_metrics_of_classes_take_labels(labels: Any) -> None:
    fitted = classifier().fit(X, labels)
    right = np.mean(fitted.predict(X) == labels)
    assert fitted.evaluate(X, labels, "accuracy") == pytest.approx(right)
    assert fitted.model_.evaluate(X, labels, "accuracy") == pytest.approx(right)
    assert list(fitted.evaluate(X, labels)) == [fitted.model_.objective.default_metric]
    with pytest.raises(InvalidInputError, match="'perhaps'"):
        fitted.model_.evaluate(X, np.full(400, "perhaps"), "accuracy")
    with pytest.raises(InvalidInputError, match="'perhaps'"):
        fitted.evaluate(X, np.full(400, "perhaps"), "accuracy")


def test_metrics_of_queries() -> None:
    query, relevance = np.arange(400) // 20, np.digitize(Y, [-0.5, 0.0, 0.5])
    ranker = CeibaRanker(n_estimators=5, n_jobs=1).fit(X, relevance, qid=query)
    expected = ranker.score(X, relevance, qid=query)
    assert ranker.evaluate(X, relevance, "ndcg", qid=query) == expected
    assert ranker.evaluate(X, relevance, qid=query) == {"ndcg": expected}
    assert ranker.model_.evaluate(X, relevance, "ndcg", group=np.full(20, 20)) == expected


def test_metrics_that_cannot_be() -> None:
    model = train({"n_estimators": 2}, Dataset(X, Y))
    with pytest.raises(InvalidInputError, match="Give `y`"):
        model.evaluate(X)
    with pytest.raises(InvalidInputError, match="auc needs a target of 0 and 1"):
        model.evaluate(X, Y, "auc")
    with pytest.raises(InvalidParameterError, match=r"metric must be the name of a metric.*'mae'"):
        model.evaluate(X, Y, "maee")
    with pytest.raises(InvalidParameterError, match="without a metric"):
        train({"n_estimators": 2, "eval_metric": []}, Dataset(X, Y)).evaluate(X, Y)

    def own(y_true: Any, y_pred: Any) -> float:
        return 0.0

    rows = Dataset(X, Y)
    with pytest.raises(InvalidParameterError, match="'own' of the training is a function"):
        train({"n_estimators": 2, "eval_metric": [own]}, rows, eval_sets=[rows]).evaluate(X, Y)


def test_a_dataset_without_rows_of_weight_0_cannot_be_predicted() -> None:
    model = train({"n_estimators": 2}, Dataset(X, Y))
    assert model.predict(Dataset(X, Y)).tolist() == model.predict(X).tolist()
    weights = np.ones(400)
    weights[3] = 0.0
    with pytest.raises(InvalidInputError, match="399 of its 400 input rows"):
        model.predict(Dataset(X, Y, weight=weights))


def test_targets_of_another_shape_than_those_of_the_training() -> None:
    both = np.column_stack([Y, X[:, 0]])
    several, one = regressor().fit(X, both).model_, regressor().fit(X, Y).model_
    classes = classifier().fit(X, BINARY).model_
    for model, target, message in [
        (several, Y, "2 targets for each row, as in training. Got 1"),
        (one, both, "1 target for each row, as in training. Got 2"),
        (classes, np.column_stack([BINARY, BINARY]), "`y` must be one column"),
        (classes, None, "Give `y`"),
    ]:
        with pytest.raises(InvalidInputError, match=message):
            model.evaluate(X, target)
        with pytest.raises(InvalidInputError, match=message):
            model.importances("permutation", X, target)
    for model, target in [(several, Y), (one, both)]:
        with pytest.raises(InvalidInputError, match="as in training"):
            refit(model, Dataset(X, target))
    assert classes.evaluate(X, BINARY[:, None]) == classes.evaluate(X, BINARY)
