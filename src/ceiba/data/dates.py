"""Convert dates and durations to numbers of days, as float64.

A date is the number of days since 1970-01-01 in UTC, with the time of day as its fraction. The
number does not depend on the time unit of the column.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["DAY_KINDS", "are_dates", "are_texts_of_dates", "days_of", "days_of_objects"]

#: numpy kind → kind in a schema.
DAY_KINDS = {"M": "date", "m": "duration"}
#: The beginning of a date with separators; without them a date looks like any number.
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_UNITS_OF_A_DAY = {
    unit: 86_400 * n for unit, n in (("s", 1), ("ms", 10**3), ("us", 10**6), ("ns", 10**9))
}


def days_of(array: NDArray[Any]) -> NDArray[np.float64]:
    """Convert dates or durations of numpy to days, NaN if missing."""
    kind = {"M": "datetime64", "m": "timedelta64"}[array.dtype.kind]
    unit = np.datetime_data(array.dtype)[0]
    if unit in ("ps", "fs", "as"):
        unit = "ns"
    elif unit not in _UNITS_OF_A_DAY:  # hours, days, months and so on
        unit = "s"
    counts = array.astype(f"{kind}[{unit}]")
    whole, rest = np.divmod(counts.view(np.int64), _UNITS_OF_A_DAY[unit])
    # Both parts are exact, so the result does not depend on the unit.
    days: NDArray[np.float64] = whole + rest / _UNITS_OF_A_DAY[unit]
    days[np.isnat(counts)] = np.nan
    return days


def are_dates(types: set[type]) -> str:
    """Return the kind of values of these types, "date" or "duration", or "" for others."""
    if types and all(issubclass(kind, dt.date | np.datetime64) for kind in types):
        return "date"
    if types and all(issubclass(kind, dt.timedelta | np.timedelta64) for kind in types):
        return "duration"
    return ""


def are_texts_of_dates(levels: Iterable[Any]) -> bool:
    """Return whether all levels of a category are ISO 8601 dates, such as '2024-05-31'."""
    is_any = False
    for level in levels:
        if not (isinstance(level, str) and _ISO_DATE.match(level)):
            return False
        try:
            dt.datetime.fromisoformat(level)
        except ValueError:
            return False
        is_any = True
    return is_any


def days_of_objects(
    column: NDArray[Any], missing: NDArray[np.bool_], kind: str
) -> NDArray[np.float64]:
    """Convert Python dates or durations to days."""
    none: Any = np.datetime64("NaT", "us") if kind == "date" else np.timedelta64("NaT", "us")
    values = [
        none if is_missing else _without_zone(value)
        for value, is_missing in zip(column.tolist(), missing, strict=True)
    ]
    return days_of(np.array(values, dtype="M8[us]" if kind == "date" else "m8[us]"))


def _without_zone(value: Any) -> Any:
    if isinstance(value, dt.datetime) and value.tzinfo is not None:
        return value.astimezone(dt.UTC).replace(tzinfo=None)
    return value
