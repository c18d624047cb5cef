"""Scores in two doubles: trees are taken out as if they had never been put in."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ceiba import _core
from ceiba.errors import CeibaError


def test_sums_do_not_drift() -> None:
    random = np.random.default_rng(0)
    n_rows, n_trees = 50, 40
    leaves = [random.integers(0, 7, n_rows).astype(np.uint8) for _ in range(n_trees)]
    values = [random.normal(size=7) * 10.0 ** random.integers(-8, 8) for _ in range(n_trees)]
    high, low = random.normal(size=n_rows), np.zeros(n_rows)
    expected = [Fraction(score) for score in high]
    inside: set[int] = set()
    for _ in range(3000):
        tree = int(random.integers(n_trees))
        factor = -1.0 if tree in inside else 1.0
        inside ^= {tree}
        _core.add_leaves(high, low, [leaves[tree]], [values[tree]], [factor], 2)
    for row in range(n_rows):
        exact = expected[row] + sum(Fraction(values[t][leaves[t][row]]) for t in inside)
        assert high[row] == float(exact)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_several_trees_at_once_are_added_in_their_order(dtype: type) -> None:
    random = np.random.default_rng(1)
    leaves = [random.integers(0, 5, 3000).astype(dtype) for _ in range(3)]
    values = [random.normal(size=5) for _ in range(3)]
    start = random.normal(size=3000)
    found = start.copy(), np.zeros(3000)
    _core.change_settings(chunk_rows=100, serial_below=0)
    _core.add_leaves(*found, leaves, values, [1.0, -1.0, 1.0], 3)
    exact = [
        Fraction(s) + Fraction(values[0][a]) - Fraction(values[1][b]) + Fraction(values[2][c])
        for s, a, b, c in zip(start, *leaves, strict=True)
    ]
    np.testing.assert_array_equal(found[0], [float(one) for one in exact])


def test_what_is_wrong_is_told() -> None:
    high, low = np.zeros(3), np.zeros(3)
    one, values = np.array([0, 1, 2], dtype=np.uint8), np.zeros(2)
    with pytest.raises(CeibaError, match="nodes of their trees"):
        _core.add_leaves(high, low, [one], [values], [1.0], 1)
    with pytest.raises(CeibaError, match="unsigned integers"):
        _core.add_leaves(high, low, [one.astype(np.int64)], [values], [1.0], 1)
    with pytest.raises(CeibaError, match="for each tree"):
        _core.add_leaves(high, low, [one], [values], [], 1)


@pytest.mark.parametrize("max_leaves", [8, 200])
def test_grown_trees_tell_the_leaves_of_all_rows(max_leaves: int) -> None:
    """Of those too that were not sampled, and of other tables."""
    random = np.random.default_rng(2)
    X = random.normal(size=(3000, 3))
    columns = [[X[:, j]] for j in range(3)]
    mapper = _core.BinMapper.find(columns, None, 256, 1, 1)
    binned = _core.BinnedMatrix.build(mapper, columns, 2)
    plan = _core.GrowPlan(max_leaves=max_leaves, min_samples_leaf=2)
    grower = _core.Grower(_core.GrowerTable(binned), plan, None, 2)
    rows = np.arange(0, 3000, 2, dtype=np.int32)
    trees = grower.grow(random.normal(size=(2, 3000)), None, 1.0, rows, 0)
    leaves = np.asarray(trees.leaves())
    assert leaves.dtype == (np.uint8 if max_leaves == 8 else np.uint16)
    forest = _core.Forest.from_grown([trees], 3, 2)
    np.testing.assert_array_equal(leaves.T, forest.apply_matrix(X, 0, 1, 1))
    np.testing.assert_array_equal(trees.leaves(binned), leaves)
