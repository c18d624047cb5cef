"""Noise moves splits, and never the gain that a split is worth."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba.testing.reference import Plan
from ceiba.testing.strategies import Case

random = np.random.default_rng(6)
X = random.normal(size=(400, 3))
GRADIENTS = (X[:, 0] + 0.9 * X[:, 1])[None].copy()


def root(noise: float, round: int = 0, **plan: object) -> tuple[int, float]:
    case = Case(X, GRADIENTS, None, 1.0, None, None, Plan(**plan), 32, round, 1.0, noise)
    arrays = case.grow(case.bin_mapper()).arrays()
    return int(arrays["feature"][0]), float(arrays["gain"][0])


@pytest.mark.parametrize("policy", ["leafwise", "symmetric"])
def test_no_noisy_split_gains_more_than_the_best(policy: str) -> None:
    column, best = root(0.0, grow_policy=policy, max_depth=1)
    noisy = [root(50.0, round, grow_policy=policy, max_depth=1) for round in range(20)]
    assert column == 0
    assert {own for own, _ in noisy} >= {0, 1}
    assert all(gain <= best for _, gain in noisy)


def test_the_cosine_without_weights_agrees_with_the_gain() -> None:
    assert root(0.0, max_leaves=2) == root(0.0, max_leaves=2, score="cosine")
