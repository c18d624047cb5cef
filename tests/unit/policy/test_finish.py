"""The winners use all rows: leaves fitted again, further rounds, or a second training."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

import ceiba
from ceiba import Dataset
from ceiba.boosting.start import create_objective
from ceiba.parameters.resolving import resolve
from ceiba.policy.finish import mean_of, on_all_rows, trained_again

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(400, 3))
Y = X[:, 0] + X[:, 1] * X[:, 2]
GIVEN = {"learning_rate": 0.2, "max_leaves": 5}


def winner(n_rounds: int) -> Any:
    rows = Dataset(X, Y).take(np.arange(320), share_bins=True)
    model = ceiba.train({**GIVEN, "n_estimators": n_rounds}, rows)
    candidate = SimpleNamespace(parameters=resolve(GIVEN))
    return SimpleNamespace(
        models=lambda: [model], candidate=candidate, best_round=n_rounds - 1, own=model
    )


def test_leaves_are_fitted_again_and_rounds_follow() -> None:
    one = winner(8)
    model = on_all_rows(one, Dataset(X, Y), create_objective(resolve(GIVEN)), None, 0.2)
    assert model.n_iterations == 10
    own = one.own.trees().feature
    np.testing.assert_array_equal(model.trees().feature[: len(own)], own)
    error = np.sqrt(np.mean((model.predict(X[320:]) - Y[320:]) ** 2))
    assert error < np.sqrt(np.mean((one.own.predict(X[320:]) - Y[320:]) ** 2))


def test_without_held_out_rows_no_round_follows() -> None:
    model = on_all_rows(winner(3), Dataset(X, Y), create_objective(resolve(GIVEN)), None, 0.0)
    assert model.n_iterations == 3


def test_a_second_training_has_as_many_rounds() -> None:
    model = trained_again(winner(6), Dataset(X, Y), create_objective(resolve(GIVEN)), None)
    expected = ceiba.train({**GIVEN, "n_estimators": 6}, Dataset(X, Y))
    np.testing.assert_array_equal(model.predict(X), expected.predict(X))


def test_the_mean_records_its_rounds() -> None:
    models = [winner(3).own, winner(5).own]
    mean = mean_of(models, resolve(GIVEN))
    assert (mean.parameters["n_estimators"], mean.parameters["num_parallel_tree"]) == (5, 2)
    expected = (models[0].predict_raw(X) + models[1].predict_raw(X)) / 2
    np.testing.assert_allclose(mean.predict_raw(X), expected, atol=1e-12)
