"""Errors of rows, by their definitions."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba.hybrids.row_losses import classification_losses, regression_losses

TARGET = np.array([0.0, 2.0, 5.0])
PREDICTED = np.array([1.0, -1.0, 4.0])


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        ("linear", [-1.0, 3.0, 1.0]),
        ("squared", [1.0, 9.0, 1.0]),
        ("exponential", 1 - np.exp([-1.0, -3.0, -1.0])),
        ("poisson", [1.0, 1e-6 - 2 * np.log(1e-6), 4 - 5 * np.log(4.0)]),
    ],
)
def test_numbers(loss: str, expected: object) -> None:
    np.testing.assert_allclose(regression_losses(loss, TARGET, PREDICTED), expected)


def test_classes() -> None:
    probabilities = np.array([[0.6, 0.4], [0.9, 0.1]])
    target = np.array([0.0, 1.0])
    assert classification_losses("error", target, probabilities).tolist() == [0.0, 1.0]
    expected = -np.log([0.6, 0.1])
    np.testing.assert_allclose(classification_losses("log_loss", target, probabilities), expected)
