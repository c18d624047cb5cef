"""Leaves, generated from the list of objectives: what is declared exact cannot be made better."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from ceiba import Dataset, _core, train
from ceiba.objectives import OBJECTIVES, Objective, find_objective
from ceiba.testing.targets import numbers_as_target

Floats = np.ndarray[Any, np.dtype[np.float64]]

#: Options with which an objective is a different one for its leaves.
MORE_OPTIONS: dict[str, list[dict[str, Any]]] = {
    "quantile": [{"quantile": 0.05}, {"quantile": [0.1, 0.5, 0.9]}],
    "huber": [{"huber_delta": 0.3}, {"leaf_rule": "friedman"}],
}
CASES = [
    pytest.param(kind.name, options, id=f"{kind.name}-{options}")
    for kind in OBJECTIVES
    if kind.task == "regression"
    for options in [{}, *MORE_OPTIONS.get(kind.name, [])]
]
WEIGHTS = ["none", "whole", "real"]


def make_rows(
    name: str, weights_kind: str, n_rows: int = 400
) -> tuple[Floats, Floats, Floats | None]:
    random = np.random.default_rng(3)
    X = random.normal(size=(n_rows, 3))
    y = np.exp(X[:, 0] + 0.5 * random.standard_t(3, size=n_rows).clip(-8, 8))
    # Some equal values: an order statistic must not care.
    y[::5] = np.round(y[::5], 1) + 0.1
    weights = {
        "none": None,
        "whole": random.integers(1, 5, size=n_rows).astype(np.float64),
        "real": random.gamma(1.0, size=n_rows) + 1e-3,
    }[weights_kind]
    return X, numbers_as_target(find_objective(name), y), weights


def loss_of_round(objective: Objective, scores: Floats, y: Floats, weights: Floats | None) -> Any:
    return objective.in_turn(0).for_round(scores, y, weights)


@pytest.mark.parametrize(("name", "options"), CASES)
@pytest.mark.parametrize("weights_kind", WEIGHTS)
def test_leaves_minimise_their_loss_where_declared_exact(
    name: str, options: dict[str, Any], weights_kind: str
) -> None:
    objective = find_objective(name, **options)
    if objective.leaf != "exact":
        pytest.skip("the leaf is not declared exact")
    X, y, weights = make_rows(name, weights_kind)
    params = {"objective": name, **options, "n_estimators": 1, "learning_rate": 1.0}
    params["calibration_folds"] = 0
    model = train({**params, "max_leaves": 6, "reg_lambda": 9.0}, Dataset(X, y, weight=weights))
    scores = np.repeat(model.start_scores[:, None], len(y), axis=1)
    loss = loss_of_round(model.objective, scores, y, weights)
    leaves = model.apply(X)
    values = model.forest.arrays()["value"].reshape(-1, model.n_outputs)  # one tree for all outputs
    assert len(np.unique(leaves[:, 0])) > 3
    for leaf in np.unique(leaves[:, 0]):
        rows = np.flatnonzero(leaves[:, 0] == leaf)
        for output in range(model.n_outputs):
            value = values[leaf, output]

            def total(step: float, rows: Any = rows, output: int = output) -> float:
                moved = scores[:, rows].copy()
                moved[output] += step
                own = None if weights is None else weights[rows]
                return float(_core.exact_sum(loss.losses(moved, y[rows]), own))

            best = total(value)
            residuals = y[rows] - scores[output, rows]
            low, high = residuals.min(), residuals.max()
            near = value + np.array([-1e-1, -1e-3, -1e-6, 1e-6, 1e-3, 1e-1]) * (high - low)
            for step in [*np.linspace(low, high, 41), *residuals[:40], *near]:
                assert total(step) >= best * (1.0 - 1e-13)


@pytest.mark.parametrize(("name", "options"), CASES)
@pytest.mark.parametrize("weights_kind", WEIGHTS)
def test_start_minimises_the_loss_of_a_constant_where_declared(
    name: str, options: dict[str, Any], weights_kind: str
) -> None:
    objective = find_objective(name, **options)
    if objective.start != "optimal":
        pytest.skip("the start is not declared optimal")
    _, y, weights = make_rows(name, weights_kind)
    start = objective.start_scores(y, weights)
    scores = np.repeat(start[:, None], len(y), axis=1)

    def total(output: int, step: float) -> float:
        moved = scores.copy()
        moved[output] += step
        return float(_core.exact_sum(objective.losses(moved, y), weights))

    for output in range(len(start)):
        best = total(output, 0.0)
        for step in [*(np.linspace(y.min(), y.max(), 41) - start[output]), -1e-4, 1e-4]:
            assert total(output, step) >= best * (1.0 - 1e-13)


@pytest.mark.parametrize(("name", "options"), CASES)
def test_declared_options_are_parameters_with_the_same_defaults(
    name: str, options: dict[str, Any]
) -> None:
    from ceiba.parameters import BY_NAME

    known = {"n_classes", "hessian_factor"}
    for field in fields(type(find_objective(name, **options))):
        if field.name in BY_NAME and field.name not in known:
            assert BY_NAME[field.name].default == field.default


@pytest.mark.parametrize(("name", "options"), CASES)
def test_whole_weights_are_repeated_rows(name: str, options: dict[str, Any]) -> None:
    X, y, weights = make_rows(name, "whole")
    assert weights is not None
    params = {"objective": name, **options, "n_estimators": 4, "max_leaves": 8, "n_jobs": 1}
    times = weights.astype(int)
    weighted = train(params, Dataset(X, y, weight=weights))
    repeated = train(params, Dataset(np.repeat(X, times, axis=0), np.repeat(y, times)))
    assert weighted.fingerprint() == repeated.fingerprint()


@pytest.mark.parametrize(("name", "options"), CASES)
def test_max_delta_step_limits_every_leaf(name: str, options: dict[str, Any]) -> None:
    X, y, _ = make_rows(name, "none")
    params = {"objective": name, **options, "max_delta_step": 0.05, "learning_rate": 0.5}
    model = train({**params, "n_estimators": 2}, Dataset(X, y))
    values = model.forest.arrays()["value"]
    assert np.abs(values).max() == 0.025
