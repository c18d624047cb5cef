"""Category sets as bit masks, and linear parts of leaves."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba.model.tree_parts import CategorySets, LinearLeaves


@pytest.mark.parametrize("levels", [[], [0], [63], [64], [5, 1, 200], list(range(130))])
def test_sets_hold_their_levels(levels: list[int]) -> None:
    sets = CategorySets.from_levels([None, levels, None, [2]])
    assert sets.set_of_node.tolist() == [-1, 0, -1, 1]
    assert sets.levels == [sorted(levels), [2]]
    assert sets.levels_at(1) == sorted(levels)
    assert sets.levels_at(0) is None
    assert sets.words.dtype == np.uint64
    assert len(sets.words) == (max(levels) // 64 + 1 if levels else 0) + 1


def test_sets_of_some_nodes() -> None:
    sets = CategorySets.from_levels([None, [1], None, [2]])
    assert sets.of_nodes(slice(2, 3)) is None
    part = sets.of_nodes(slice(2, 4))
    assert part is not None
    assert part.levels_at(1) == [2]
    joined = CategorySets.joined([None, part], [3, 2])
    assert joined is not None
    assert [joined.levels_at(node) for node in range(5)] == [None, None, None, None, [2]]
    assert CategorySets.joined([None, None], [1, 1]) is None
    assert CategorySets.from_levels([None]).to_arrays() == {}


def test_linear_parts_of_some_nodes() -> None:
    numbers = np.arange(3.0)
    linear = LinearLeaves(
        offsets=np.array([0, 0, 2, 3]),
        feature=np.array([0, 4, 1], dtype=np.int32),
        slope=np.array([[1.0], [2.0], [3.0]]),
        mean=numbers,
        low=numbers - 1,
        high=numbers + 1,
        extrapolates=True,
    )
    assert linear.n_terms.tolist() == [0, 2, 1]
    assert linear.of_nodes(slice(0, 1)) is None
    last = linear.of_nodes(slice(2, 3))
    assert last is not None
    assert (last.feature.tolist(), last.extrapolates) == ([1], True)
    doubled = linear.scaled(np.array([5.0, 2.0, 3.0]))
    assert doubled.slope.tolist() == [[2.0], [4.0], [9.0]]
    joined = LinearLeaves.joined([last, None, linear], [1, 2, 3])
    assert joined is not None
    assert joined.offsets.tolist() == [0, 1, 1, 1, 1, 3, 4]
    assert joined.feature.tolist() == [1, 0, 4, 1]
    assert joined.to_arrays()["linear_extrapolates"].tolist() == [1]
    assert (
        LinearLeaves.joined(
            [None],
            [4],
        )
        is None
    )
