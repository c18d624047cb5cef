"""Pseudo-Huber loss: its limits, its two curvatures and its start."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import CeibaRegressor, _core
from ceiba.objectives import find_objective
from ceiba.objectives.huber import huber_losses
from ceiba.objectives.pseudo_huber import PseudoHuber, pseudo_huber_losses

Floats = np.ndarray[Any, np.dtype[np.float64]]


def derivatives(loss: PseudoHuber, scores: Floats, target: Floats) -> tuple[Floats, Floats]:
    gradients, hessians = np.empty((1, len(target))), np.empty((1, len(target)))
    loss.gradients(scores[None], target, gradients, hessians, 1)
    return gradients[0], hessians[0]


def total(loss: PseudoHuber, target: Floats, weights: Floats | None, at: float) -> float:
    return _core.exact_sum(loss.losses(np.full((1, len(target)), at), target), weights)


def test_names() -> None:
    for name in ("reg:pseudohubererror", "PseudoHuberError", "pseudo_huber"):
        assert find_objective(name, huber_delta=2.0) == PseudoHuber(huber_delta=2.0)


@pytest.mark.parametrize("delta", [1e-100, 1e-3, 1.0, 50.0, 1e50])
def test_every_size_of_difference_has_a_finite_loss_and_slope(delta: float) -> None:
    distances = np.array([0.0, 1e-50, 1e-9, 1.0, 1e9, 1e200])
    target = np.zeros(len(distances))
    losses = pseudo_huber_losses(target, distances, delta)
    assert np.isfinite(losses).all()
    assert (losses <= huber_losses(target, distances, delta) * (1.0 + 1e-14)).all()
    for rule in ("safe", "plain"):
        gradients, hessians = derivatives(PseudoHuber(delta, rule), distances, target)
        assert (gradients <= np.minimum(distances, delta) * (1.0 + 1e-15)).all()
        assert (gradients[1:] > 0.0).all()
        assert (hessians > 0.0).all()
        assert (hessians <= 1.0).all()


def test_near_it_is_squared_and_far_away_absolute() -> None:
    target, scores = np.zeros(2), np.array([1e-4, 1e7])
    np.testing.assert_allclose(
        pseudo_huber_losses(target, scores, 2.0), [0.5e-8, 2.0 * (1e7 - 2.0)], rtol=1e-8
    )
    gradients, hessians = derivatives(PseudoHuber(2.0, "plain"), scores, target)
    np.testing.assert_allclose(gradients, [1e-4, 2.0], rtol=1e-8)
    np.testing.assert_allclose(hessians, [1.0, (2.0 / 1e7) ** 3], rtol=1e-8)
    _, hessians = derivatives(PseudoHuber(2.0), scores, target)
    np.testing.assert_allclose(hessians, [1.0, 2.0 / 1e7], rtol=1e-8)


def test_a_parabola_of_safe_curvature_lies_above_the_loss() -> None:
    random = np.random.default_rng(0)
    target, scores = np.zeros(400), random.normal(scale=5.0, size=400)
    loss = PseudoHuber(0.7)
    gradients, hessians = derivatives(loss, scores, target)
    at = loss.losses(scores[None], target)
    for step in np.linspace(-30.0, 30.0, 61):
        moved = loss.losses((scores + step)[None], target)
        assert (at + gradients * step + 0.5 * hessians * step**2 >= moved * (1.0 - 1e-12)).all()


@pytest.mark.parametrize("delta", [1e-6, 0.1, 1.0, 1e6])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e5])
def test_start_is_the_best_constant_for_any_delta(delta: float, scale: float) -> None:
    random = np.random.default_rng(0)
    target = scale * random.standard_t(1.5, size=301)
    weights = random.gamma(1.0, size=301)
    loss = PseudoHuber(delta)
    start = float(loss.start_scores(target, weights)[0])
    best = total(loss, target, weights, start)
    for step in (1e-2, 1e-5, 1e-8):
        for moved in (start - step * scale, start + step * scale):
            assert total(loss, target, weights, moved) >= best * (1.0 - 1e-14)
    if delta >= 1e6 * scale:  # far beyond the target it is the squared error
        assert start == pytest.approx(np.average(target, weights=weights), abs=1e-4 * scale)


@pytest.mark.parametrize("target", [[3.0], [3.0, 3.0], [-1.0, 1.0], [0.0, 1e250], [-0.0, 0.0]])
def test_start_of_few_rows(target: list[float]) -> None:
    start = PseudoHuber().start_scores(np.array(target), None)[0]
    assert min(target) <= start <= max(target)
    if target == [-1.0, 1.0]:
        assert start == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("recipe", ["auto", "gbm", "histgb", "lightgbm", "xgboost"])
def test_a_target_far_larger_than_delta_is_learned(recipe: str) -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(800, 4))
    y = 300.0 * X[:, 0] + 30.0 * random.standard_t(2.0, size=800)
    regressor = CeibaRegressor(objective="pseudo_huber", recipe=recipe, n_jobs=1)
    if recipe == "xgboost":
        # Second derivatives are too small for its min_child_weight: as in XGBoost, nothing grows.
        regressor.set_params(curvature_rule="safe")
    missed = np.abs(regressor.fit(X, y).predict(X) - y).mean()
    assert missed < 0.6 * np.abs(np.median(y) - y).mean()
