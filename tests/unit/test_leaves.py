"""Leaf values come from the gradients as they are, not from the rounded ones of the histograms."""

from __future__ import annotations

import numpy as np

from ceiba import _core
from ceiba.growing import RowStatistics, grow_trees, make_grower
from ceiba.leaves import fit_leaves
from ceiba.resolving import resolve


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
    trees = grow_trees(make_grower(binned, parameters, weights, 1), statistics, None, 0)
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
