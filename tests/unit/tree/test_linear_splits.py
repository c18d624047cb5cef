"""The model that linear splits begin with, and how many regressors nodes may have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import Dataset, train

random = np.random.default_rng(3)
X = random.normal(size=(600, 4))
Y = 3 * X[:, 0] - 2 * X[:, 1] + 0.01 * random.normal(size=600)


def model_of(**given: Any) -> Any:
    settings = {"n_estimators": 1, "learning_rate": 1.0, "leaf_model": "linear"}
    return train({**settings, "linear_fit": "gain", "linear_lambda": 1e-3, **given}, Dataset(X, Y))


def error(model: Any) -> float:
    return float(np.sqrt(np.mean((model.predict(X) - Y) ** 2)))


def test_given_regressors_leave_little_to_split() -> None:
    """The root begins with the ridge of its regressors."""
    with_both = model_of(linear_features=[0, 1], max_leaves=2)
    assert error(with_both) < 0.1
    assert error(with_both) < error(model_of(linear_features=[2, 3], max_leaves=2)) / 10


@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
def test_every_policy_learns_slopes(policy: str) -> None:
    constant = train({"n_estimators": 1, "learning_rate": 1.0, "max_leaves": 8}, Dataset(X, Y))
    assert error(model_of(grow_policy=policy, max_depth=3, max_leaves=8)) < error(constant) / 2
