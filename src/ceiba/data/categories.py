"""Columns of categories: from codes of any dictionary to the numbers of a schema's levels.

The life of a column of categories:

1. a reader finds codes and what they stand for (:class:`Coded`): the dictionary of the column, or
   the different values of a column that has none;
2. :func:`used_levels` are the levels of a training table: values that some row has, in order;
3. :func:`level_numbers` looks every value of the dictionary up among those levels, once, and gives
   each row the number of its level, NaN where it is missing. A later table is looked up in the same
   way, whatever its dictionary.

Rows are never walked one by one: dictionaries are looked up, and codes take what was found.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.levels import plain_levels, sorted_levels
from ceiba.errors import InvalidInputError
from ceiba.messages import listed

__all__ = ["Coded", "code_numbers", "code_text", "level_numbers", "used_levels"]

#: Up to here 32-bit floats count without gaps.
_COUNTED_BY_FLOAT32 = 2**24
#: A dictionary that is so much larger than the column is not looked up as a whole.
_SPARSE_DICTIONARY = 4


@dataclass(frozen=True, eq=False)
class Coded:
    """A column as codes: negative ones are missing, others are places in ``values``."""

    codes: NDArray[Any]
    values: Sequence[Any]  # or an Index of pandas

    def compact(self) -> Coded:
        """Return the column with no more values than it has rows, or little more."""
        if len(self.values) <= _SPARSE_DICTIONARY * len(self.codes) + 16:
            return self
        used, codes = np.unique(self.codes, return_inverse=True)
        first = int(np.count_nonzero(used < 0))
        return Coded(codes - first, [self.values[code] for code in used[first:].tolist()])

    def used(self) -> NDArray[np.bool_]:
        """Return which values some row has."""
        counts = np.bincount(self.codes[self.codes >= 0], minlength=len(self.values))
        return counts > 0


def used_levels(column: Coded, missing: float | None = None) -> tuple[Any, ...]:
    """Return the levels that rows have; the number ``missing`` is none."""
    used = np.flatnonzero(column.used()).tolist()
    every = plain_levels(column.values)  # at once: an Index of pandas is slow to be asked for one
    plain = [every[place] for place in used]
    return sorted_levels(
        value for value in plain if missing is None or isinstance(value, str) or value != missing
    )


def level_numbers(
    column: Coded,
    numbers: Mapping[Any, int],
    *,
    refuse: str = "",
    unseen: float = np.nan,
    missing: float | None = None,
) -> NDArray[np.floating[Any]]:
    """Return the number of each row's level, NaN where it is missing, ``unseen`` where it is none.

    The number ``missing`` is no level but a mark.

    With ``refuse``, what the column is called, values that are not among the levels are an error.
    """
    column = column.compact()
    plain = plain_levels(column.values)
    dtype = np.float32 if len(numbers) <= _COUNTED_BY_FLOAT32 else np.float64
    found: NDArray[Any] = np.full(
        len(plain) + 1, np.nan, dtype=dtype
    )  # the last is that of code -1
    found[:-1] = [numbers.get(value, unseen) for value in plain]
    if refuse or not np.isnan(unseen):
        marks = np.array([value is None or value == missing for value in plain], dtype=bool)
        found[:-1][marks] = np.nan
        if refuse:
            known = np.array([value in numbers for value in plain], dtype=bool)
            _refuse_unseen(column, plain, ~(known | marks), refuse)
    numbered: NDArray[np.floating[Any]] = found.take(column.codes)
    return numbered


def _refuse_unseen(
    column: Coded, plain: Sequence[Any], is_new: NDArray[np.bool_], name: str
) -> None:
    new = [plain[place] for place in np.flatnonzero(is_new & column.used()).tolist()]
    new = [value for value in new if value is not None]
    if new:
        raise InvalidInputError(
            f"{name} holds levels that the training table did not: {listed(new)}. "
            "Leave those rows out, or train with unseen_category='missing', which takes them for "
            "missing values."
        )


def code_numbers(numbers: NDArray[Any], missing: NDArray[np.bool_] | None = None) -> Coded:
    """Return a column of numbers as codes; NaN is missing, and whatever else is said to be."""
    pandas = sys.modules.get("pandas")
    if pandas is not None and numbers.dtype.kind in "iuf" and numbers.dtype.itemsize >= 4:
        codes, values = pandas.factorize(np.ascontiguousarray(numbers))
    else:
        values, codes = np.unique(numbers, return_inverse=True)
        if numbers.dtype.kind == "f" and values.size and np.isnan(values[-1]):
            codes = np.where(np.isnan(numbers), -1, codes)
    if missing is not None:
        codes = np.where(missing, -1, codes)
    return Coded(codes, values.tolist())


def code_text(column: NDArray[Any]) -> Coded:
    """Return text, an array of numpy or Python objects with missing marks among them, as codes."""
    if column.dtype.kind in "UT":
        values, codes = np.unique(column, return_inverse=True)
        return Coded(codes, values.tolist())
    pandas = sys.modules.get("pandas")
    if pandas is not None:
        codes, values = pandas.factorize(column)
        return Coded(codes, values.tolist())
    rows = column.tolist()
    places: dict[Any, int] = {}
    for value in set(rows):
        places[value] = len(places) if isinstance(value, str) else -1
    text = [value for value in places if isinstance(value, str)]
    places |= {value: place for place, value in enumerate(text)}
    codes = np.fromiter(map(places.__getitem__, rows), np.int64, len(rows))
    return Coded(codes, text)
