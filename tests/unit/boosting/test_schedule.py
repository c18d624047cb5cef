"""Learning rates that change from round to round."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ceiba import CeibaRegressor, Dataset, load_model, train
from ceiba.boosting.schedule import join_rates, learning_rates
from ceiba.errors import InvalidParameterError

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
