"""Dates and durations are days, whatever their unit and time zone."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceiba.data.dates import are_dates, days_of, days_of_objects

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
