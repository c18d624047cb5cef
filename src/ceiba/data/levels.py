"""Levels of a category: the values that it takes, in an order of their own.

A level is text, a whole number, another number or a boolean. Numbers come before text, each in
their own order, so that the number of a level says nothing of rows, dictionaries or libraries.
Levels are equal where Python says so: 1, 1.0 and True are one level, "1" is another.
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
    """Return values as levels; None where a value is missing or can be no level.

    Values of other kinds, such as intervals and dates of a dictionary, are known by their text.
    """
    known = values.tolist() if hasattr(values, "tolist") else values
    return [value if type(value) is str else plain_level(value) for value in known]


def sorted_levels(values: Iterable[Any]) -> tuple[Any, ...]:
    """Return the different levels among plain ones in their order, without what is missing."""
    different = {value for value in values if value is not None}
    try:
        return tuple(sorted(different))  # all text, or all numbers
    except TypeError:
        return tuple(sorted(different, key=_key))


def are_levels(values: Sequence[Any]) -> bool:
    """Whether they are what a file may hold: levels, each once, in their order."""
    if not all(isinstance(value, str | int | float) for value in values):
        return False
    if not all(math.isfinite(value) for value in values if isinstance(value, float)):
        return False
    keys = [_key(value) for value in values]
    return all(one < other for one, other in itertools.pairwise(keys))


def check_levels(values: Sequence[Any], name: str) -> None:
    """Refuse numbers with fractions as the levels of a category."""
    broken = next((v for v in values if isinstance(v, float) and not v.is_integer()), None)
    if broken is not None:
        raise InvalidInputError(
            f"{name} must hold text, whole numbers or booleans to be a category. Got {broken!r}. "
            "Leave it out of categorical_features, or cut it into ranges first."
        )


def _key(level: Any) -> tuple[bool, Any]:
    return isinstance(level, str), level


def plain_level(value: Any) -> Any:
    """Return a value as a level, None where it is missing."""
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
