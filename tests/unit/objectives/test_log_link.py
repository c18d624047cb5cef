"""Losses with a log link: leaves that stop at their minimum, and training that stays sane."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from ceiba import CeibaRegressor, Dataset, _core, train
from ceiba.objectives import OBJECTIVES, Objective, find_objective
from ceiba.testing.targets import example_target

Floats = np.ndarray[Any, np.dtype[np.float64]]
WITH_LOG_LINK = [kind.name for kind in OBJECTIVES if kind().log_link_power is not None]
each_log_link = pytest.mark.parametrize("name", WITH_LOG_LINK)

RANDOM = np.random.default_rng(0)
N_ROWS = 3000
X = RANDOM.normal(size=(N_ROWS, 3))


def heavy_target(name: str) -> Floats:
    """A few rows have ten thousand times what the others have, either way."""
    mean = np.exp(X[:, 1] + np.where(X[:, 0] > 2.2, 9.0, np.where(X[:, 0] < -2.2, -9.0, 0.0)))
    amounts = mean * np.random.default_rng(1).gamma(5.0, 0.2, N_ROWS)
    return amounts if find_objective(name).domain == "positive" else np.round(amounts, 1)


def leaf_losses(
    objective: Objective, model: Any, y: Floats, weights: Floats | None
) -> list[tuple[float, float, float]]:
    """(value, minimum, loss at the start less loss at the value) of every leaf of one tree."""
    leaves = model.apply(X)[:, 0]
    values = model.forest.arrays()["value"]
    found = []
    for leaf in np.unique(leaves):
        rows = leaves == leaf

        def loss(step: float, rows: Any = rows) -> float:
            scores = np.full((1, int(rows.sum())), model.start_scores[0] + step)
            own = None if weights is None else weights[rows]
            return float(_core.exact_sum(objective.losses(scores, y[rows]), own))

        best = minimize_scalar(
            loss, bounds=(-60.0, 60.0), method="bounded", options={"xatol": 1e-9}
        )
        found.append((float(values[leaf]), float(best.x), loss(0.0) - loss(float(values[leaf]))))
    return found


@each_log_link
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("learning_rate", [1.0, 0.1])
def test_no_leaf_goes_past_its_minimum(name: str, weighted: bool, learning_rate: float) -> None:
    y = heavy_target(name)
    weights = np.random.default_rng(2).gamma(1.0, size=N_ROWS) if weighted else None
    objective = find_objective(name)
    params = {"objective": name, "n_estimators": 1, "reg_lambda": 0.0, "max_leaves": 16}
    given = {**params, "learning_rate": learning_rate, "n_jobs": 1}
    guarded = train(given, Dataset(X, y, weight=weights))
    newton = train({**given, "leaf_guard": False}, Dataset(X, y, weight=weights))
    passed = 0
    for (value, minimum, gain), (step, _, _) in zip(
        leaf_losses(objective, guarded, y, weights),
        leaf_losses(objective, newton, y, weights),
        strict=True,
    ):
        assert gain >= 0.0
        if abs(step) > abs(minimum) * (1.0 + 1e-6):
            passed += 1
            assert value == pytest.approx(minimum, abs=1e-5)
        else:
            assert value == step
    # A tweedie step of power 1.5 never goes too far; those of the other two do, on this target.
    assert (passed > 0) == (name in ("poisson", "gamma"))


@pytest.mark.parametrize("power", [1.05, 1.95])
def test_tweedie_close_to_its_ends(power: float) -> None:
    y = heavy_target("gamma")
    given = {"objective": "tweedie", "tweedie_variance_power": power, "learning_rate": 1.0}
    model = train({**given, "n_estimators": 1, "reg_lambda": 0.0}, Dataset(X, y))
    objective = find_objective("tweedie", tweedie_variance_power=power)
    for value, minimum, gain in leaf_losses(objective, model, y, None):
        assert gain >= 0.0
        assert abs(value) <= abs(minimum) * (1.0 + 1e-5)


@each_log_link
def test_guard_keeps_the_order_of_leaves(name: str) -> None:
    y = heavy_target(name)
    given = {"objective": name, "n_estimators": 1, "n_jobs": 1, "max_leaves": 60}
    guarded = train(given, Dataset(X, y)).forest.arrays()["value"]
    newton = train({**given, "leaf_guard": False}, Dataset(X, y)).forest.arrays()["value"]
    assert (np.diff(guarded[np.argsort(newton, kind="stable")]) >= 0.0).all()


@each_log_link
def test_heavy_targets_are_learned(name: str) -> None:
    y = heavy_target(name)
    model = train({"objective": name, "n_estimators": 30, "n_jobs": 1}, Dataset(X, y))
    objective = find_objective(name)
    raw = model.predict_raw(X)
    start = np.full((1, N_ROWS), model.start_scores[0])
    assert _core.exact_sum(objective.losses(raw[None, :].copy(), y)) < _core.exact_sum(
        objective.losses(start, y)
    )
    assert model.predict(X).max() < 100 * y.max()


@pytest.mark.parametrize("recipe", ["auto", "xgboost", "lightgbm", "histgb"])
@each_log_link
def test_regressor_predicts_means(name: str, recipe: str) -> None:
    y = np.exp(0.5 * X[:, 1]) * np.random.default_rng(3).gamma(5.0, 0.2, N_ROWS)
    weights = np.random.default_rng(4).gamma(2.0, size=N_ROWS)
    regressor = CeibaRegressor(objective=name, recipe=recipe, n_estimators=30, n_jobs=1)
    prediction = regressor.fit(X, y, sample_weight=weights).predict(X)
    assert (prediction > 0.0).all()
    assert np.corrcoef(np.log(prediction), 0.5 * X[:, 1])[0, 1] > 0.9
    assert np.average(prediction, weights=weights) == pytest.approx(
        np.average(y, weights=weights), rel=0.05
    )


def test_recipe_xgboost_limits_leaves_of_poisson_alone() -> None:
    y = heavy_target("poisson")
    rows = Dataset(X, y)
    given = {"recipe": "xgboost", "n_estimators": 2, "n_jobs": 1}
    poisson = train({**given, "objective": "count:poisson"}, rows)
    assert poisson.parameters["max_delta_step"] == 0.7
    assert np.abs(poisson.forest.arrays()["value"]).max() == pytest.approx(0.3 * 0.7)
    squared = train(given, rows)
    assert squared.parameters["max_delta_step"] == 0.0
    free = train({**given, "objective": "poisson", "max_delta_step": 0}, rows)
    assert np.abs(free.forest.arrays()["value"]).max() > 0.3


@each_log_link
def test_one_model_in_any_order_of_rows_and_threads(name: str, small_sizes: None) -> None:
    y = example_target(find_objective(name), 500)
    weights = np.random.default_rng(5).gamma(1.0, size=500)
    order = np.random.default_rng(6).permutation(500)
    given = {"objective": name, "n_estimators": 5, "min_samples_leaf": 5}
    one = train({**given, "n_jobs": 1}, Dataset(X[:500], y, weight=weights))
    other = train({**given, "n_jobs": 3}, Dataset(X[:500][order], y[order], weight=weights[order]))
    assert one.fingerprint() == other.fingerprint()
