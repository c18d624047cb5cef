"""Canonical rows: a function of the rows and their weights alone."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ceiba.data.read_table import read_table
from ceiba.hybrids.rows import canonical_rows, table_of, values_of

VALUES = np.array([[1.0, np.nan], [2.0, 0.0], [1.0, np.nan], [2.0, -0.0], [3.0, 5.0]])
TARGET = np.array([1.0, 2.0, 1.0, 2.0, 3.0])


def test_equal_rows_become_one_with_the_sum_of_their_weights() -> None:
    rows = canonical_rows(read_table(VALUES), TARGET, None)
    assert rows.n_rows == 3
    assert dict(zip(rows.target.tolist(), rows.weights.tolist(), strict=True)) == {
        1.0: 2.0,
        2.0: 2.0,
        3.0: 1.0,
    }


@given(order=st.permutations(range(5)), counts=st.lists(st.integers(0, 3), min_size=5, max_size=5))
def test_order_does_not_count_and_weights_are_repeats(order: list[int], counts: list[int]) -> None:
    if not any(counts):
        counts[0] = 1
    weights = np.array(counts, dtype=np.float64)
    repeated = np.repeat(np.arange(5), counts)
    shuffled = np.array(order)
    one = canonical_rows(read_table(VALUES), TARGET, weights)
    two = canonical_rows(read_table(VALUES[shuffled]), TARGET[shuffled], weights[shuffled])
    three = canonical_rows(read_table(VALUES[repeated]), TARGET[repeated], None)
    for other in (two, three):
        assert one.values.tobytes() == other.values.tobytes()
        assert one.target.tobytes() == other.target.tobytes()
        assert one.weights.tobytes() == other.weights.tobytes()


def test_rows_that_differ_only_in_their_target_stay_apart() -> None:
    rows = canonical_rows(read_table(np.ones((2, 1))), np.array([0.0, 1.0]), None)
    assert rows.n_rows == 2


def test_values_go_to_the_engine_and_back() -> None:
    table = read_table(VALUES)
    again = values_of(table_of(values_of(table), table.schema))
    np.testing.assert_array_equal(again, VALUES)
