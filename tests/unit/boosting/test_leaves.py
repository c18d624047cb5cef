"""Leaf values come from the gradients as they are, not from the rounded ones of the histograms."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba import CeibaClassifier, Dataset, _core, train
from ceiba.boosting.grow_plan import make_plan
from ceiba.boosting.leaves import fit_leaves
from ceiba.boosting.row_statistics import RowStatistics
from ceiba.parameters.resolving import resolve


def test_leaf_values_are_newton_steps_of_unrounded_gradients() -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=500)
    gradients = random.normal(size=(2, 500)) + x
    hessians = random.uniform(0.1, 1.0, size=(2, 500))
    weights = random.integers(1, 4, size=500).astype(float)
    mapper = _core.BinMapper.find([[x]], weights, 256, 1, 1)
    binned = _core.BinnedMatrix.build(mapper, [[x]], 1)
    parameters = resolve({"reg_lambda": 0.5, "max_leaves": 4})
    statistics = RowStatistics(gradients, hessians, 0.0)
    grower = _core.Grower(
        _core.GrowerTable(binned), make_plan(parameters, weights, 500, 1), weights, 1
    )
    trees = grower.grow(gradients, hessians, 0.0, None, 0)
    fit_leaves(trees, statistics, 0.1)
    scores = np.zeros((2, 500))
    trees.add_to_scores(scores)
    assert trees.n_leaves == [4, 4]
    for k in range(2):
        for value in np.unique(scores[k]):
            leaf = scores[k] == value
            gradient = (weights * gradients[k])[leaf].sum()
            hessian = (weights * hessians[k])[leaf].sum()
            np.testing.assert_allclose(value, -0.1 * gradient / (hessian + 0.5), rtol=1e-12)


@pytest.mark.parametrize("steps", [1, 3])
def test_light_leaves_of_symmetric_trees_take_the_value_above_them(steps: int) -> None:
    """Below min_child_weight; without a penalty they would take steps without bound."""
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 3))
    y = (X[:, 0] + 0.1 * random.normal(size=400) > 1.0).astype(np.float64)
    given = {"objective": "logistic", "grow_policy": "symmetric", "n_jobs": 1, "reg_lambda": 0.0}
    given |= {"n_estimators": 30, "max_depth": 4, "min_samples_leaf": 1, "learning_rate": 0.3}
    given |= {"min_child_weight": 0.5, "leaf_iterations": steps}
    arrays = train(given, Dataset(X, y)).forest.arrays()
    offsets = np.repeat(arrays["tree_offsets"][:-1], np.diff(arrays["tree_offsets"]))
    inner = np.flatnonzero(arrays["feature"] >= 0)
    parent = np.full(len(offsets), -1)
    for side in ("left", "right"):
        parent[offsets[inner] + arrays[side][inner]] = inner
    light = (arrays["cover"] < 0.5) & (parent >= 0)
    assert (light & (arrays["count"] > 0)).sum() > 20
    value = arrays["value"]
    np.testing.assert_array_equal(value[light], value[parent[light]])
    assert (value[~light] != value[parent[~light]]).mean() > 0.5


def test_scores_without_a_penalty_stay_small() -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(1000, 5))
    y = np.digitize(X[:, 0] + 0.2 * random.normal(size=1000), [-0.5, 0.0, 0.5])
    for policy in ("leafwise", "symmetric"):
        fitted = CeibaClassifier(grow_policy=policy, reg_lambda=0.0, n_jobs=1).fit(X, y)
        assert np.abs(fitted.decision_function(X)).max() < 100.0


@pytest.mark.parametrize("steps", [1, 3])
def test_a_share_of_the_hessians_makes_the_same_leaves_light(steps: int) -> None:
    """Of 200 rows with a hessian of 1, a twentieth is ten."""
    random = np.random.default_rng(3)
    X = random.normal(size=(200, 3))
    y = X[:, 0] * X[:, 1] + 0.1 * random.normal(size=200)
    given = {"grow_policy": "symmetric", "max_depth": 4, "n_estimators": 3, "min_samples_leaf": 1}
    given |= {"min_child_weight": 0.0, "reg_lambda": 0.0, "leaf_iterations": steps}
    prints = {
        train({**given, **limit}, Dataset(X, y)).fingerprint()
        for limit in ({"min_weight_fraction_leaf": 0.05}, {"min_child_weight": 10.0})
    }
    assert len(prints) == 1
    assert train(given, Dataset(X, y)).fingerprint() not in prints
