"""Tests generated from the list of objectives: being listed is being tested."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from ceiba import _core
from ceiba.errors import InvalidParameterError, ModelFileError
from ceiba.metrics import find_metric
from ceiba.objectives import (
    OBJECTIVES,
    Objective,
    find_objective,
    objective_from_state,
)
from ceiba.objectives.gini import SMALLEST_SHARE
from ceiba.objectives.pseudo_huber import PseudoHuber
from ceiba.testing.targets import example_base_score, example_target

Floats = np.ndarray[Any, np.dtype[np.float64]]

CLASSES = ("binary", "classes")
# Losses of whole queries have generated tests of their own, in test_ranking.py.
OF_ROWS = [kind for kind in OBJECTIVES if not kind.needs_queries]
each_objective = pytest.mark.parametrize(
    "objective",
    [
        *(pytest.param(kind(), id=kind.name) for kind in OF_ROWS),
        pytest.param(PseudoHuber(0.3, "plain"), id="pseudo_huber-plain"),
    ],
)
with_and_without_weights = pytest.mark.parametrize("weighted", [False, True])


def make_scores(objective: Objective, target: Floats, spread: float = 2.0) -> Floats:
    shape = (objective.n_outputs(target), len(target))
    return np.random.default_rng(1).normal(scale=spread, size=shape)


def derivatives(objective: Objective, scores: Floats, target: Floats) -> tuple[Floats, Floats]:
    gradients = np.full_like(scores, np.nan)
    hessians = np.full_like(scores, np.nan)
    has_hessians = objective.constant_hessian is None
    objective.gradients(scores, target, gradients, hessians if has_hessians else None, 1)
    if objective.constant_hessian is not None:
        hessians[:] = objective.constant_hessian
    return gradients, hessians


@each_objective
def test_gradients_are_the_slope_of_the_loss(objective: Objective) -> None:
    target = example_target(objective, 300)
    scores = make_scores(objective, target)
    gradients, _ = derivatives(objective, scores, target)
    step = 1e-5
    for output in range(len(scores)):
        above, below = scores.copy(), scores.copy()
        above[output] += step
        below[output] -= step
        slope = (objective.losses(above, target) - objective.losses(below, target)) / (2 * step)
        np.testing.assert_allclose(gradients[output], slope, rtol=1e-6, atol=1e-8)


@each_objective
def test_hessians_are_the_slope_of_the_gradients_where_declared(objective: Objective) -> None:
    target = example_target(objective, 300)
    scores = make_scores(objective, target)
    _, hessians = derivatives(objective, scores, target)
    assert (hessians >= 0.0).all()
    if objective.curvature != "exact":
        return
    step = 1e-5
    for output in range(len(scores)):
        above, below = scores.copy(), scores.copy()
        above[output] += step
        below[output] -= step
        rise = derivatives(objective, above, target)[0] - derivatives(objective, below, target)[0]
        np.testing.assert_allclose(
            hessians[output], rise[output] / (2 * step), rtol=1e-6, atol=1e-8
        )


@each_objective
@with_and_without_weights
def test_start_is_the_best_constant(objective: Objective, weighted: bool) -> None:
    if objective.start != "optimal":
        pytest.skip("the start is not declared optimal")
    target = example_target(objective, 200)
    weights = np.random.default_rng(2).gamma(1.0, size=200) if weighted else None
    start = objective.start_scores(target, weights)
    assert start.shape == (objective.n_outputs(target),)

    def loss_of(constant: Floats) -> float:
        scores = np.repeat(constant[:, None], len(target), axis=1)
        return float(_core.exact_sum(objective.losses(scores, target), weights))

    best = loss_of(start)
    for output in range(len(start)):
        for step in (-1e-1, -1e-3, 1e-3, 1e-1):
            moved = start.copy()
            moved[output] += step
            assert loss_of(moved) >= best - 1e-14 * abs(best)
    if len(start) == 1:
        found = minimize_scalar(
            lambda constant: loss_of(np.array([constant])),
            bounds=(start[0] - 5.0, start[0] + 5.0),
            method="bounded",
            options={"xatol": 1e-10},
        )
        # A median may lie anywhere between two values; then no other constant has less loss.
        assert start[0] == pytest.approx(found.x, abs=1e-5) or best <= found.fun


@each_objective
@with_and_without_weights
def test_start_does_not_depend_on_the_order_of_rows(objective: Objective, weighted: bool) -> None:
    target = example_target(objective, 5000)
    weights = np.random.default_rng(3).gamma(1.0, size=5000) if weighted else None
    start = objective.start_scores(target, weights)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(5000)
        moved = objective.start_scores(target[order], None if weights is None else weights[order])
        assert moved.tobytes() == start.tobytes()


@each_objective
def test_weight_k_starts_as_k_rows(objective: Objective) -> None:
    target = example_target(objective, 500)
    times = np.random.default_rng(4).integers(1, 4, 500)
    weighted = objective.start_scores(target, times.astype(np.float64))
    repeated = objective.start_scores(np.repeat(target, times), None)
    assert weighted.tobytes() == repeated.tobytes()


@each_objective
def test_gradients_have_the_same_bits_however_they_are_computed(objective: Objective) -> None:
    n_rows = 1003
    target = example_target(objective, n_rows)
    scores = make_scores(objective, target, spread=20.0)
    expected = [part.tobytes() for part in derivatives(objective, scores, target)]
    settings, avx2 = _core.settings(), _core.uses_avx2()
    try:
        _core.set_avx2(False)
        assert [part.tobytes() for part in derivatives(objective, scores, target)] == expected
        _core.set_avx2(avx2)
        _core.change_settings(chunk_rows=64, serial_below=0)
        for n_threads in (1, 2, 3, 7):
            gradients, hessians = np.empty_like(scores), np.empty_like(scores)
            if objective.constant_hessian is not None:
                hessians[:] = objective.constant_hessian
                objective.gradients(scores, target, gradients, None, n_threads)
            else:
                objective.gradients(scores, target, gradients, hessians, n_threads)
            assert [gradients.tobytes(), hessians.tobytes()] == expected
    finally:
        _core.set_avx2(avx2)
        _core.change_settings(**settings)
    # A row on its own is the tail of a vector loop.
    gradients, hessians = derivatives(objective, scores, target)
    for row in range(0, n_rows, 97):
        alone = derivatives(objective, scores[:, row : row + 1].copy(), target[row : row + 1])
        assert alone[0].tobytes() == gradients[:, row].tobytes()
        assert alone[1].tobytes() == hessians[:, row].tobytes()


@each_objective
def test_extreme_scores_keep_finite_gradients_and_usable_hessians(objective: Objective) -> None:
    target = example_target(objective, 64)
    scores = make_scores(objective, target)
    scores *= 600.0 / np.abs(scores).max()
    gradients, hessians = derivatives(objective, scores, target)
    assert np.isfinite(gradients).all()
    assert np.isfinite(hessians).all()
    # A hessian of 0 beside a real gradient would make an infinite Newton step.
    assert (hessians[np.abs(gradients) > 1e-200] > 0.0).all()


@each_objective
def test_base_score_in_prediction_units_is_what_is_predicted(objective: Objective) -> None:
    n_outputs = objective.n_outputs(example_target(objective, 100))
    base_score: Any = example_base_score(objective)
    raw = objective.to_raw(base_score, n_outputs)
    assert raw.shape == (n_outputs,)
    prediction = objective.predict(np.repeat(raw[None, :], 3, axis=0))
    assert prediction.shape == ((3,) if n_outputs == 1 else (3, n_outputs))
    np.testing.assert_allclose(prediction[0], base_score, rtol=1e-14)
    for wrong in (np.nan, np.inf, "high", [0.1] * (n_outputs + 1)):
        with pytest.raises(InvalidParameterError, match="base_score must be"):
            objective.to_raw(wrong, n_outputs)


@each_objective
def test_gradients_do_not_depend_on_the_order_of_rows(objective: Objective) -> None:
    target = example_target(objective, 500)
    scores = make_scores(objective, target)
    expected = derivatives(objective, scores, target)
    order = np.random.default_rng(7).permutation(500)
    moved = derivatives(objective, np.ascontiguousarray(scores[:, order]), target[order])
    for given, before in zip(moved, expected, strict=True):
        assert given.tobytes() == np.ascontiguousarray(before[:, order]).tobytes()


@each_objective
def test_target_of_its_domain_passes_and_rules_hold_for_eval_sets(objective: Objective) -> None:
    target = example_target(objective, 100)
    objective.check_target(target)
    objective.check_target(target, objective.n_outputs(target))


@pytest.mark.parametrize(
    "objective",
    [pytest.param(kind(), id=kind.name) for kind in OBJECTIVES if kind.domain in CLASSES],
)
def test_log_odds_are_those_of_the_prediction(objective: Objective) -> None:
    raw = np.ascontiguousarray(make_scores(objective, example_target(objective, 50)).T)
    scores = objective.log_odds(raw)
    found = _core.sigmoid(scores[:, 0]) if scores.shape[1] == 1 else _core.softmax(scores)
    # Shares of 0 and 1 have no finite log-odds.
    certain = 1.1 * SMALLEST_SHARE if objective.name == "gini" else 0.0
    np.testing.assert_allclose(found, objective.predict(raw), rtol=1e-14, atol=certain)


@each_objective
def test_state_comes_back_from_a_model_file(objective: Objective) -> None:
    assert objective_from_state(objective.state()) == objective


@each_objective
def test_default_metric_is_listed(objective: Objective) -> None:
    assert find_metric(objective.default_metric).name == objective.default_metric


def test_every_name_belongs_to_one_objective() -> None:
    names = [name.lower() for kind in OBJECTIVES for name in (kind.name, *kind.aliases)]
    assert len(names) == len(set(names))
    for kind in OBJECTIVES:
        for name in (kind.name, *kind.aliases):
            assert type(find_objective(name)) is kind


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("reg:squarederror", "squared_error"),
        ("regression", "squared_error"),
        ("l2", "squared_error"),
        ("RMSE", "squared_error"),
        ("binary:logistic", "logistic"),
        ("binary", "logistic"),
        ("log_loss", "logistic"),
        ("Logloss", "logistic"),
        ("multi:softprob", "softmax"),
        ("multi:softmax", "softmax"),
        ("multiclass", "softmax"),
        ("MultiClass", "softmax"),
        ("count:poisson", "poisson"),
        ("Poisson", "poisson"),
        ("reg:gamma", "gamma"),
        ("reg:tweedie", "tweedie"),
        ("Tweedie", "tweedie"),
        ("exponential", "exponential"),
        ("reg:pseudohubererror", "pseudo_huber"),
        ("reg:squaredlogerror", "squared_log_error"),
    ],
)
def test_names_of_peers_are_known(alias: str, name: str) -> None:
    assert find_objective(alias).name == name


def test_unknown_objective_names_the_nearest() -> None:
    with pytest.raises(InvalidParameterError, match="Did you mean 'logistic'"):
        find_objective("logistik")
    with pytest.raises(InvalidParameterError, match="objective must be the name of a loss"):
        find_objective(7)  # type: ignore[arg-type]


def test_unknown_state_is_a_model_file_error() -> None:
    with pytest.raises(ModelFileError, match="does not know"):
        objective_from_state({"name": "from_the_future"})
    with pytest.raises(ModelFileError, match="options"):
        objective_from_state({"name": "logistic", "sharpness": 3})
