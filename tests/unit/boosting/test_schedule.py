"""Learning rates that change from round to round."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ceiba import CeibaRegressor, Dataset, load_model, train
from ceiba.boosting.schedule import join_rates, learning_rates, rate_of_rule
from ceiba.errors import InvalidParameterError
from ceiba.objectives import find_objective

X = np.random.default_rng(0).normal(size=(200, 3))
Y = X[:, 0] * X[:, 1]
ROWS = Dataset(X, Y)


def run(learning_rate: Any) -> Any:
    return train({"n_estimators": 5, "n_jobs": 1, "eta": learning_rate}, ROWS)


def test_a_function_and_a_list_are_one_schedule(tmp_path: Path) -> None:
    rates = [0.5 * 0.8**number for number in range(5)]
    model = run(rates)
    assert model.parameters["learning_rate"] == rates
    for same in (lambda number: 0.5 * 0.8**number, tuple(rates), np.array([*rates, 7.0])):
        again = run(same)
        assert again.fingerprint() == model.fingerprint()
        assert again.parameters == model.parameters
    model.save(tmp_path / "model.ceiba")
    loaded = load_model(tmp_path / "model.ceiba")
    assert loaded.fingerprint() == model.fingerprint()
    assert loaded.parameters["learning_rate"] == rates


def test_equal_rates_are_one_rate() -> None:
    assert run([0.3] * 5).fingerprint() == run(0.3).fingerprint() != run(0.2).fingerprint()


def test_the_rate_is_the_factor_of_a_tree() -> None:
    first = run([0.4, 0.4, 0.4, 0.4, 0.4]).truncate(1).predict_raw(X)
    start = run(0.4).start_scores[0]
    halved = run([0.2, 0.4, 0.4, 0.4, 0.4]).truncate(1).predict_raw(X)
    np.testing.assert_allclose(first - start, 2 * (halved - start), rtol=1e-12)


def test_estimators_take_schedules() -> None:
    fitted = CeibaRegressor(n_estimators=5, n_jobs=1, learning_rate=lambda number: 0.3).fit(X, Y)
    assert fitted.model_.fingerprint() == run(0.3).fingerprint()


@pytest.mark.parametrize(
    ("learning_rate", "message"),
    [
        ([0.1, 0.2], r"a rate for each of the 5 rounds. Got 2"),
        ([], "eta must be"),
        ([0.1, -0.2], "eta must be"),
        ([[0.1]], "eta must be"),
        (float, "eta must be"),
        (lambda number: -1.0, r"eta\(0\) must be a finite number, above 0. Got -1.0"),
        (lambda number: None, r"eta\(0\) must be"),
    ],
)
def test_schedules_that_are_none(learning_rate: Any, message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        run(learning_rate)


def test_rates_are_joined() -> None:
    assert learning_rates(0.1, 3) == 0.1
    assert join_rates(0.1, 2, 0.1, 4) == 0.1
    assert join_rates(0.1, 2, 0.3, 4) == [0.1, 0.1, 0.3, 0.3]
    assert join_rates([0.1, 0.2, 0.9], 2, [5.0, 5.0, 5.0, 0.4], 4) == [0.1, 0.2, 5.0, 0.4]


#: Rates that CatBoost 1.2.10 chose: objective, rows, rounds, with an eval set, the rate.
RATES_OF_CATBOOST = [
    ("logistic", 100, 5, False, 0.496568),
    ("logistic", 100, 5, True, 0.179828),
    ("logistic", 300, 200, False, 0.026954),
    ("logistic", 300, 1000, False, 0.006161),
    ("softmax", 100, 5, True, 0.5),
    ("squared_error", 300, 20, False, 0.5),
    ("poisson", 300, 20, False, 0.03),
    ("cross_entropy", 300, 300, False, 0.03),
]


@pytest.mark.parametrize(
    ("objective", "n_rows", "n_rounds", "has_evals", "rate"), RATES_OF_CATBOOST
)
def test_the_rule_is_that_of_catboost(
    objective: str, n_rows: int, n_rounds: int, has_evals: bool, rate: float
) -> None:
    found = rate_of_rule(find_objective(objective), n_rows, n_rounds, has_evals)
    assert found == pytest.approx(rate, abs=1e-6)


def test_a_model_records_the_rate_of_the_rule() -> None:
    X, y = np.arange(50.0)[:, None], np.arange(50.0) % 2
    given = {"objective": "logistic", "n_estimators": 10, "learning_rate": "auto"}
    model = train(given, Dataset(X, y))
    assert model.parameters["learning_rate"] == rate_of_rule(
        find_objective("logistic"), 50, 10, False
    )
