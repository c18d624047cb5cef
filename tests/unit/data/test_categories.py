"""Readers of categories: one set of levels and one model, whatever the library and dictionary."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from ceiba import Dataset
from ceiba.data.categories import Coded, code_text, level_numbers, used_levels
from ceiba.data.read_table import read_like, read_table
from ceiba.errors import InvalidInputError, InvalidParameterError

WORDS = ["rome", "oslo", None, "lima", "oslo", "rome"]
LEVELS = ("lima", "oslo", "rome")
NUMBERS = [2.0, 1.0, np.nan, 0.0, 1.0, 2.0]
ORDER = ["unused", "rome", "lima", "oslo", "zz"]

TABLES: dict[str, Any] = {
    "pandas object": pd.DataFrame({"city": np.array(WORDS, dtype=object)}),
    "pandas object with NaN": pd.DataFrame(
        {"city": np.array([np.nan if w is None else w for w in WORDS], dtype=object)}
    ),
    "pandas str": pd.DataFrame({"city": pd.array(WORDS, dtype="str")}),
    "pandas string": pd.DataFrame({"city": pd.array(WORDS, dtype="string")}),
    "pandas string[pyarrow]": pd.DataFrame({"city": pd.array(WORDS, dtype="string[pyarrow]")}),
    "pandas arrow dictionary": pd.DataFrame(
        {"city": pd.Series(WORDS, dtype=pd.ArrowDtype(pa.dictionary(pa.int8(), pa.string())))}
    ),
    "pandas category": pd.DataFrame({"city": pd.Categorical(WORDS)}),
    "pandas category in another order": pd.DataFrame(
        {"city": pd.Categorical(WORDS, categories=ORDER, ordered=True)}
    ),
    "polars String": pl.DataFrame({"city": WORDS}),
    "polars Categorical": pl.DataFrame({"city": pl.Series(WORDS, dtype=pl.Categorical)}),
    "polars Enum": pl.DataFrame({"city": pl.Series(WORDS, dtype=pl.Enum(ORDER))}),
    "arrow string": pa.table({"city": WORDS}),
    "arrow large string": pa.table({"city": pa.array(WORDS, pa.large_string())}),
    "arrow dictionary": pa.table({"city": pa.array(WORDS).dictionary_encode()}),
    "arrow dictionaries in chunks": pa.table(
        {
            "city": pa.chunked_array(
                [pa.array(WORDS[:2]).dictionary_encode(), pa.array(WORDS[2:]).dictionary_encode()]
            )
        }
    ),
    "objects": np.array([[w] for w in WORDS], dtype=object),
    "rows": [[w] for w in WORDS],
}


@pytest.mark.parametrize("data", TABLES.values(), ids=TABLES)
def test_every_library_gives_the_same_levels(data: Any) -> None:
    table = read_table(data)
    assert table.schema.kinds == ("category",)
    assert table.schema.levels == (LEVELS,)
    ((column,),) = table.columns
    np.testing.assert_array_equal(column, NUMBERS)


@pytest.mark.parametrize("data", TABLES.values(), ids=TABLES)
def test_every_library_is_matched_by_value(data: Any) -> None:
    known = read_table(pd.DataFrame({"city": pd.Categorical(["rome", "quito", "oslo"])})).schema
    ((column,),) = read_like(data, known).columns  # oslo, quito, rome
    np.testing.assert_array_equal(column, [2, 0, np.nan, np.nan, 0, 2])
    ((column,),) = read_table(data).arranged(known).columns
    np.testing.assert_array_equal(column, [2, 0, np.nan, np.nan, 0, 2])


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table, lambda d: d["id"]])
def test_listed_columns_of_whole_numbers_are_categories(library: Any) -> None:
    ids = [2**62 + 1, 2**62, 5, 2**62 + 1]
    data = library({"id": ids})
    data = np.array(data)[:, None] if isinstance(data, list) else data
    for named in ([0], (True,)):
        table = read_table(data, categorical=named)
        assert table.schema.levels == ((5, 2**62, 2**62 + 1),)
        np.testing.assert_array_equal(table.columns[0][0], [2, 1, 0, 2])


def test_whole_numbers_with_missing_values_and_booleans() -> None:
    frame = pl.DataFrame({"id": [2**60 + 1, None, 2**60], "flag": [True, None, False]})
    table = read_table(frame, categorical=["id", "flag"])
    assert table.schema.levels == ((2**60, 2**60 + 1), (False, True))
    np.testing.assert_array_equal(table.columns[0][0], [1, np.nan, 0])
    floats = read_table(pd.DataFrame({"a": [3.0, np.nan, 1.0]}), categorical=["a"])
    assert floats.schema.levels == ((1, 3),)
    # A value that means missing is no level.
    marked = Dataset(np.array([[7], [-1], [8]]), categorical_features=[0], missing=-1)
    assert marked.schema.levels == ((7, 8),)


def test_booleans_and_objects_of_numbers_are_numbers() -> None:
    frame = pd.DataFrame({"a": np.array([1, None, 2.5], dtype=object), "b": [True, False, True]})
    assert read_table(frame).schema.kinds == ("numeric", "numeric")


def test_levels_of_a_dictionary_may_be_any_values() -> None:
    ranges = pd.cut(pd.Series([1.0, 5.0, 9.0]), [0, 4, 10])
    assert read_table(pd.DataFrame({"r": ranges})).schema.levels == (("(0, 4]", "(4, 10]"),)
    numbers = pd.DataFrame({"n": pd.Categorical([2.0, 1.0, 2.5])})
    assert read_table(numbers).schema.levels == ((1, 2, 2.5),)
    # ... and are numbers where the training table had numbers.
    plain = read_table(pd.DataFrame({"n": [0.0]})).schema
    np.testing.assert_array_equal(read_like(numbers, plain).columns[0][0], [2.0, 1.0, 2.5])


def test_columns_that_cannot_be_read_are_named_together() -> None:
    frame = pd.DataFrame(
        {
            "mixed": np.array(["a", 1], dtype=object),
            "fine": ["a", "b"],
            "bytes": [b"a", b"b"],
            "share": [0.5, 1.5],
        }
    )
    with pytest.raises(
        InvalidInputError, match=r"(?s)2 columns are not readable.*'mixed' must.*'bytes' must"
    ):
        read_table(frame)
    with pytest.raises(InvalidInputError, match=r"'share' must contain text, integers.*Got 0\.5"):
        read_table(frame[["share"]], categorical=["share"])
    with pytest.raises(InvalidParameterError, match="Did you mean 'share'"):
        read_table(frame[["share"]], categorical=["shares"])


def test_dates_and_durations_are_days() -> None:
    days = [dt.datetime(1970, 1, 2, 12), None, dt.datetime(2020, 2, 29)]
    expected = [1.5, np.nan, 18321.0]
    zone = dt.timezone(dt.timedelta(hours=2))
    later = [None if d is None else (d + dt.timedelta(hours=2)).replace(tzinfo=zone) for d in days]
    tables = {
        "pandas": pd.DataFrame({"d": pd.to_datetime(days)}),
        "with a zone": pd.DataFrame({"d": pd.to_datetime(later)}),
        "objects": pd.DataFrame({"d": np.array(days, dtype=object)}),
        "polars": pl.DataFrame({"d": days}),
        "arrow": pa.table({"d": pa.array(days, pa.timestamp("ms"))}),
    }
    for name, table in tables.items():
        read = read_table(table)
        assert read.schema.kinds == ("date",), name
        np.testing.assert_array_equal(read.columns[0][0], expected, err_msg=name)
    dates = read_table(pl.DataFrame({"d": [dt.date(1970, 1, 3)]}))
    assert dates.columns[0][0].tolist() == [2.0]
    lengths = read_table(pl.DataFrame({"d": [dt.timedelta(hours=6)]}))
    assert lengths.schema.kinds == ("duration",)
    assert lengths.columns[0][0].tolist() == [0.25]
    with pytest.raises(InvalidInputError, match=r"'d' must be numbers, as in .* Got dates"):
        read_like(tables["pandas"], read_table(pd.DataFrame({"d": [1.0]})).schema)


def test_blocks_have_one_dictionary() -> None:
    frame = pd.DataFrame({"x": range(6), "city": WORDS})
    whole = Dataset(frame, range(6))
    other = [
        (frame[:3], [0, 1, 2]),
        (pl.from_pandas(frame[3:])[:, ["city", "x"]], [3, 4, 5]),
    ]
    joined = Dataset.from_blocks(other)
    assert joined.schema == whole.schema
    for one, many in zip(whole.table.columns, joined.table.columns, strict=True):
        np.testing.assert_array_equal(np.concatenate(many), one[0])
    with pytest.raises(InvalidInputError, match="'city' must have one type in all blocks"):
        Dataset.from_blocks([(frame[:3], [0, 1, 2]), (frame[3:].assign(city=1.5), [3, 4, 5])])


def test_rows_of_weight_0_leave_no_levels() -> None:
    frame = pd.DataFrame({"city": WORDS})
    light = Dataset(frame, range(6), weight=[1, 1, 1, 0, 1, 1])
    assert light.schema.levels == (("oslo", "rome"),)
    assert Dataset(frame, range(6)).take([0, 2]).schema.levels == (("rome",),)


def test_a_large_dictionary_of_which_little_is_used() -> None:
    column = Coded(np.array([90_000, -1, 7]), [f"v{k}" for k in range(100_000)])
    assert used_levels(column) == ("v7", "v90000")
    np.testing.assert_array_equal(level_numbers(column, {"v7": 0}), [np.nan, np.nan, 0])


def test_text_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ceiba.data.categories.sys.modules", {})
    coded = code_text(np.array(WORDS, dtype=object))
    assert [coded.values[code] if code >= 0 else None for code in coded.codes] == WORDS
