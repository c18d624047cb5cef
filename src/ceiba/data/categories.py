"""Convert categorical columns from codes of any dictionary to level numbers of a schema.

The life of a categorical column:

1. A reader makes codes and their values (:class:`Coded`) from the dictionary of the column, or by
   factorizing it.
2. :func:`used_levels` returns the levels of a training table: its sorted distinct values.
3. :func:`level_numbers` looks up each dictionary value among these levels, and maps codes to level
   numbers, NaN for missing values. Later tables may have any dictionary.

Cost: one lookup per dictionary value, and one vectorized gather for all rows.
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

__all__ = ["Coded", "code_numbers", "code_text", "level_numbers", "unseen_error", "used_levels"]

#: 32-bit floats represent all integers up to this one.
_LARGEST_FLOAT32_INTEGER = 2**24
#: Ratio of dictionary values to rows above which unused values are dropped before the lookup.
_SPARSE_DICTIONARY = 4


@dataclass(frozen=True, eq=False)
class Coded:
    """A column as codes: indices in ``values``, negative for missing values."""

    codes: NDArray[Any]
    values: Sequence[Any]  # or an Index of pandas

    def compact(self) -> Coded:
        """Drop unused values if the dictionary is much larger than the column."""
        if len(self.values) <= _SPARSE_DICTIONARY * len(self.codes) + 16:
            return self
        used, codes = np.unique(self.codes, return_inverse=True)
        first = int(np.count_nonzero(used < 0))
        return Coded(codes - first, [self.values[code] for code in used[first:].tolist()])

    def used(self) -> NDArray[np.bool_]:
        """Return a mask of the values that occur in some row."""
        counts = np.bincount(self.codes[self.codes >= 0], minlength=len(self.values))
        return counts > 0


def used_levels(column: Coded, missing: float | None = None) -> tuple[Any, ...]:
    """Return the sorted levels that occur in rows, without the number ``missing``."""
    used = np.flatnonzero(column.used()).tolist()
    every = plain_levels(column.values)  # all at once: indexing a pandas Index by value is slow
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
    """Return the level number of each row, NaN if missing, ``unseen`` if not in ``numbers``.

    The number ``missing`` is a missing value. With ``refuse``, the description of the column,
    unseen categories raise an error.
    """
    column = column.compact()
    plain = plain_levels(column.values)
    dtype = np.float32 if len(numbers) <= _LARGEST_FLOAT32_INTEGER else np.float64
    # The last entry is for code -1.
    found: NDArray[Any] = np.full(len(plain) + 1, np.nan, dtype=dtype)
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
        raise unseen_error(name, new)


def unseen_error(name: str, new: Sequence[Any]) -> InvalidInputError:
    """Return the error for categories ``new`` that are not in the training table."""
    return InvalidInputError(
        f"{name} contains categories that are not in the training table: {listed(new)}. Drop "
        "those rows, or train with unseen_category='missing' to treat them as missing values."
    )


def code_numbers(numbers: NDArray[Any], missing: NDArray[np.bool_] | None = None) -> Coded:
    """Factorize a column of numbers. NaN and the rows of the mask ``missing`` are missing."""
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
    """Factorize text: a string array of numpy, or Python objects with missing marks."""
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
