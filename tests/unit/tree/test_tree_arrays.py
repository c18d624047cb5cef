"""The arrays of trees: one list of them, trees joined and cut, sets numbered anew."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from ceiba import _core
from ceiba.testing.forests import random_forest, random_rows, raw_scores, with_sets

X = random_rows(0, 200, 3, (9, 0, 70))


def sets_of_nodes(arrays: dict[str, Any]) -> list[tuple[int, ...] | None]:
    """Return the words of the set of each node."""
    words = [
        tuple(arrays["set_words"][begin:end].tolist())
        for begin, end in pairwise(arrays["set_offsets"])
    ]
    return [None if number < 0 else words[number] for number in arrays["set_of_node"]]


def grown_tree() -> _core.GrownTrees:
    columns = [[np.arange(50.0)]] * 3
    mapper = _core.BinMapper.find(columns, None, 16, 1, 1)
    binned = _core.BinnedMatrix.build(mapper, columns, 1)
    gradients = np.linspace(-1.0, 1.0, 50)[None, :].copy()
    grown = _core.Grower(binned, _core.GrowPlan(), None, 1).grow(gradients, None, 1.0, None, 0)
    _core.fit_constant_leaves(grown, gradients, None, 1.0, 0.1)
    return grown


def test_a_forest_has_the_arrays_of_the_list() -> None:
    plain = random_forest(0, n_features=3)
    types, optional = _core.tree_array_types(), _core.tree_array_types(optional=True)
    assert {name: array.dtype.name for name, array in plain.items()} == types
    assert list(_core.Forest(3, 1, plain).arrays()) == list(types)
    sets = _core.Forest(3, 1, with_sets(plain, (9, 0, 70))).arrays()
    assert {name: array.dtype.name for name, array in sets.items()} == types | optional
    assert list(grown_tree().arrays()) == list(types)


def test_trees_without_sets_are_joined_to_trees_with_sets() -> None:
    arrays = with_sets(random_forest(1, n_features=3), (9, 0, 70))
    before, grown = _core.Forest(3, 1, arrays), grown_tree()
    joined = _core.Forest.from_grown([grown], 3, 1, before)
    assert joined.n_trees == 11
    n_new = len(grown.arrays()["feature"])
    assert sets_of_nodes(joined.arrays()) == sets_of_nodes(arrays) + [None] * n_new
    scores = raw_scores(arrays, X, 1)
    scores += raw_scores(grown.arrays(), X, 1)
    found = np.zeros_like(scores)
    joined.add_matrix(X, found, 0, 11, 1)
    np.testing.assert_allclose(found, scores, rtol=1e-12)
    alone = joined.slice(10, 11).arrays()
    assert "set_of_node" not in alone
    for name, array in grown.arrays().items():
        np.testing.assert_array_equal(alone[name], array)


def test_a_slice_has_the_sets_of_its_nodes_alone() -> None:
    arrays = with_sets(random_forest(2, kind="symmetric", n_features=3, n_leaves=8), (9, 0, 70))
    forest = _core.Forest(3, 1, arrays)
    for begin, end in ((0, 3), (4, 10), (9, 10)):
        part = forest.slice(begin, end).arrays()
        first, last = arrays["tree_offsets"][[begin, end]]
        assert sets_of_nodes(part) == sets_of_nodes(arrays)[first:last]
        named = part["set_of_node"][part["set_of_node"] >= 0].tolist()
        assert list(dict.fromkeys(named)) == list(range(len(part["set_offsets"]) - 1))
        assert len(named) > len(set(named))  # the nodes of a level share theirs


@pytest.mark.parametrize("leaf_width", [1, 3])
def test_values_are_cut_with_their_nodes(leaf_width: int) -> None:
    arrays = random_forest(3, n_features=3, n_trees=12, leaf_width=leaf_width)
    forest = _core.Forest(3, 3, arrays)
    assert (forest.leaf_width, forest.trees_per_iteration) == (leaf_width, 3 // leaf_width)
    assert forest.n_iterations == 12 // forest.trees_per_iteration
    first, last = arrays["tree_offsets"][[forest.trees_per_iteration, 12]]
    part = forest.slice(1, forest.n_iterations).arrays()
    np.testing.assert_array_equal(part["value"], arrays["value"][first:last])
    assert forest.slice(0, 0).leaf_width == 1
