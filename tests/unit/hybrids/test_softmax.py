"""Scores become probabilities without overflow."""

from __future__ import annotations

import numpy as np

from ceiba.hybrids.softmax import softmax


def test_one_score_is_that_of_the_second_class() -> None:
    shares = softmax(np.array([[0.0], [2.0], [-1e5], [1e5]]))
    np.testing.assert_allclose(shares[:, 1], [0.5, 1 / (1 + np.exp(-2.0)), 0.0, 1.0])
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)


def test_several_scores() -> None:
    shares = softmax(np.array([[1.0, 1.0, 1.0], [1e4, 0.0, -1e4]]))
    np.testing.assert_allclose(shares, [[1 / 3] * 3, [1.0, 0.0, 0.0]])
