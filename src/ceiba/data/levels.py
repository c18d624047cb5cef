"""Levels of a category: its sorted distinct values.

A level is text, a number or a boolean. Numbers sort before text. The number of a level is its
sorted position: it does not depend on row order, dictionaries or libraries. Levels are compared as
in Python: 1, 1.0 and True are one level, "1" is another.
"""

from __future__ import annotations

import itertools
import math
import numbers
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ceiba.data.plain_numbers import is_missing_mark
from ceiba.errors import InvalidInputError

__all__ = ["are_levels", "check_levels", "plain_level", "plain_levels", "sorted_levels"]


def plain_levels(values: Iterable[Any]) -> list[Any]:
    """Convert values to levels, None if missing.

    Values of other types, such as intervals and dates, become their text.
    """
    known = values.tolist() if hasattr(values, "tolist") else values
    return [value if type(value) is str else plain_level(value) for value in known]


def sorted_levels(values: Iterable[Any]) -> tuple[Any, ...]:
    """Return the sorted distinct levels, without missing values."""
    different = {value for value in values if value is not None}
    try:
        return tuple(sorted(different))  # all text, or all numbers
    except TypeError:
        return tuple(sorted(different, key=_key))


def are_levels(values: Sequence[Any]) -> bool:
    """Whether values of a model file are valid levels: unique and sorted."""
    if not all(isinstance(value, str | int | float) for value in values):
        return False
    if not all(math.isfinite(value) for value in values if isinstance(value, float)):
        return False
    keys = [_key(value) for value in values]
    return all(one < other for one, other in itertools.pairwise(keys))


def check_levels(values: Sequence[Any], name: str) -> None:
    """Raise for fractional numbers as levels of a category."""
    broken = next((v for v in values if isinstance(v, float) and not v.is_integer()), None)
    if broken is not None:
        raise InvalidInputError(
            f"{name} must contain text, integers or booleans to be a category. Got {broken!r}. "
            "Remove it from categorical_features, or discretize it first."
        )


def _key(level: Any) -> tuple[bool, Any]:
    return isinstance(level, str), level


def plain_level(value: Any) -> Any:
    """Convert a value to a level, None if missing."""
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        number = float(value)
        if not math.isfinite(number):
            return None if math.isnan(number) else str(number)
        return int(number) if number.is_integer() else number
    return None if is_missing_mark(value) else str(value)
