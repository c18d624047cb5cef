"""Dates and durations are days, whatever their unit and time zone."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ceiba
from ceiba.data.dates import are_dates, are_texts_of_dates, days_of, days_of_objects

MOMENTS = st.datetimes(dt.datetime(1700, 1, 1), dt.datetime(2250, 1, 1))


@pytest.mark.parametrize("unit", ["Y", "M", "D", "h", "m", "s", "ms", "us", "ns"])
def test_every_unit(unit: str) -> None:
    dates = np.array(["1970-01-01", "2020-01-01", "1969-01-01", "NaT"], dtype=f"M8[{unit}]")
    np.testing.assert_array_equal(days_of(dates), [0, 18262, -365, np.nan])


@given(st.lists(MOMENTS, min_size=1))
def test_the_unit_leaves_no_trace(moments: list[dt.datetime]) -> None:
    exact = [(moment - dt.datetime(1970, 1, 1)) / dt.timedelta(days=1) for moment in moments]
    array = np.array(moments, dtype="M8[us]")
    np.testing.assert_allclose(days_of(array), exact, rtol=1e-15, atol=1e-11)
    np.testing.assert_array_equal(days_of(array.astype("M8[ns]")), days_of(array))
    seconds = array.astype("M8[s]")
    for unit in ("ms", "us", "ns"):
        np.testing.assert_array_equal(days_of(seconds.astype(f"M8[{unit}]")), days_of(seconds))


def test_durations() -> None:
    lengths = np.array([36, -12, "NaT"], dtype="m8[h]")
    np.testing.assert_array_equal(days_of(lengths), [1.5, -0.5, np.nan])


@pytest.mark.parametrize(
    ("types", "kind"),
    [
        ({dt.datetime, dt.date, pd.Timestamp, np.datetime64}, "date"),
        ({dt.timedelta, pd.Timedelta}, "duration"),
        ({dt.date, dt.timedelta}, ""),
        ({dt.date, int}, ""),
        ({dt.time}, ""),
        (set(), ""),
    ],
)
def test_what_objects_are(types: set[type], kind: str) -> None:
    assert are_dates(types) == kind


def test_objects_with_zones_and_missing_marks() -> None:
    east = dt.timezone(dt.timedelta(hours=6))
    rows: list[Any] = [
        dt.date(1970, 1, 2),
        None,
        dt.datetime(1970, 1, 2, 12),
        dt.datetime(1970, 1, 2, 6, tzinfo=east),
        pd.Timestamp("1970-01-03", tz="UTC"),
        np.datetime64("1970-01-04"),
    ]
    column = np.empty(len(rows), dtype=object)
    column[:] = rows
    missing = np.array([value is None for value in rows])
    np.testing.assert_array_equal(
        days_of_objects(column, missing, "date"), [1, np.nan, 1.5, 1, 2, 3]
    )
    lengths = np.array([dt.timedelta(hours=6), pd.Timedelta(days=2)], dtype=object)
    np.testing.assert_array_equal(
        days_of_objects(lengths, np.zeros(2, dtype=bool), "duration"), [0.25, 2.0]
    )


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        (["2024-05-31", "2024-06-01"], True),
        (["2024-05-31T10:00:00", "2024-05-31 10:00", "2024-05-31T10:00:00+02:00"], True),
        (["2024-05-31", "unknown"], False),
        (["2024-13-31"], False),
        (["20240531", "20240601"], False),
        ([20240531, 20240601], False),
        (["2024-05-31 beta"], False),
        ([], False),
    ],
)
def test_texts_of_dates(levels: list[Any], expected: bool) -> None:
    assert are_texts_of_dates(levels) is expected


def frame_of_dates(**more: Any) -> pd.DataFrame:
    days = np.datetime64("2024-01-01") + np.arange(60)
    return pd.DataFrame({"x": np.arange(60.0), "day": days.astype(str), **more})


@pytest.mark.parametrize(
    "read",
    [
        lambda frame: ceiba.Dataset(frame, frame["x"]),
        lambda frame: ceiba.Dataset(pl.from_pandas(frame), frame["x"]),
        lambda frame: ceiba.Dataset(frame.to_numpy(object), frame["x"]),
        lambda frame: ceiba.CeibaRegressor(n_estimators=2).fit(frame, frame["x"]),
        lambda frame: ceiba.LinearTreeRegressor().fit(frame, frame["x"]),
    ],
)
def test_dates_as_text_are_warned_of(read: Any) -> None:
    with pytest.warns(UserWarning, match=r"Dates in '\w+' are text.*pandas.to_datetime") as warned:
        read(frame_of_dates())
    assert len(warned) == 1  # they are not called identifiers too
    assert warned[0].filename == __file__


def test_known_dates_and_listed_categories_are_not_warned_of() -> None:
    frame = frame_of_dates()
    ceiba.Dataset(frame.assign(day=pd.to_datetime(frame["day"])), frame["x"])
    ceiba.Dataset(frame, frame["x"], categorical_features=["day"])
    ceiba.CeibaRegressor(n_estimators=2, categorical_features=["day"]).fit(frame, frame["x"])
    ceiba.Dataset(frame.assign(day="2024-01"), frame["x"])
