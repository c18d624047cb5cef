"""Buffers for gradients and hessians, as the objective needs them."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba.boosting.row_statistics import RowLoss, empty_statistics
from ceiba.objectives import find_objective


@pytest.mark.parametrize(
    ("name", "n_outputs", "shape", "has_hessians"),
    [
        ("squared_error", 1, (1, 5), False),
        ("logistic", 1, (1, 5), True),
        ("softmax", 3, (3, 5), True),
        ("quantile", 3, (1, 5), False),  # one tree for all levels
    ],
)
def test_shapes(name: str, n_outputs: int, shape: tuple[int, int], has_hessians: bool) -> None:
    statistics = empty_statistics(find_objective(name), n_outputs, 5)
    assert statistics.gradients.shape == shape
    assert (statistics.hessians is not None) == has_hessians
    assert (statistics.constant_hessian > 0) != has_hessians


def test_they_are_filled_in_place() -> None:
    objective = find_objective("logistic")
    statistics = empty_statistics(objective, 1, 2)
    gradients = statistics.gradients
    statistics.fill(RowLoss(objective, np.array([0.0, 1.0]), 1), np.zeros((1, 2)))
    assert statistics.gradients is gradients
    np.testing.assert_array_equal(gradients, [[0.5, -0.5]])
    np.testing.assert_array_equal(statistics.hessians, [[0.25, 0.25]])


@pytest.mark.parametrize("name", ["squared_error", "logistic"])
def test_they_move_as_the_quadratic_does(name: str) -> None:
    objective, target = find_objective(name), np.array([0.0, 1.0])
    statistics, there = (empty_statistics(objective, 1, 2) for _ in range(2))
    step = 1e-4 * np.array([[1.0, -2.0]])
    loss = RowLoss(objective, target, 1)
    statistics.fill(loss, np.zeros((1, 2)))
    before = None if statistics.hessians is None else statistics.hessians.copy()
    statistics.move(step)
    there.fill(loss, step)
    np.testing.assert_allclose(statistics.gradients, there.gradients, rtol=1e-7)
    if before is not None:
        np.testing.assert_array_equal(statistics.hessians, before)
