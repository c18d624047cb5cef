"""Everything that the sections of a report read."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ceiba.data.schema import Schema
from ceiba.plot.style import number
from ceiba.reporting.clock import Clock
from ceiba.reporting.explaining import Explained
from ceiba.reporting.rows import Rows
from ceiba.reporting.subject import Subject

__all__ = ["Case", "measured", "percent", "plural"]


@dataclass(frozen=True, eq=False)
class Case:
    """A model, the rows that judge it, and the time that is left."""

    subject: Subject
    rows: Rows
    train: Rows | None
    clock: Clock
    explained: Explained
    #: Seconds that the prediction of a row takes.
    seconds_per_row: float
    seed: int = 0

    @property
    def schema(self) -> Schema:
        """Return the columns of the model."""
        return self.subject.schema


def percent(share: float, digits: int = 1) -> str:
    """Return a share as text: ``12.3 %``."""
    text = f"{100.0 * share:.{digits}f}"
    if float(text) == 0.0 and share > 0:
        text = f"< {10.0**-digits:.{digits}f}"
    return f"{text} %"


def plural(n: int, noun: str, nouns: str = "") -> str:
    """Return a count with its noun: ``1 row``, ``2,000 rows``."""
    return f"{n:,} {noun if n == 1 else nouns or noun + 's'}"


def measured(value: float, digits: int = 4) -> str:
    """Return a number as text, without an exponent where it can be avoided; a dash for NaN."""
    size = abs(value)
    if value != value:
        return "–"
    if not math.isfinite(value) or size >= 1e9 or 0 < size < 1e-4:
        return number(value, digits)
    if size >= 1000:
        return f"{value:,.0f}".replace("-", "−")
    decimals = digits - 1 - math.floor(math.log10(size)) if size else 0
    text = f"{value:.{max(0, decimals)}f}"
    # 0.5 and not 0.5000, but 0.820 beside 0.815 where three digits are wanted.
    text = text.rstrip("0").rstrip(".") if value == round(value, 1) and "." in text else text
    return text.replace("-", "−")
