"""Both predictors against the plainest one, for forests of any shape: the same bits."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceiba import _core
from ceiba.testing.forest_strategies import ForestCase, forest_cases
from ceiba.testing.forests import random_forest, random_rows, raw_scores, with_sets


@given(case=forest_cases(), avx2=st.booleans())
def test_predictions_are_those_of_the_reference(case: ForestCase, avx2: bool) -> None:
    before = _core.uses_avx2()
    _core.set_avx2(avx2)
    try:
        forest, expected, leaves = case.forest(), case.scores(), case.leaves()
        n = forest.n_iterations
        for dtype in (np.float64, np.float32):
            X = case.X.astype(dtype)
            if not np.array_equal(X, case.X, equal_nan=True):
                expected, leaves = raw_scores(case.arrays, X, case.n_outputs), None
            for layout in (np.ascontiguousarray(X), np.asfortranarray(X)):
                scores = np.zeros_like(expected)
                forest.add_matrix(layout, scores, 0, n, 1)
                np.testing.assert_array_equal(scores, expected)
                if leaves is not None:
                    np.testing.assert_array_equal(forest.apply_matrix(layout, 0, n, 1), leaves)
        one_by_one = np.zeros_like(case.scores())
        for row in range(min(20, len(case.X))):
            forest.add_matrix(case.X[row : row + 1], one_by_one[row : row + 1], 0, n, 1)
        np.testing.assert_array_equal(one_by_one[:20], case.scores()[:20])
    finally:
        _core.set_avx2(before)


INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"]


@given(case=forest_cases(plain=True, max_trees=6), dtype=st.sampled_from(INTEGERS))
def test_levels_may_have_any_type(case: ForestCase, dtype: str) -> None:
    forest, expected = case.forest(), case.scores()
    columns = case.columns(dtype)
    strided = [np.repeat(column, 3)[::3] for column in columns]
    for given_columns in (columns, strided):
        scores = np.zeros_like(expected)
        forest.add_columns(given_columns, scores, 0, forest.n_iterations, 1)
        np.testing.assert_array_equal(scores, expected)
        few = np.zeros_like(expected[:2])
        forest.add_columns([c[:2] for c in given_columns], few, 0, forest.n_iterations, 1)
        np.testing.assert_array_equal(few, expected[:2])


@given(case=forest_cases(max_rows=50), cuts=st.lists(st.integers(0, 12), max_size=3))
def test_a_forest_is_the_sum_of_its_slices(case: ForestCase, cuts: list[int]) -> None:
    forest = case.forest()
    ends = sorted({0, forest.n_iterations, *(min(cut, forest.n_iterations) for cut in cuts)})
    scores = np.zeros_like(case.scores())
    for begin, end in pairwise(ends):
        part = forest.slice(begin, end)
        part.add_matrix(case.X, scores, 0, end - begin, 1)
        arrays = part.arrays()
        if "set_of_node" in arrays:  # every set is named, the first time in the order of sets
            named = arrays["set_of_node"][arrays["set_of_node"] >= 0].tolist()
            assert list(dict.fromkeys(named)) == list(range(len(arrays["set_offsets"]) - 1))
    np.testing.assert_array_equal(scores, case.scores())


@pytest.mark.parametrize("n_rows", [1, 300])
def test_a_set_with_very_many_levels_and_a_tree_with_very_many_sets(n_rows: int) -> None:
    """More levels than a table of sides may have, beside more sets than planes of a segment."""
    n_levels = [2_000_000, 40]
    for n_leaves in (9, 3000):
        plain = random_forest(0, n_trees=2, n_features=2, n_leaves=n_leaves)
        arrays = with_sets(plain, [40, 40], 1)
        words = np.zeros(n_levels[0] // 64, dtype=np.uint64)
        words[[3, -1]] = 2**63 + 1
        node = int(np.flatnonzero((arrays["set_of_node"] >= 0) & (arrays["feature"] == 0))[0])
        arrays["set_of_node"][node] = len(arrays["set_offsets"]) - 1
        arrays["set_words"] = np.concatenate([arrays["set_words"], words])
        arrays["set_offsets"] = np.append(arrays["set_offsets"], len(arrays["set_words"]))
        forest = _core.Forest(2, 1, arrays)
        X = random_rows(0, n_rows, 2, n_levels)
        X[::2, 0] = 64 * (n_levels[0] // 64) - 1
        scores = np.zeros((n_rows, 1))
        forest.add_matrix(X, scores, 0, 2, 1)
        np.testing.assert_array_equal(scores, raw_scores(arrays, X, 1))
