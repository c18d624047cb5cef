"""What trees count: changes by round, as of any round, and files that are damaged."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import _core
from ceiba.errors import InvalidInputError, ModelFileError
from ceiba.model.tree_weights import TreeWeights
from ceiba.testing.forests import random_forest, random_model, random_rows

FOREST = _core.Forest(5, 1, random_forest(1, n_trees=4))
CHANGES = TreeWeights().changed(1, [0], [0.5]).changed(3, [0, 2], [0.25, 0.75])


def test_as_of_any_round() -> None:
    assert CHANGES.as_of(1).tolist() == [1.0]
    assert CHANGES.as_of(2).tolist() == [0.5, 1.0]
    assert CHANGES.as_of(3).tolist() == [0.5, 1.0, 1.0]
    assert CHANGES.as_of(4).tolist() == [0.25, 1.0, 0.75, 1.0]
    assert CHANGES.as_of(5).tolist() == [0.25, 1.0, 0.75, 1.0, 1.0]
    assert len(CHANGES.until(3)) == 1
    assert len(TreeWeights()) == 0


@pytest.mark.parametrize(("n_outputs", "leaf_width"), [(1, 1), (3, 1), (3, 3)])
def test_trees_take_their_weights(n_outputs: int, leaf_width: int) -> None:
    n_trees = 5 * n_outputs // leaf_width
    arrays = random_forest(3, n_trees=n_trees, n_leaves=5, kind="general", leaf_width=leaf_width)
    forest = _core.Forest(5, n_outputs, arrays)
    assert CHANGES.applied(forest, 1) is forest
    weighted = CHANGES.applied(forest, 4).arrays()
    per_iteration = n_trees // 5
    for iteration, factor in enumerate([0.25, 1.0, 0.75, 1.0, 1.0]):
        begin, end = arrays["tree_offsets"][[iteration * per_iteration] * 2]
        end = arrays["tree_offsets"][(iteration + 1) * per_iteration]
        np.testing.assert_array_equal(
            weighted["value"][begin:end], factor * arrays["value"][begin:end]
        )
    assert all(np.array_equal(weighted[name], arrays[name]) for name in arrays if name != "value")


def test_they_survive_a_file() -> None:
    assert TreeWeights().arrays() == {}
    assert len(TreeWeights.from_arrays({}, FOREST)) == 0
    again = TreeWeights.from_arrays(CHANGES.arrays(), FOREST)
    assert again.as_of(4).tolist() == CHANGES.as_of(4).tolist()


@pytest.mark.parametrize(
    "change",
    [
        {"weight_round": np.array([1, 3, 4], dtype=np.int32)},
        {"weight_round": np.array([3, 1, 3], dtype=np.int32)},
        {"weight_tree": np.array([0, 0, -1], dtype=np.int32)},
        {"weight_tree": np.array([2, 0, 2], dtype=np.int32)},
        {"weight_factor": np.array([0.5, 0.25])},
        {"weight_factor": np.array([0.5, 0.25, np.nan])},
        {"weight_factor": None},
    ],
)
def test_damaged_ones_do_not_load(change: dict[str, Any]) -> None:
    arrays = {**CHANGES.arrays(), **change}
    given = {name: array for name, array in arrays.items() if array is not None}
    with pytest.raises(ModelFileError, match="weights of its trees"):
        TreeWeights.from_arrays(given, FOREST)


def test_values_that_they_would_make_infinite_do_not_load() -> None:
    arrays = {**CHANGES.arrays(), "weight_factor": np.array([0.5, 0.25, 1e308])}
    with pytest.raises(ModelFileError):
        TreeWeights.from_arrays(arrays, FOREST)


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("n_leaves", [9, 300])
def test_counted_trees_predict_the_bits_of_trees_that_were_multiplied(
    n_leaves: int, lines: bool
) -> None:
    kept: dict[str, Any] = (
        {"n_outputs": 3, "leaf_width": 3, "objective": "quantile"} if n_leaves == 9 else {}
    )
    model = random_model(
        3, n_features=4, n_iterations=5, n_leaves=n_leaves, n_parallel=2, lines=lines, **kept
    )
    X = random_rows(1, 700, 4)
    for weights in (TreeWeights(mean=True), TreeWeights().changed(3, [0, 2], [0.3, 0.7])):
        forests = [way(model.forest, 4, 1) for way in (weights.applied, weights.counted)]
        for rows in (X, X[:2]):
            scores = [np.zeros((len(rows), model.n_outputs)) for _ in forests]
            for forest, own in zip(forests, scores, strict=True):
                forest.add_matrix(rows, own, 1, 4, 1)
            np.testing.assert_array_equal(*scores)
        shared = np.shares_memory(forests[1].arrays()["gain"], model.forest.arrays()["gain"])
        assert shared == (not lines)


def test_factors_are_one_for_each_iteration() -> None:
    forest = random_model(3, n_features=4, n_iterations=5).forest
    with pytest.raises(InvalidInputError, match=r"a factor for each of the 5 iterations\. Got 4"):
        forest.counting(np.ones(4))
