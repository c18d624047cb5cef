"""Convert arrays to plain numbers, the types that the core reads.

Plain numbers are floats of 4 or 8 bytes, integers and booleans in native byte order. They are not
copied.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.messages import shown

__all__ = [
    "PLAIN_KINDS",
    "check_finite",
    "check_integers",
    "is_missing_mark",
    "numbers_from_objects",
    "plain_numbers",
    "read_array",
    "read_vector",
    "unmasked",
]

#: numpy kinds of the numbers that the core reads in place (int64 and uint64 up to 2^53).
PLAIN_KINDS = "fiub"
_LARGEST_INTEGER = 2**53
_TEXT = "Encode text and categories as numbers first."
_BYTES = "Decode bytes to text, or to the numbers that they hold."


def plain_numbers(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Return an array as plain numbers. ``name`` is for error messages."""
    numbers = array if type(array) is np.ndarray else unmasked(array)
    dtype = numbers.dtype
    if dtype.kind not in PLAIN_KINDS:
        numbers = _converted(numbers, name)
    elif dtype.kind == "f" and dtype.itemsize not in (4, 8):
        numbers = numbers.astype(np.float32 if dtype.itemsize < 4 else np.float64)
    if not numbers.dtype.isnative:
        numbers = numbers.astype(numbers.dtype.newbyteorder("="))
    return numbers


def unmasked(array: Any) -> NDArray[Any]:
    """Convert an array-like to an ndarray, with NaN for masked entries."""
    if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
        return np.where(np.ma.getmaskarray(array), np.nan, np.ma.getdata(array))
    return np.asarray(array)


def _converted(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Convert Python objects to float64. Raise for values that are not numbers."""
    kind = array.dtype.kind
    if kind == "c":
        raise InvalidInputError(
            f"Complex data not supported. {name} is {array.dtype}. Pass its real and imaginary "
            "parts as two columns."
        )
    if kind == "O":
        if array.ndim == 2:
            columns = [
                numbers_from_objects(array[:, j], f"Column {j}") for j in range(len(array.T))
            ]
            return np.column_stack(columns) if columns else array.astype(np.float64)
        return numbers_from_objects(array, name)
    raise InvalidInputError(
        f"{name} must be numbers. Got the type {array.dtype}. Encode text and categories as "
        "numbers, and dates as a number of days or seconds."
    )


def numbers_from_objects(column: NDArray[Any], name: str) -> NDArray[np.float64]:
    """Convert an object array of numbers and missing marks to float64."""
    text = next((value for value in column.flat if isinstance(value, str | bytes)), None)
    if text is not None:
        raise InvalidInputError(
            f"{name} must be numbers: could not convert string to float: {shown(text)}. "
            f"{_TEXT if isinstance(text, str) else _BYTES}"
        )
    if any(isinstance(value, Decimal) and value.is_snan() for value in column.flat):
        column = np.where(_missing_marks(column), np.nan, column)
    largest = max((abs(value) for value in column.flat if isinstance(value, int)), default=0)
    check_integers(name, 0, largest)
    if any(isinstance(value, complex | np.complexfloating) for value in column.flat):
        raise InvalidInputError(f"Complex data not supported. {name} holds complex numbers.")
    try:
        return column.astype(np.float64)
    except TypeError as error:
        missing = _missing_marks(column)
        if missing.any():
            return numbers_from_objects(np.where(missing, np.nan, column), name)
        raise InvalidTypeError(f"{name} must be numbers: {error}.") from None
    except (ValueError, OverflowError) as error:
        raise InvalidInputError(f"{name} must be numbers: {str(error).rstrip('.')}.") from None


def _missing_marks(column: NDArray[Any]) -> NDArray[np.bool_]:
    """Return a mask of None, pandas.NA and similar marks, which numpy does not convert."""
    marks = [is_missing_mark(value) for value in column.flat]
    return np.array(marks, dtype=np.bool_).reshape(column.shape)


def is_missing_mark(value: object) -> bool:
    """Whether a value is None, pandas.NA, pandas.NaT or a signaling NaN."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, Decimal) and value.is_snan()


def check_integers(name: str, smallest: int, largest: int) -> None:
    """Raise for integers that float64 does not represent exactly."""
    farthest = max(int(smallest), int(largest), key=abs)
    if abs(farthest) > _LARGEST_INTEGER:
        raise InvalidInputError(
            f"{name}: integers must lie between -2^53 and 2^53, where float64 is exact. Got "
            f"{farthest}. Subtract an offset from the column, convert it to float64 and accept the "
            "rounding, or name it in categorical_features if it is an identifier."
        )


def read_array(values: Any, name: str) -> NDArray[Any]:
    """Convert an array-like to an ndarray. ``name`` is for the error message."""
    try:
        return unmasked(values)
    except ValueError as error:  # a list of lists that are not equally long
        raise InvalidInputError(
            f"{name} is not a rectangular array: {str(error).rstrip('.')}. "
            "Pass lists of equal length."
        ) from None


def read_vector(values: Any, name: str, n_rows: int) -> NDArray[np.float64]:
    """Read one finite number per row as float64. ``name`` is for error messages."""
    array = read_array(values, name)
    if array.dtype.kind not in PLAIN_KINDS:
        array = _converted(array, name)
    if array.ndim != 1:
        raise InvalidInputError(
            f"{name} must be one-dimensional. Got shape {array.shape}. "
            "Pass one number per row, for example with numpy.ravel."
        )
    if len(array) != n_rows:
        raise InvalidInputError(
            f"{name} must have one value for each row. Got {len(array)} values for {n_rows} rows."
        )
    numbers = np.ascontiguousarray(array, dtype=np.float64)
    check_finite(numbers, name)
    return numbers


def check_finite(numbers: NDArray[np.float64], name: str) -> None:
    """Raise if a number is NaN or infinite."""
    bad = ~np.isfinite(numbers)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        value = "NaN" if np.isnan(numbers[where]) else "infinity"
        raise InvalidInputError(
            f"{name} must be finite. Got {value} in {np.count_nonzero(bad)} place(s), first in row "
            f"{where[0]}. Remove those rows or replace the values."
        )
