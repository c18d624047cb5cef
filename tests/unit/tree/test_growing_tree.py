"""Nodes of a tree: what children have of their parents."""

from __future__ import annotations

import numpy as np
import pytest
from agreement import check_trees
from hypothesis import given, settings

from ceiba.testing.strategies import Case, cases


def check(case: Case) -> None:
    mapper = case.bin_mapper()
    arrays = case.grow(mapper).arrays()
    check_trees(arrays, case.grow_reference(mapper))
    inner = np.flatnonzero(arrays["left"] >= 0)
    begins = np.repeat(arrays["tree_offsets"][:-1], np.diff(arrays["tree_offsets"]))[inner]
    left, right = begins + arrays["left"][inner], begins + arrays["right"][inner]
    count, cover = arrays["count"], arrays["cover"]
    np.testing.assert_array_equal(count[inner], count[left] + count[right])
    assert cover[left] + cover[right] == pytest.approx(cover[inner], rel=1e-12)


@settings(max_examples=60)
@given(cases(max_trees=1, ruled=True, weight_kinds=("none",)))
def test_children_have_the_rows_of_their_parent(case: Case) -> None:
    check(case)
