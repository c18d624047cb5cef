"""Exact splits are the best of all thresholds, whatever bins stay closed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ceiba import _core

Reals = NDArray[np.float64]
N_ROWS = 600


def best_gain(
    gradients: Reals, reg_lambda: float, reg_alpha: float, limit: float, penalized: bool
) -> float:
    """Return the largest gain of all thresholds between rows that stand in order; hessians are 1.

    The first and last three rows stay on their sides.
    """

    def score(gradient: Reals, hessian: Reals) -> Reals:
        shrunk = np.sign(gradient) * np.maximum(np.abs(gradient) - reg_alpha, 0.0)
        step = np.clip(-shrunk / (hessian + reg_lambda), -limit, limit)
        penalty = 2 * reg_alpha * np.abs(step) if penalized else 0.0
        return np.asarray(-(2 * gradient * step + (hessian + reg_lambda) * step**2 + penalty))

    total = np.array([gradients.sum()]), np.array([float(len(gradients))])
    left = np.cumsum(gradients)[2:-3], np.arange(3.0, len(gradients) - 2)
    gains = score(*left) + score(total[0] - left[0], total[1] - left[1]) - score(*total)
    return float(gains.max())


def one_split(plan: _core.GrowPlan) -> _core.Grower:
    """Return an exact grower on one column, whose rows stand in order."""
    table = [[np.arange(float(N_ROWS))]]
    mapper = _core.BinMapper.find(table, None, 256, 1, 1)
    binned = _core.BinnedMatrix.build(mapper, table, 1)
    return _core.Grower(
        _core.GrowerTable(binned, _core.RankedColumns.build(table, 1)), plan, None, 1
    )


def noisy_step(seed: int) -> Reals:
    """Return gradients of two levels, much noisier than the step between them."""
    random = np.random.default_rng(seed)
    steps = np.where(np.arange(N_ROWS) < random.integers(50, 550), 0.15, -0.15)
    return np.asarray(steps + random.normal(size=N_ROWS))


@pytest.mark.parametrize("policy", ["depthwise", "symmetric"])
@pytest.mark.parametrize("penalized", [True, False])
@pytest.mark.parametrize(
    "rules", [{"max_delta_step": 0.2}, {"max_delta_step": 1.0}, {"monotone": [1]}], ids=str
)
def test_the_best_threshold_is_found_within_bounds(
    rules: dict[str, Any], penalized: bool, policy: str
) -> None:
    given = {"reg_lambda": 1.0, "reg_alpha": 8.0, **rules}
    columns = _core.ColumnConstraints(monotone=given.pop("monotone", []))
    plan = _core.GrowPlan(
        grow_policy=policy,
        max_depth=1,
        max_leaves=0,
        min_samples_leaf=3,
        penalize_bounded=penalized,
        columns=columns,
        **given,
    )
    grower = one_split(plan)
    for seed in range(20):
        gradients = noisy_step(seed)
        trees = grower.grow(gradients[None, :], None, 1.0, None, 0).arrays()
        limit = rules.get("max_delta_step", np.inf)
        expected = best_gain(gradients, 1.0, 8.0, limit, penalized)
        np.testing.assert_allclose(trees["gain"][0], expected, rtol=1e-6)


@pytest.mark.parametrize("policy", ["depthwise", "symmetric"])
@pytest.mark.parametrize("scale", [1e-140, 1e-130, 1e-60, 1.0, 1e60, 1e130, 1e140])
def test_the_best_threshold_is_found_at_any_scale(scale: float, policy: str) -> None:
    """Bounds multiply hessians, and products of very small or large ones are no numbers."""
    plan = _core.GrowPlan(
        grow_policy=policy, max_depth=1, max_leaves=0, min_samples_leaf=3, min_child_weight=0.0
    )
    grower = one_split(plan)
    for seed in range(10):
        gradients = noisy_step(seed)
        hessians = np.full((1, N_ROWS), scale)
        trees = grower.grow(scale * gradients[None, :], hessians, 0.0, None, 0).arrays()
        expected = best_gain(gradients, 0.0, 0.0, np.inf, True)
        np.testing.assert_allclose(trees["gain"][0] / scale, expected, rtol=1e-6)
