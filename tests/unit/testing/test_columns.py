"""Columns of the reference: hashes and lots."""

from __future__ import annotations

import numpy as np

from ceiba import _core
from ceiba.testing.columns import draw_columns, row_number, sample_columns


def test_hash_is_that_of_the_engine() -> None:
    units = [row_number(7, 3, row) for row in range(20)]
    np.testing.assert_array_equal(units, _core.hash_uniform(7, 3, 20))


def test_columns_are_a_share_of_those_given() -> None:
    columns = list(range(3, 43))
    chosen = sample_columns(columns, 0.3, key=5, stage=1, place=0)
    assert len(chosen) == 12
    assert chosen == sorted(set(chosen) & set(columns))
    assert sample_columns(columns, 0.3, key=6, stage=1, place=0) != chosen
    assert sample_columns(columns, 1.0, key=5, stage=1, place=0) == columns
    assert len(sample_columns([4, 9], 0.1, key=5, stage=1, place=0)) == 1


def test_columns_of_weight_zero_are_drawn_last() -> None:
    weights = (0.0, 1.0, 0.0, 2.0)
    for key in range(20):
        assert draw_columns([0, 1, 2, 3], 2, key, stage=1, place=0, weights=weights) == [1, 3]
    assert len(draw_columns([0, 1, 2, 3], 3, 5, stage=1, place=0, weights=weights)) == 3
