"""Read DataFrames of pandas, polars and arrow into named columns.

The life of a DataFrame:

1. :func:`as_frame` recognizes it, through narwhals.
2. :func:`frame_names` returns its column names.
3. :func:`frame_matrix` references its numbers without a copy if they form one matrix. Otherwise
   :func:`frame_columns` reads each column: numbers in place, dates as days, text and categorical
   types as codes (``from_dictionary.py``).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.block import SparseColumn
from ceiba.data.from_dictionary import code_series
from ceiba.data.plain_numbers import (
    PLAIN_KINDS,
    check_integers,
    is_missing_mark,
    plain_numbers,
)
from ceiba.data.read_column import (
    How,
    ReadColumn,
    as_category,
    read_array_column,
    read_each,
)
from ceiba.errors import InvalidInputError, InvalidTypeError

__all__ = ["as_frame", "check_in_memory", "frame_columns", "frame_matrix", "frame_names"]

#: The method that loads a table into memory, by library.
_INTO_MEMORY = {
    "dask": ".compute()",
    "dask_expr": ".compute()",
    "duckdb": ".df()",
    "ibis": ".to_pandas()",
    "pyspark": ".toPandas()",
    "polars": ".collect()",
}


def as_frame(data: Any) -> Any:
    """Return a narwhals DataFrame, or None if narwhals does not support the type."""
    if isinstance(data, list | tuple):
        return None
    import narwhals as nw

    arrow = sys.modules.get("pyarrow")
    if arrow is not None and isinstance(data, arrow.RecordBatch):
        data = arrow.Table.from_batches([data])

    try:
        found = nw.from_native(data, pass_through=True)
    except nw.exceptions.DuplicateError as error:
        raise InvalidInputError(
            f"Column names must be unique. {error}. Rename or drop the duplicates."
        ) from None
    if isinstance(found, nw.DataFrame):
        return found
    if isinstance(found, nw.LazyFrame):
        raise _not_in_memory(data, "The table")
    check_in_memory(data)
    return None


def check_in_memory(data: Any, name: str = "The table") -> None:
    """Raise if ``data`` is a lazy table or column that does not convert to an array."""
    if type(data).__module__.split(".")[0] in _INTO_MEMORY and not hasattr(data, "__array__"):
        raise _not_in_memory(data, name)


def _not_in_memory(data: Any, name: str) -> InvalidTypeError:
    """Return the error for a lazy table. It suggests the method that loads the table."""
    kind = type(data)
    library = kind.__module__.split(".")[0]
    call = _INTO_MEMORY.get(library, ".collect()")
    return InvalidTypeError(
        f"{name} must be in memory. Got a lazy {kind.__name__} of {library}. Call {call} on it "
        "first."
    )


def frame_names(frame: Any) -> list[str] | None:
    """Return the column names, or None for the default labels 0, 1, 2, …"""
    labels = list(frame.columns)
    n_named = sum(isinstance(label, str) for label in labels)
    if 0 < n_named < len(labels):
        kinds = sorted({type(label).__name__ for label in labels})
        raise InvalidTypeError(
            "Feature names are only supported if all input features have string names, but your "
            f"input has {kinds} as feature name / column name types. Convert them with "
            "X.columns = X.columns.astype(str)."
        )
    if not n_named and labels == list(range(len(labels))):
        return None
    return [str(label) for label in labels]


def frame_matrix(frame: Any) -> NDArray[Any] | None:
    """Return the matrix of a pandas DataFrame if a single one holds all columns, else None."""
    if not frame.implementation.is_pandas():
        return None
    native = frame.to_native()
    dtypes = set(native.dtypes)
    if len(dtypes) != 1 or not isinstance(dtype := dtypes.pop(), np.dtype):
        return None
    if dtype.kind not in PLAIN_KINDS or (dtype.kind == "f" and dtype.itemsize not in (4, 8)):
        return None
    if not dtype.isnative:
        return None
    matrix = native.to_numpy()
    # pandas would copy a frame of several blocks. Its columns are referenced one by one instead.
    shared = matrix.shape[1] > 0 and np.may_share_memory(matrix, native.iloc[:, 0].to_numpy())
    return matrix if shared and type(matrix) is np.ndarray else None


def frame_columns(
    frame: Any, hows: Sequence[How], *, zero_as_missing: bool = False
) -> list[ReadColumn]:
    """Read each column as requested in ``hows``.

    With ``zero_as_missing``, the implicit zeros of sparse columns are NaN.
    """
    series = (
        (frame[:, j], f"Column {label!r}", how)
        for j, (label, how) in enumerate(zip(frame.columns, hows, strict=True))
    )
    return read_each(partial(_from_series, zero_as_missing=zero_as_missing), series)


def _from_series(series: Any, name: str, how: How, *, zero_as_missing: bool) -> ReadColumn:
    import narwhals as nw

    native = series.to_native()
    if type(getattr(native, "dtype", None)).__name__ == "SparseDtype":  # of pandas
        return _from_sparse(native.array, name, how, zero_as_missing=zero_as_missing)
    own = getattr(native, "dtype", None)
    if isinstance(own, np.dtype) and (own.kind == "O" or not own.isnative):
        # Neither pandas nor narwhals reads signaling NaNs and other byte orders.
        array = np.asarray(native)
        if own.kind != "O":
            return read_array_column(array.astype(own.newbyteorder("=")), name, how)
        if any(isinstance(value, Decimal) and value.is_snan() for value in array.tolist()):
            return read_array_column(array, name, how)
    dtype = series.dtype
    is_text = dtype in (nw.Categorical, nw.Enum, nw.String)
    if is_text and how != "numbers":
        return ReadColumn(code_series(series), "category")
    if dtype in (nw.Datetime, nw.Date, nw.Duration):  # before all-missing columns become numbers
        return _from_dates(series, name, how)
    n_missing = series.null_count()
    if n_missing == len(series):
        return ReadColumn(np.full(len(series), np.nan))
    if dtype == nw.Object:
        return read_array_column(np.asarray(series.to_numpy(), dtype=object), name, how)
    if not (dtype.is_numeric() or dtype == nw.Boolean):
        own = getattr(native, "dtype", dtype) if dtype == nw.Unknown else dtype
        raise InvalidInputError(_unreadable(name, own, how))
    if how == "category" and (dtype.is_integer() or dtype == nw.Boolean):
        missing = np.asarray(series.is_null().to_numpy()) if n_missing else None
        zero = False if dtype == nw.Boolean else 0
        filled = series.fill_null(zero) if n_missing else series
        return as_category(np.asarray(filled.to_numpy()), missing)
    numbers = _numbers(series, name, n_missing)
    return as_category(numbers) if how == "category" else ReadColumn(numbers)


def _unreadable(name: str, dtype: Any, how: How) -> str:
    if how == "numbers":
        return (
            f"{name} must be numbers. Got the type {dtype}. Encode text and categories as "
            "numbers, and dates as a number of days or seconds, or drop the column."
        )
    return (
        f"{name} must be numbers, text, categories or dates. Got the type {dtype}. Convert the "
        "column to one of these types, or drop it."
    )


def _from_dates(series: Any, name: str, how: How) -> ReadColumn:
    import narwhals as nw

    dtype = series.dtype
    if dtype == nw.Datetime and dtype.time_zone is not None:
        series = series.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
    array = np.asarray(series.to_numpy())
    return read_array_column(array, name, how)


def _numbers(series: Any, name: str, n_missing: int) -> NDArray[Any]:
    import narwhals as nw

    dtype = series.dtype
    is_wide = dtype in (nw.Int128, nw.UInt128)  # not supported by numpy
    if (n_missing or is_wide) and dtype.is_integer():
        smallest, largest = series.min(), series.max()
        if largest is not None:
            check_integers(name, smallest, largest)
    if is_wide or dtype.is_decimal() or (n_missing and not dtype.is_float()):
        series = series.cast(nw.Float64)
    array = np.asarray(series.to_numpy())
    if array.dtype.kind == "c":
        raise InvalidInputError(f"Complex data not supported. {name} holds complex numbers.")
    return plain_numbers(array, name)


def _from_sparse(array: Any, name: str, how: How, *, zero_as_missing: bool) -> ReadColumn:
    """Read a sparse column of pandas. It stays sparse unless it is a category.

    With ``zero_as_missing``, rows without an entry are missing if the fill value is 0. Explicit
    zeros stay zeros.
    """
    fill = array.fill_value
    values = plain_numbers(np.asarray(array.sp_values), name)
    absent = np.nan if is_missing_mark(fill) else float(fill)
    if zero_as_missing and absent == 0:
        absent = np.nan
    rows = array.sp_index.to_int_index().indices.astype(np.int32, copy=False)
    column = SparseColumn(values, rows, len(array), absent)
    if how == "category":
        return read_array_column(column.dense(), name, how)
    return ReadColumn(column)
