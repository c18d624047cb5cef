"""Missing values of columns that had none at first: they go to the child with more weight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import Dataset, _core, train

POLICIES = ["leafwise", "depthwise", "symmetric"]
METHODS = ["hist", "approx", "exact"]


@pytest.mark.parametrize("scale", [1.0, 0.5])
@pytest.mark.parametrize("policy", POLICIES)
def test_they_go_to_the_heavier_child(scale: float, policy: str) -> None:
    # 60 light rows against 40 that weigh 21 times as much, as whole numbers and as fractions.
    x = np.repeat([0.0, 1.0], [60, 40])
    weights = scale * np.where(x == 0, 1.0, 21.0)
    mapper = _core.BinMapper.find([[x]], None, 256, 1, 1)
    table = _core.BinnedMatrix.build(mapper, [[x]], 1)
    plan = _core.GrowPlan(grow_policy=policy, max_leaves=2, max_depth=1)
    grower = _core.Grower(_core.GrowerTable(table), plan, weights, 1)
    trees = grower.grow(np.where(x == 0, 1.0, -1.0)[None].copy(), None, 1.0, None, 0)
    assert trees.arrays()["missing_left"][0] == 0


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("counted", [True, False])
def test_hessians_are_no_weights(counted: bool, method: str, policy: str) -> None:
    """Rows that are sure have small hessians and weigh as much as others."""
    random = np.random.default_rng(0)
    X = random.normal(size=(800, 3))
    y = (X[:, 0] + 0.3 * random.normal(size=800) > 1.5).astype(np.float64)
    given: dict[str, Any] = {
        "objective": "logistic",
        "grow_policy": policy,
        "split_method": method,
        "n_estimators": 20,
        "max_depth": 3,
        "min_samples_leaf": 1,
        "min_child_weight": 0.0,
        "reg_lambda": 0.0,
        "weighted_counts": counted,
        "leaf_iterations": 1,
        "n_jobs": 1,
    }
    directions = []
    for weight in (None, 2.0, 1.5):
        weights = None if weight is None else np.full(800, weight)
        arrays = train(given, Dataset(X, y, weight=weights)).forest.arrays()
        directions.append(arrays["missing_left"].tolist())
        offsets = np.repeat(arrays["tree_offsets"][:-1], np.diff(arrays["tree_offsets"]))
        inner = np.flatnonzero(arrays["feature"] >= 0)
        if policy != "symmetric":
            left, right = (
                arrays["count"][offsets[inner] + arrays[side][inner]] for side in ("left", "right")
            )
            assert (arrays["missing_left"][inner] == (left >= right)).all()
    if method != "approx":  # candidates that are weighted with other bits may differ
        assert directions[0] == directions[1] == directions[2]


def test_a_level_of_a_symmetric_tree_has_one_direction() -> None:
    random = np.random.default_rng(1)
    X = random.normal(size=(400, 2))
    y = X[:, 0] * X[:, 1]
    given = {"grow_policy": "symmetric", "max_depth": 3, "n_estimators": 1, "n_jobs": 1}
    weights = random.gamma(0.3, size=400)
    model = train(given, Dataset(X, y, weight=weights))
    arrays = model.forest.arrays()
    level = [1, 2]
    assert len(set(arrays["missing_left"][level].tolist())) == 1
    thresholds, features = arrays["threshold"][level], arrays["feature"][level]
    assert thresholds[0] == thresholds[1]
    assert features[0] == features[1]
    left = weights[X[:, features[0]] <= thresholds[0]].sum()
    assert bool(arrays["missing_left"][1]) == (2 * left >= weights.sum())
