"""Eval sets and their metrics."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ceiba import Dataset, train
from ceiba.boosting.eval_sets import find_metrics, named_eval_sets
from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError
from ceiba.objectives import find_objective
from ceiba.parameters.resolving import resolve

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(200, 3))
Y = X[:, 0] + RANDOM.normal(size=200)
SMALL = {"n_estimators": 5, "n_jobs": 1}


def test_names() -> None:
    one, two = Dataset(X, Y), Dataset(X, Y)
    assert named_eval_sets(None) == {}
    assert named_eval_sets([one, two]) == {"validation_0": one, "validation_1": two}
    assert named_eval_sets({"valid": one}) == {"valid": one}
    assert named_eval_sets(one) == {"validation_0": one}  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="different names as text"):
        named_eval_sets({1: one, "1": two})  # type: ignore[dict-item]
    for wrong in ([(X, Y)], 3, "valid", {"valid": X}):
        with pytest.raises(InvalidTypeError, match=r"Dataset"):
            named_eval_sets(wrong)  # type: ignore[arg-type]


def test_metrics() -> None:
    objective = find_objective("squared_error")
    assert [m.name for m in find_metrics(resolve({}), objective)] == ["rmse"]
    found = find_metrics(resolve({"metric": ["mae", "rmse", "mae"]}), objective)
    assert [m.name for m in found] == ["mae", "rmse"]
    with pytest.raises(InvalidParameterError, match="Did you mean 'rmse'"):
        find_metrics(resolve({"metric": "rmsee"}), objective)


@pytest.mark.parametrize("metric", ["error", "accuracy", "logloss", "exponential", "mlogloss"])
def test_scores_that_are_no_log_odds_have_no_classes(metric: str) -> None:
    for name in ("squared_error", "quantile", "poisson", "pairwise"):
        with pytest.raises(InvalidParameterError, match=f"Objective {name} has other scores"):
            find_metrics(resolve({"metric": metric}), find_objective(name))
    for name in ("logistic", "exponential", "softmax", "cross_entropy"):
        assert len(find_metrics(resolve({"metric": metric}), find_objective(name))) == 1
    # An order is all that auc needs.
    assert len(find_metrics(resolve({"metric": "auc"}), find_objective("squared_error"))) == 1


def test_metrics_of_every_round_are_those_of_the_staged_model() -> None:
    model = train(SMALL, Dataset(X, Y), eval_sets={"train": Dataset(X, Y)})
    for value, prediction in zip(
        model.history["train"]["rmse"], model.staged_predict(X), strict=True
    ):
        np.testing.assert_allclose(value, np.sqrt(np.mean((Y - prediction) ** 2)), rtol=1e-12)


def test_missing_values_take_the_same_way_as_in_the_model() -> None:
    holes = X.copy()
    holes[::3, 0] = np.nan
    model = train(SMALL, Dataset(X, Y), eval_sets=[Dataset(holes, Y)])
    expected = np.sqrt(np.mean((Y - model.predict(holes)) ** 2))
    np.testing.assert_allclose(model.history["validation_0"]["rmse"][-1], expected, rtol=1e-12)


def test_weights_of_an_eval_set_count() -> None:
    weights = RANDOM.integers(0, 3, size=200).astype(float)
    weighted = train(SMALL, Dataset(X, Y), eval_sets=[Dataset(X, Y, weight=weights)])
    repeats = np.repeat(np.arange(200), weights.astype(int))
    repeated = train(SMALL, Dataset(X, Y), eval_sets=[Dataset(X[repeats], Y[repeats])])
    assert weighted.history["validation_0"]["rmse"] == pytest.approx(
        repeated.history["validation_0"]["rmse"], rel=1e-12
    )


def test_columns_are_matched_by_name() -> None:
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = train(SMALL, Dataset(frame, Y), eval_sets=[Dataset(frame[["c", "a", "b"]], Y)])
    expected = np.sqrt(np.mean((Y - model.predict(frame)) ** 2))
    np.testing.assert_allclose(model.history["validation_0"]["rmse"][-1], expected, rtol=1e-12)
    with pytest.raises(InvalidInputError, match=r"Eval set 'validation_0'.*'?c'?"):
        train(SMALL, Dataset(frame, Y), eval_sets=[Dataset(frame[["a", "b"]], Y)])


def test_an_eval_set_must_fit_the_training_rows() -> None:
    binary = {"objective": "binary", **SMALL}
    rows = Dataset(X, (Y > 0).astype(float))
    for wrong, message in [
        (Dataset(X), "no target"),
        (Dataset(X, np.full(200, 2.0)), "only 0 and 1"),
        (Dataset(X[:, :2], rows.target), "Eval set 'bad'"),
        (Dataset(X, rows.target, init_score=np.zeros(200)), "for none of them"),
    ]:
        with pytest.raises(InvalidInputError, match=message):
            train(binary, rows, eval_sets={"bad": wrong})
