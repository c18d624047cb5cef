"""Levels: what can be one, their order, and what a file may hold."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceiba.data.levels import are_levels, check_levels, plain_level, plain_levels, sorted_levels
from ceiba.errors import InvalidInputError

VALUES = st.one_of(
    st.text(max_size=3), st.integers(), st.booleans(), st.floats(allow_nan=False), st.none()
)


@pytest.mark.parametrize(
    ("value", "level"),
    [
        ("a", "a"),
        (np.str_("a"), "a"),
        ("", ""),
        (True, True),
        (np.bool_(False), False),
        (2**70, 2**70),
        (np.uint64(2**63), 2**63),
        (3.0, 3),
        (np.float32(2.5), 2.5),
        (-0.0, 0),
        (np.nan, None),
        (np.inf, "inf"),
        (None, None),
        (pd.NA, None),
        (pd.NaT, None),
        (Decimal("1.5"), "1.5"),
        (pd.Interval(0, 1), "(0, 1]"),
        (pd.Timestamp("2024-01-02"), "2024-01-02 00:00:00"),
    ],
)
def test_plain_levels(value: Any, level: Any) -> None:
    found = plain_level(value)
    assert found == level
    assert type(found) is type(level)
    assert plain_levels([value]) == [level]


def test_numbers_come_before_text() -> None:
    given = ["b", 2, None, "a", True, 0.5, "1", 10, False, 1]
    assert sorted_levels(given) == (False, 0.5, 1, 2, 10, "1", "a", "b")
    assert sorted_levels([]) == sorted_levels([None]) == ()


@given(st.lists(VALUES))
def test_sorted_levels_are_levels_in_any_order(values: list[Any]) -> None:
    plain = plain_levels(values)
    levels = sorted_levels(plain)
    assert are_levels(levels)
    assert set(levels) == set(plain) - {None}
    assert sorted_levels(reversed(plain)) == levels


@pytest.mark.parametrize(
    "values", [["b", "a"], ["a", "a"], [1, True], ["a", 1], [None], [np.nan], [np.inf], [[]], [{}]]
)
def test_what_no_file_holds(values: list[Any]) -> None:
    assert not are_levels(values)


def test_fractions_are_no_levels_of_a_listed_column() -> None:
    check_levels((1, 2, "a", True, 2.0), "Column 'a'")
    with pytest.raises(InvalidInputError, match=r"Column 'a' must contain text.*Got 0\.5"):
        check_levels((1, 0.5), "Column 'a'")
