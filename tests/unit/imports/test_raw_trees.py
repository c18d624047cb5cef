from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from imported_trees import example

from ceiba.errors import ModelFileError
from ceiba.imports import raw_trees
from ceiba.imports.raw_trees import RawTrees, joined_offsets, sets_of_levels, with_mean_values


def test_nodes_are_numbered_anew():
    trees = example().to_trees(1)
    assert trees.offsets.tolist() == [0, 5, 6]
    assert trees.left.tolist() == [1, -1, 3, -1, -1, -1]
    assert trees.right.tolist() == [2, -1, 4, -1, -1, -1]
    assert trees.feature.tolist() == [1, -1, 0, -1, -1, -1]
    assert trees.threshold.tolist() == [0.5, 0, -1.5, 0, 0, 0]
    assert trees.missing_left.tolist() == [True, False, False, False, False, False]
    assert trees.value[:, 0].tolist() == [0, 20, 0, 10, 30, 40]
    assert trees.gain.tolist() == [3, 0, 6, 0, 0, 0]
    assert trees.to_forest(2).n_trees == 2


def test_no_trees():
    empty = RawTrees(
        **{
            name: array[:0]
            for name, array in vars(example()).items()
            if isinstance(array, np.ndarray)
        }
    )
    assert empty.to_trees(1).n_trees == 0


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"left": np.array([-1, -1, -1, 3, -1, -1, 0])}, "reached twice"),
        ({"right": np.array([-1, -1, -1, 6, -1, -1, 0])}, "reached twice"),
        ({"roots": np.array([3, 1])}, "reached twice"),
        ({"right": np.array([-1, -1, -1, 7, -1, -1, 2])}, "out of range"),
        ({"right": np.array([-1, -1, -1, -5, -1, -1, 2])}, "out of range"),
        ({"feature": np.array([9, 9, 9, 2**40, 9, 9, 0])}, "column"),
    ],
)
def test_nodes_that_are_no_trees(changes, what):
    with pytest.raises(ModelFileError, match=what):
        replace(example(), **changes).to_trees(1)


def test_sets_follow_their_nodes():
    sets = sets_of_levels(np.array([-1, -1, -1, 1, -1, -1, 0]), [np.array([2]), np.array([0, 70])])
    trees = replace(example(), sets=sets).to_trees(1)
    assert trees.levels_at(0) == [0, 70]
    assert trees.levels_at(2) == [2]
    assert trees.threshold.tolist() == [0.0] * 6
    assert sets_of_levels(np.array([-1]), []) is None


def test_sets_that_would_need_too_much_memory(monkeypatch):
    monkeypatch.setattr(raw_trees, "_MOST_SET_WORDS", 3)
    sets_of_levels(np.array([0, 1]), [np.array([63]), np.array([127])])
    with pytest.raises(ModelFileError, match="too large"):
        sets_of_levels(np.array([0, 1]), [np.array([64]), np.array([127])])


def test_splits_get_the_mean_of_their_leaves():
    trees = with_mean_values(example().to_trees(1))
    below = (2 * 10 + 1 * 30) / 3
    assert trees.value[:, 0] == pytest.approx([(20 + 3 * below) / 4, 20, below, 10, 30, 40])


def test_offsets():
    assert joined_offsets([]).tolist() == [0]
    assert joined_offsets([2, 0, 3]).tolist() == [0, 2, 2, 5]
