"""Read one column as numbers, days or categories.

``How`` is the requested kind: "auto" infers it from the values; "numbers" allows only numbers and
days; "category" is for a column that the user listed, or that was a category in training.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ceiba.data.block import ColumnValues
from ceiba.data.categories import Coded, code_numbers, code_text
from ceiba.data.dates import DAY_KINDS, are_dates, days_of, days_of_objects
from ceiba.data.plain_numbers import (
    PLAIN_KINDS,
    is_missing_mark,
    numbers_from_objects,
    plain_numbers,
)
from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.messages import shown

__all__ = ["How", "ReadColumn", "as_category", "as_days", "read_array_column", "read_each"]

How = Literal["auto", "numbers", "category"]

_OTHER_KINDS = "Convert the column to numbers, text, dates or durations, or drop it."


@dataclass(frozen=True, eq=False)
class ReadColumn:
    """A column as numbers (days for dates and durations) or category codes."""

    values: ColumnValues | Coded
    kind: str = "numeric"


def read_each(read: Callable[..., ReadColumn], columns: Iterable[Any]) -> list[ReadColumn]:
    """Call ``read`` for each tuple of arguments. One error lists all unreadable columns."""
    found: list[ReadColumn] = []
    errors: list[InvalidInputError | InvalidTypeError] = []
    for column in columns:
        try:
            found.append(read(*column))
        except (InvalidInputError, InvalidTypeError) as error:
            errors.append(error)
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise InvalidInputError(
            f"{len(errors)} columns are not readable.\n"
            + "\n".join(f"- {error}" for error in errors)
        )
    return found


def read_array_column(array: NDArray[Any], name: str, how: How) -> ReadColumn:
    """Read a column of a numpy array."""
    kind = array.dtype.kind
    if kind in DAY_KINDS:
        return as_days(array, name, how)
    if kind == "O":
        return _from_objects(array, name, how)
    if kind in "UT" and how != "numbers":
        return ReadColumn(code_text(array), "category")
    if how == "category" and kind in PLAIN_KINDS:
        return as_category(array)
    return ReadColumn(plain_numbers(array, name))


def as_days(array: NDArray[Any], name: str, how: How) -> ReadColumn:
    """Read dates or durations of numpy as days."""
    kind = DAY_KINDS[array.dtype.kind]
    _refuse_levels(name, kind, how)
    return ReadColumn(days_of(array), kind)


def _refuse_levels(name: str, kind: str, how: How) -> None:
    """Raise if a column of dates or durations is requested as a category."""
    if how == "category":
        raise InvalidInputError(
            f"{name} must contain text, integers or booleans to be a category. Got {kind}s. "
            "Convert it to text, or remove it from categorical_features to read it as a number "
            "of days."
        )


def as_category(values: NDArray[Any], missing: NDArray[np.bool_] | None = None) -> ReadColumn:
    """Read numbers as the levels of a category."""
    return ReadColumn(code_numbers(values, missing), "category")


def _from_objects(column: NDArray[Any], name: str, how: How) -> ReadColumn:
    """Read Python objects: numbers, text or dates, with missing marks."""
    types = set(map(type, column.tolist()))
    if any(issubclass(kind, str) for kind in types) and how != "numbers":
        if not all(issubclass(kind, str) for kind in types):
            _refuse_mixed(column, name, (str,))
        return ReadColumn(code_text(column), "category")
    known = {kind for kind in types if not is_missing_type(kind)}
    days = are_dates(known)
    if days:
        _refuse_levels(name, days, how)
        missing = np.array([is_missing(value) for value in column.tolist()])
        _refuse_mixed(column[~missing], name, tuple(known))
        return ReadColumn(days_of_objects(column, missing, days), days)
    if how == "category":
        return _objects_as_category(column, known, name)
    try:
        return ReadColumn(numbers_from_objects(column, name))
    except (InvalidInputError, InvalidTypeError) as error:
        if how == "numbers" or all(issubclass(kind, numbers.Number) for kind in known):
            raise
        raise type(error)(f"{error} {_OTHER_KINDS}") from None


def _objects_as_category(column: NDArray[Any], types: set[type], name: str) -> ReadColumn:
    """Read Python integers of any size and booleans as a category."""
    if not all(issubclass(kind, int | np.integer | np.bool_) for kind in types):
        return as_category(numbers_from_objects(column, name))
    places = {value: place for place, value in enumerate(set(column.tolist()) - {None})}
    rows = column.tolist()
    codes = [-1 if is_missing(value) else places[value] for value in rows]
    return ReadColumn(Coded(np.array(codes, dtype=np.int64), list(places)), "category")


def _refuse_mixed(column: NDArray[Any], name: str, kinds: tuple[type, ...]) -> None:
    """Raise if a column of text or dates contains values of another type."""
    rows = column.tolist()
    other = next((v for v in rows if not isinstance(v, kinds) and not is_missing(v)), None)
    if other is None:
        return
    value = next(value for value in rows if isinstance(value, kinds))
    said = "text" if isinstance(value, str) else type(value).__name__
    raise InvalidInputError(
        f"{name} must contain values of one type. Got {shown(value)} ({said}) and {shown(other)} "
        f"({type(other).__name__}). Convert it with astype(str) for a category or with "
        "astype(float) for numbers, or drop it."
    )


def is_missing(value: Any) -> bool:
    """Whether a value is None, NaN, pandas.NA or pandas.NaT."""
    return is_missing_mark(value) or (isinstance(value, float | np.floating) and value != value)


def is_missing_type(kind: type) -> bool:
    """Whether values of this type are missing marks or floats, which may be NaN."""
    return kind in (type(None), float) or kind.__name__ in ("NAType", "NaTType")
