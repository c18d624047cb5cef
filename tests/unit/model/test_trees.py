"""The typed view of trees, against the arrays of the core."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import _core
from ceiba.errors import CeibaError
from ceiba.model.trees import CategorySets, Trees
from ceiba.testing.forests import random_model

KINDS: dict[str, dict[str, Any]] = {
    "numbers": {},
    "classes": {"objective": "softmax", "n_outputs": 3, "n_parallel": 2},
    "vectors": {"objective": "quantile", "n_outputs": 3, "leaf_width": 3},
    "sets": {"n_levels": (0, 3, 200, 64, 0)},
    "lines": {"lines": True},
    "vectors with lines and sets": {
        "objective": "quantile",
        "n_outputs": 2,
        "leaf_width": 2,
        "n_levels": (0, 70, 3, 0, 0),
        "lines": True,
    },
}


def model_of(kind: str) -> Any:
    return random_model(1, **KINDS[kind])


def same(forest: _core.Forest, other: _core.Forest) -> None:
    arrays, others = forest.arrays(), other.arrays()
    assert arrays.keys() == others.keys()
    for name, array in arrays.items():
        assert array.dtype == others[name].dtype
        np.testing.assert_array_equal(array, others[name], err_msg=name)


@pytest.mark.parametrize("kind", KINDS)
def test_a_view_becomes_the_same_forest(kind: str) -> None:
    forest = model_of(kind).forest
    trees = Trees.of(forest)
    same(trees.to_forest(forest.n_features), forest)
    assert np.shares_memory(trees.value, forest.arrays()["value"])
    assert (trees.n_trees, trees.n_outputs) == (forest.n_trees, forest.n_outputs)
    assert trees.trees_per_iteration == forest.trees_per_iteration
    assert trees.leaf_width == forest.leaf_width


@pytest.mark.parametrize("kind", KINDS)
def test_trees_by_themselves_make_the_forest_again(kind: str) -> None:
    forest = model_of(kind).forest
    trees = Trees.of(forest)
    pieces = [trees.one(tree) for tree in range(trees.n_trees)]
    joined = Trees.joined(pieces, trees.n_outputs, trees.n_parallel)
    again = joined.to_forest(forest.n_features)
    for name in ("tree_offsets", "feature", "threshold", "left", "right", "value", "gain"):
        np.testing.assert_array_equal(again.arrays()[name], forest.arrays()[name])
    for node in range(trees.n_nodes):
        assert joined.levels_at(node) == trees.levels_at(node)
    if trees.linear is not None:
        same(again.slice(0, 1), joined.to_forest(forest.n_features).slice(0, 1))
        np.testing.assert_array_equal(joined.linear.slope, trees.linear.slope)
        np.testing.assert_array_equal(joined.linear.offsets, trees.linear.offsets)
    for piece in pieces:
        piece.to_forest(forest.n_features)  # each of them is a forest


@pytest.mark.parametrize("kind", KINDS)
def test_depths_and_parents(kind: str) -> None:
    trees = Trees.of(model_of(kind).forest)
    parents, depths = trees.parents(), trees.depths()
    roots = parents < 0
    np.testing.assert_array_equal(np.flatnonzero(roots), trees.offsets[:-1])
    assert (depths[roots] == 0).all()
    np.testing.assert_array_equal(depths[~roots], depths[parents[~roots]] + 1)
    splits, left, right = trees.children()
    np.testing.assert_array_equal(parents[left], splits)
    np.testing.assert_array_equal(parents[right], splits)


@pytest.mark.parametrize("kind", KINDS)
def test_weights_scale_what_trees_add(kind: str) -> None:
    model = model_of(kind)
    X = np.abs(np.random.default_rng(0).normal(size=(50, model.n_features))).round()
    forest, n = model.forest, model.forest.n_trees
    halved = Trees.of(forest, np.full(n, 0.5)).weighted().to_forest(forest.n_features)
    scores = [np.zeros((50, forest.n_outputs)) for _ in range(2)]
    for own, of in zip(scores, (forest, halved), strict=True):
        of.add_matrix(X, own, 0, forest.n_iterations, 1)
    np.testing.assert_allclose(scores[1], 0.5 * scores[0], rtol=1e-12)


def test_an_empty_forest() -> None:
    model = random_model(0).truncate(0)
    trees = Trees.of(model.forest)
    assert (trees.n_trees, trees.n_nodes, trees.depths().tolist()) == (0, 0, [])
    same(trees.to_forest(model.n_features), model.forest)


def test_a_forest_made_by_hand_predicts_by_the_rules_of_the_module() -> None:
    # feature 0: x <= 1.5, missing right; then feature 1: levels 0 and 70, missing left.
    trees = Trees(
        n_outputs=1,
        offsets=np.array([0, 5]),
        feature=np.array([0, -1, 1, -1, -1], dtype=np.int32),
        threshold=np.array([1.5, 0.0, 0.0, 0.0, 0.0]),
        left=np.array([1, -1, 3, -1, -1], dtype=np.int32),
        right=np.array([2, -1, 4, -1, -1], dtype=np.int32),
        missing_left=np.array([False, False, True, False, False]),
        value=np.array([[0.0], [1.0], [0.0], [2.0], [4.0]]),
        gain=np.zeros(5),
        cover=np.ones(5),
        count=np.ones(5),
        sets=CategorySets.from_levels([None, None, [0, 70], None, None]),
    )
    X = np.array([[1.5, 9], [2, 0], [2, 70], [2, 1], [2, np.nan], [np.nan, 500], [2, 7.5]])
    scores = np.zeros((len(X), 1))
    trees.to_forest(2).add_matrix(X, scores, 0, 1, 1)
    assert scores[:, 0].tolist() == [1, 2, 2, 4, 2, 4, 4]
    assert trees.features_read() == [0, 1]
    with pytest.raises(CeibaError, match="feature 1"):
        trees.to_forest(1)
