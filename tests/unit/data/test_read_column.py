"""What a column of numpy is, and what is made of it."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ceiba.data.categories import Coded
from ceiba.data.read_column import How, ReadColumn, is_missing, read_array_column, read_each
from ceiba.errors import InvalidInputError, InvalidTypeError


def objects(*values: Any) -> Any:
    column = np.empty(len(values), dtype=object)
    column[:] = list(values)
    return column


def read(values: Any, how: How = "auto") -> ReadColumn:
    return read_array_column(np.asarray(values), "Column 'a'", how)


def decoded(column: ReadColumn) -> list[Any]:
    assert isinstance(column.values, Coded)
    codes, values = column.values.codes.tolist(), column.values.values
    return [None if code < 0 or is_missing(values[code]) else values[code] for code in codes]


@pytest.mark.parametrize(
    ("values", "kind", "read_as"),
    [
        (np.array([1, 2]), "numeric", [1, 2]),
        (np.array([True, False]), "numeric", [1, 0]),
        (objects(1, None, 2.5), "numeric", [1, np.nan, 2.5]),
        (objects(True, None, pd.NA), "numeric", [1, np.nan, np.nan]),
        (np.array(["1970-01-03"], dtype="M8[D]"), "date", [2]),
        (objects(dt.date(1970, 1, 2), None, np.nan, pd.NaT), "date", [1] + [np.nan] * 3),
        (objects(dt.timedelta(hours=12)), "duration", [0.5]),
    ],
)
def test_numbers_and_days(values: Any, kind: str, read_as: list[float]) -> None:
    column = read(values)
    assert column.kind == kind
    np.testing.assert_array_equal(column.values, read_as)


@pytest.mark.parametrize(
    "values", [np.array(["b", "a"]), objects("b", "a"), objects("b", "a", None)]
)
def test_text(values: Any) -> None:
    column = read(values)
    assert column.kind == "category"
    assert decoded(column) == list(values)
    with pytest.raises(InvalidInputError, match="Column 'a' must be numbers"):
        read(values, "numbers")


@pytest.mark.parametrize(
    "values",
    [
        np.array([3, 1], dtype=np.int8),
        np.array([2**63, 2**63 + 1], dtype=np.uint64),
        np.array([True, False]),
        np.array([3.0, 1.0]),
        objects(2**70, None, 1),
        objects(True, False, None),
        objects("a", None),
    ],
)
def test_categories_that_are_asked_for(values: Any) -> None:
    column = read(values, "category")
    assert column.kind == "category"
    assert decoded(column) == values.tolist()


@pytest.mark.parametrize("how", ["auto", "category"])
def test_mixed_columns(how: How) -> None:
    with pytest.raises(InvalidInputError, match=r"one type. Got 'b' \(text\) and 1"):
        read(objects(None, 1, "b"), how)
    with pytest.raises(InvalidInputError, match=r"one type|Got dates"):
        read(objects(dt.date(2020, 1, 1), 0.5), how)


@pytest.mark.parametrize(
    "values",
    [np.array(["2020-01-01"], dtype="M8[s]"), objects(dt.date(2020, 1, 1)), np.array([3], "m8[h]")],
)
def test_days_are_no_category(values: Any) -> None:
    with pytest.raises(InvalidInputError, match=r"to be a category. Got (dates|durations)\."):
        read(values, "category")


def test_other_values() -> None:
    with pytest.raises(InvalidTypeError, match=r"not 'dict'. Convert the column to numbers"):
        read(objects({}))
    with pytest.raises(InvalidInputError, match="Decode bytes"):
        read(objects(b"a"))
    with pytest.raises(InvalidInputError, match="2\\^53") as caught:
        read(objects(2**70))
    assert "Convert the column" not in str(caught.value)


def test_all_that_fail_are_named() -> None:
    given = [(objects("a", 1), "Column 'a'", "auto"), (objects({}), "Column 'b'", "auto")]
    with pytest.raises(
        InvalidInputError, match=r"(?s)2 columns are not readable.*- Column 'a'.*- Column 'b'"
    ):
        read_each(read_array_column, given)
    with pytest.raises(InvalidTypeError, match=r"^Column 'b'"):
        read_each(read_array_column, given[1:])
    assert read_each(read_array_column, []) == []


def test_a_category_without_rows() -> None:
    column = read(objects(), "category")
    assert isinstance(column.values, Coded)
    assert column.values.codes.dtype.kind == "i"  # places to take levels from
    assert len(column.values.codes) == 0
