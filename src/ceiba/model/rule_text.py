"""Splits as text: names of columns, thresholds, levels, dates.

The text of a threshold routes rows like the threshold itself:

- With training rows, it is the shortest decimal between the two neighboring values, with at least
  three digits and all digits before the decimal point.
- Without rows, it has all digits except rounding errors: 0.15000000000000002 becomes 0.15.

Used by ``model/tree_text.py``, ``plot/trees.py`` and ``hybrids/rules.py``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.block import dense_values

if TYPE_CHECKING:
    from ceiba.data.schema import Schema
    from ceiba.data.table import Table

__all__ = ["RuleText", "date_text", "decimal", "duration_text", "levels_text", "threshold_text"]

Floats = NDArray[np.float64]

_FEWEST = 3  # least digits of a threshold between two values
_SURE = 15  # decimal digits that a float64 always preserves
_NOISE = 3  # so many trailing zeros or nines count as a rounding error
_SECONDS = 86_400
_LAST_DAY = 2_932_896  # 9999-12-31


def decimal(value: float) -> str:
    """Return all digits of a number, with an exponent only if it is very large or small."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else str(float(value))
    if 1e-6 <= abs(value) < 1e16:
        return format(Decimal(repr(float(value))), "f").removesuffix(".0")
    return repr(float(value))


def threshold_text(value: float, low: float = -math.inf, high: float = math.inf) -> str:
    """Return a threshold as a decimal that separates low <= value < high like the threshold."""
    if not math.isfinite(value):
        return decimal(value)
    if math.isfinite(low) and math.isfinite(high):
        fewest = max(_FEWEST, len(str(int(abs(value)))))
        for digits in range(fewest, 18):
            short = float(f"{value:.{digits - 1}e}")
            if low <= short < high:
                return decimal(short)
    sure = float(f"{value:.{_SURE - 1}e}")
    return decimal(sure if len(_digits(sure)) <= _SURE - _NOISE else value)


def _digits(value: float) -> str:
    """Return the significant digits of a number."""
    return repr(abs(value)).split("e")[0].replace(".", "").strip("0")


def date_text(days: float) -> str:
    """Return days since 1970-01-01 as a date, with the time of day unless it is midnight."""
    if not -_LAST_DAY / 4 <= days <= _LAST_DAY:
        return f"{decimal(days)} days after 1970-01-01"
    micros = _micros(days)
    text = str(np.datetime64(micros, "us")).replace("T", " ")
    return _short_time(text).removesuffix(" 00:00")


def duration_text(days: float) -> str:
    """Return a number of days as days and a time: "3 days 12:00"."""
    if not abs(days) <= _LAST_DAY:
        return f"{decimal(days)} days"
    micros = _micros(days)
    sign, micros = ("-", -micros) if micros < 0 else ("", micros)
    whole, rest = divmod(micros, _SECONDS * 10**6)
    time = _short_time(str(np.datetime64(rest, "us")).split("T")[1])
    parts = [f"{whole} day{'' if whole == 1 else 's'}"] if whole or not rest else []
    return sign + " ".join([*parts, *([time] if rest else [])])


def _micros(days: float) -> int:
    """Return days in microseconds: the nearest integer, or the lower one if between two."""
    whole = math.floor(days)
    exact = (days - whole) * _SECONDS * 10**6
    nearest = round(exact)
    return whole * _SECONDS * 10**6 + (nearest if abs(exact - nearest) < 0.3 else int(exact))


def _short_time(text: str) -> str:
    text = text.rstrip("0").removesuffix(".") if "." in text else text
    return text.removesuffix(":00") if text.count(":") == 2 else text


def levels_text(levels: Sequence[Any]) -> str:
    """Return levels as a set: {Bonn, Kiel}."""
    return "{" + ", ".join(map(str, levels)) + "}"


@dataclass(frozen=True, eq=False)
class RuleText:
    """Names of the columns that trees read, and texts of their thresholds.

    Parameters
    ----------
    schema : Schema
        Schema of the model.
    rows : Table, default=None
        Training rows, which shorten thresholds to the digits that separate them.
    """

    schema: Schema
    rows: Table | None = None
    _sorted: dict[int, Floats] = field(default_factory=dict, repr=False)

    def name(self, column: int) -> str:
        """Return the name of a column that trees read, such as "mean target of city"."""
        own = self.schema.statistics
        names = " x ".join(self.schema.names[j] for j in self.schema.engine_sources[column])
        word = "" if own is None else own.statistics[column]
        if not word:
            return names
        if word == "rows":
            return f"number of rows of {names}"
        return f"{word.replace('mean', 'mean target', 1)} of {names}"

    def threshold(self, column: int, value: float) -> str:
        """Return the threshold of a split."""
        kind = self.schema.engine.kinds[column]
        low, high = self._neighbors(column, value)
        if kind not in ("date", "duration"):
            return threshold_text(value, low, high)
        if math.isfinite(low) and math.isfinite(value):
            whole = (math.floor(value * parts) / parts for parts in (1, 1440, _SECONDS))
            value = next((short for short in whole if low <= short), value)
        return date_text(value) if kind == "date" else duration_text(value)

    def _neighbors(self, column: int, value: float) -> tuple[float, float]:
        """Return the nearest known values below and above a threshold, or infinities."""
        if column not in self._sorted:
            self._sorted[column] = np.unique(self._values(column))
        values = self._sorted[column]
        place = int(np.searchsorted(values, value, side="right"))
        if not 0 < place < len(values):
            return -math.inf, math.inf
        return float(values[place - 1]), float(values[place])

    def _values(self, column: int) -> Floats:
        own = self.schema.statistics
        if own is not None and own.statistics[column]:
            return own.values_of(column)
        if self.rows is None:
            return np.empty(0)
        parts = self.rows.columns[self.schema.engine_sources[column][0]]
        values = np.concatenate([np.asarray(dense_values(part), np.float64) for part in parts])
        finite: Floats = values[np.isfinite(values)]
        return finite

    def sides(self, column: int, threshold: float, levels: Sequence[Any] | None) -> tuple[str, str]:
        """Return the rules of the left and the right child for rows with a value."""
        name = self.name(column)
        if levels is not None:
            shown = levels_text(levels)
            return f"{name} in {shown}", f"{name} not in {shown}"
        if threshold == math.inf:
            return f"{name} is not missing", f"{name} is missing"
        text = self.threshold(column, threshold)
        return f"{name} <= {text}", f"{name} > {text}"
