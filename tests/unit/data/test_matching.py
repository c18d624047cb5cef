"""Columns of one table as the schema of another has them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ceiba import CeibaRegressor
from ceiba.data.categories import Coded
from ceiba.data.matching import (
    coded_levels,
    joined_columns,
    matched,
    matches,
    numbers_of,
    warn_of_kinds,
)
from ceiba.data.read_table import read_table
from ceiba.data.schema import Schema
from ceiba.errors import InvalidInputError

DATES = pd.to_datetime(["2020-01-01", "2020-01-02"])


def table(values: Any, **given: Any) -> Any:
    return read_table(pd.DataFrame({"a": values}), **given)


def as_in(values: Any, other: Any) -> Any:
    """A column of one table, as the table of other values has it."""
    own, schema = table(values), other if isinstance(other, Schema) else table(other).schema
    return matched(own.columns[0][0], own.schema, schema, 0)


def test_levels_are_matched_by_value() -> None:
    np.testing.assert_array_equal(
        as_in(["c", "b", None, "zz"], ["a", "b", "c"]), [2, 1] + [np.nan] * 2
    )
    same = table(["a", "b"])
    column = same.columns[0][0]
    assert matched(column, same.schema, table(["b", "a"]).schema, 0) is column
    assert matches(same.schema, table(["b", "a"]).schema)
    assert not matches(same.schema, table(["b", "c"]).schema)
    assert not matches(same.schema, table([1.0]).schema)


def test_numbers_may_be_levels_and_levels_numbers() -> None:
    ints = table([5, 7], categorical=["a"]).schema
    np.testing.assert_array_equal(as_in([7.0, 5.0, np.nan, 6.0], ints), [1, 0, np.nan, np.nan])
    np.testing.assert_array_equal(as_in(pd.Categorical([7, 5, None]), [0.5]), [7, 5, np.nan])
    with pytest.raises(InvalidInputError, match=r"'a' must be numbers, as in .*Got text \('x'\)"):
        as_in(["x"], [0.5])
    unused = Coded(np.array([1, -1]), ["text", 2])  # of a dictionary whose text no row has
    np.testing.assert_array_equal(numbers_of(unused, table([0.5]).schema, 0), [2, np.nan])


def test_new_levels_are_refused_where_that_was_asked() -> None:
    strict = Schema(("a",), True, ("category",), levels=(("a", "b"),), unseen="error")
    np.testing.assert_array_equal(as_in(["b", None], strict), [1, np.nan])
    with pytest.raises(InvalidInputError, match=r"'a' contains categories .*'c'"):
        as_in(["b", "c"], strict)


def test_days_stay_days() -> None:
    np.testing.assert_array_equal(as_in([3.0], DATES), [3.0])
    np.testing.assert_array_equal(as_in(DATES[:1] - DATES[0], DATES - DATES[0]), [0.0])
    np.testing.assert_array_equal(as_in(pd.to_datetime([None]), [0.5]), [np.nan])
    for values, other, message in (
        (DATES, [0.5], "must be numbers, as .* Got dates"),
        (DATES - DATES[0], DATES, "must be dates, as .* Got durations"),
        (["x"], DATES, "must be dates, as .* Got text"),
    ):
        with pytest.raises(InvalidInputError, match=message):
            as_in(values, other)


def test_codes_of_levels() -> None:
    coded = coded_levels(np.array([1.0, np.nan, 0.0]), ("a", "b"))
    assert coded.codes.tolist() == [1, -1, 0]


def joined(*columns: Any, categorical: Any = "auto") -> Schema:
    tables = [table(values, categorical=categorical) for values in columns]
    return joined_columns([t.schema for t in tables], [t.columns for t in tables])


def test_one_dictionary_over_all() -> None:
    assert joined(["b", None], ["c", "a"], ["b"]).levels == (("a", "b", "c"),)
    assert joined(pd.Categorical([5, 2]), [3, 2]).levels == ((2, 3, 5),)
    assert joined([None, None], ["a"]).levels == (("a",),)
    assert joined([np.nan, np.nan], ["a"]).levels == (("a",),)
    assert joined([1.0], [2.0]).kinds == ("numeric",)
    assert joined([1.0], DATES).kinds == ("date",)
    for columns, message in (
        ((["a"], [1.0]), "'a' must have one type in all blocks. Got numbers and text"),
        ((["a"], DATES), "Got a category and dates"),
        ((DATES, DATES - DATES[0]), "Got dates and durations"),
    ):
        with pytest.raises(InvalidInputError, match=message):
            joined(*columns)


def test_other_kinds_are_told() -> None:
    text, ints = table(["a", "b"]).schema, table([1, 2], categorical=["a"]).schema
    for schema, value in ((text, np.int64(3)), (text, True), (ints, "1")):
        with pytest.warns(UserWarning, match=r"'a' has categories such as .*Convert columns"):
            warn_of_kinds({0: value}, schema)
    both = table(pd.Categorical([1, "a"])).schema
    for schema, value in ((text, "c"), (text, None), (text, pd.Interval(0, 1)), (ints, 2.5)):
        warn_of_kinds({0: value}, schema)  # warnings are errors here
    for value in (3, "c"):
        warn_of_kinds({0: value}, both)


def test_many_columns_of_another_kind_give_one_warning() -> None:
    words = pd.DataFrame({f"c{j}": pd.Categorical(list("ab") * 10) for j in range(300)})
    numbers = pd.DataFrame({f"c{j}": np.arange(20) for j in range(300)})
    model = CeibaRegressor(n_estimators=2, min_samples_leaf=1).fit(words, np.arange(20.0)).model_
    for rows in (numbers, numbers[:1], dict.fromkeys(words, 1)):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model.predict(rows)
        assert len(caught) == 1
        assert "The type of 299 other columns changed too" in str(caught[0].message)
