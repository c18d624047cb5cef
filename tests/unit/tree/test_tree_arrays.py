"""The arrays of trees: one list of them, trees joined and cut, sets numbered anew."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from ceiba import _core
from ceiba.errors import ModelFileError
from ceiba.testing.forests import (
    random_forest,
    random_rows,
    raw_scores,
    with_linear_leaves,
    with_sets,
)

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
    grown = _core.Grower(_core.GrowerTable(binned), _core.GrowPlan(), None, 1).grow(
        gradients, None, 1.0, None, 0
    )
    _core.fit_constant_leaves(grown, gradients, None, 1.0, 0.1)
    return grown


def test_a_forest_has_the_arrays_of_the_list() -> None:
    plain = random_forest(0, n_features=3)
    types, of_sets = _core.tree_array_types(), _core.tree_array_types("sets")
    assert {name: array.dtype.name for name, array in plain.items()} == types
    assert list(_core.Forest(3, 1, plain).arrays()) == list(types)
    sets = _core.Forest(3, 1, with_sets(plain, (9, 0, 70))).arrays()
    assert {name: array.dtype.name for name, array in sets.items()} == types | of_sets
    lines = _core.Forest(3, 1, with_linear_leaves(plain, 3)).arrays()
    assert {name: array.dtype.name for name, array in lines.items()} == (
        types | _core.tree_array_types("linear")
    )
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


def linear_parts_of_nodes(arrays: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the terms of each node."""
    names = ("feature", "slope", "mean", "low", "high")
    terms = list(zip(*(arrays[f"linear_{name}"].tolist() for name in names), strict=True))
    return [tuple(terms[begin:end]) for begin, end in pairwise(arrays["linear_offsets"])]


@pytest.mark.parametrize("leaf_width", [1, 3])
@pytest.mark.parametrize("extrapolates", [False, True])
def test_lines_are_cut_and_joined_with_their_nodes(leaf_width: int, extrapolates: bool) -> None:
    plain = random_forest(4, n_features=3, n_trees=12, leaf_width=leaf_width)
    arrays = with_linear_leaves(plain, 3, 4, extrapolates=extrapolates)
    forest = _core.Forest(3, 3, arrays)
    per_round = forest.trees_per_iteration
    for begin, end in ((0, 1), (1, 4), (2, forest.n_iterations)):
        part = forest.slice(begin, end).arrays()
        first, last = arrays["tree_offsets"][[begin * per_round, end * per_round]]
        assert str(linear_parts_of_nodes(part)) == str(linear_parts_of_nodes(arrays)[first:last])
        assert ("linear_extrapolates" in part) == extrapolates
    # One tree for each output where trees of one output are put behind them.
    if leaf_width == 1:
        joined = _core.Forest.from_grown([grown_tree()] * 3, 3, 3, forest)
        n_new = 3 * len(grown_tree().arrays()["feature"])
        expected = linear_parts_of_nodes(arrays) + [()] * n_new
        assert str(linear_parts_of_nodes(joined.arrays())) == str(expected)
    else:
        joined = _core.Forest.from_grown([grown_tree()] * 3, 3, 3, forest)
        assert joined.leaf_width == 1
        found = np.zeros((len(X), 3))
        joined.add_matrix(X, found, 0, 12, 1)
        np.testing.assert_array_equal(found, raw_scores(arrays, X, 3))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"linear_offsets": lambda a: a[:-1]}, "contain the end of each node"),
        ({"linear_offsets": lambda a: a + 1}, "must start with 0"),
        ({"linear_offsets": lambda a: np.where(np.arange(len(a)) == 3, 99, a)}, "not decrease"),
        ({"linear_offsets": lambda a: np.r_[a[:-1], a[-1] + 1]}, "end with the number of terms"),
        ({"linear_feature": lambda a: a + 3}, "but there are 3"),
        ({"linear_feature": lambda a: -1 - a}, "but there are 3"),
        ({"linear_feature": lambda a: a * 0}, "a later column"),
        ({"linear_slope": lambda a: a[:-1]}, "for each of the"),
        ({"linear_slope": lambda a: a * np.inf}, "slope that is not finite"),
        ({"linear_slope": lambda a: a * 1e301}, "may overflow"),
        ({"linear_mean": lambda a: a + 1e6}, "mean within its finite range"),
        ({"linear_low": lambda a: a * np.nan}, "mean within its finite range"),
        ({"linear_high": lambda a: a + np.inf}, "mean within its finite range"),
        ({"linear_mean": lambda a: a.astype(np.float32)}, "wrong type"),
        ({"linear_low": None}, "no array called linear_low"),
    ],
)
def test_lines_that_are_none(change: dict[str, Any], message: str) -> None:
    arrays = with_linear_leaves(random_forest(5, n_features=3), 3)
    for name, make in change.items():
        if make is None:
            del arrays[name]
        else:
            dtype = arrays[name].dtype
            arrays[name] = make(arrays[name])
            arrays[name] = arrays[name] if message == "wrong type" else arrays[name].astype(dtype)
    with pytest.raises(ModelFileError, match=message):
        _core.Forest(3, 1, arrays)


def test_lines_belong_to_leaves_and_numbers() -> None:
    arrays = with_linear_leaves(random_forest(5, n_features=3), 3)
    counts = np.diff(arrays["linear_offsets"])
    moved = np.r_[0, np.cumsum(np.r_[counts[1:], counts[:1]])]
    with pytest.raises(ModelFileError, match="is a split with a linear part"):
        _core.Forest(3, 1, arrays | {"linear_offsets": moved})
    by_set = with_linear_leaves(with_sets(random_forest(5, n_features=3), (9, 0, 0)), 3)
    with pytest.raises(ModelFileError, match="categorical column"):
        _core.Forest(3, 1, by_set)
    extrapolating = random_forest(5) | {"linear_extrapolates": np.array([1], dtype=np.int32)}
    with pytest.raises(ModelFileError, match="no terms"):
        _core.Forest(5, 1, extrapolating)
