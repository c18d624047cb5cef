"""DataFrames of pandas, polars and arrow become named columns of plain numbers.

The life of a DataFrame:

1. :func:`as_frame` recognizes it, through narwhals;
2. :func:`frame_names` are the names of its columns;
3. :func:`frame_block` refers to the numbers of its columns where they lie.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.block import ColumnsBlock, MatrixBlock
from ceiba.data.plain_numbers import (
    PLAIN_KINDS,
    check_integers,
    is_missing_mark,
    numbers_from_objects,
    plain_numbers,
)
from ceiba.errors import InvalidInputError, InvalidTypeError

__all__ = ["as_frame", "check_in_memory", "frame_block", "frame_names"]

#: What brings a table into memory, by the library that it is of.
_INTO_MEMORY = {
    "dask": ".compute()",
    "dask_expr": ".compute()",
    "duckdb": ".df()",
    "ibis": ".to_pandas()",
    "pyspark": ".toPandas()",
    "polars": ".collect()",
}


def as_frame(data: Any) -> Any:
    """Return a narwhals DataFrame of what narwhals knows, else None."""
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
            f"Columns must have different names. {error}. Rename or drop one of them."
        ) from None
    if isinstance(found, nw.DataFrame):
        return found
    if isinstance(found, nw.LazyFrame):
        raise _not_in_memory(data, "The table")
    check_in_memory(data)
    return None


def check_in_memory(data: Any, name: str = "The table") -> None:
    """Refuse what only says how a table or a column is made, and is no array either."""
    if type(data).__module__.split(".")[0] in _INTO_MEMORY and not hasattr(data, "__array__"):
        raise _not_in_memory(data, name)


def _not_in_memory(data: Any, name: str) -> InvalidTypeError:
    """Return an error that says how to bring something of another library into memory."""
    kind = type(data)
    library = kind.__module__.split(".")[0]
    call = _INTO_MEMORY.get(library, ".collect()")
    return InvalidTypeError(
        f"{name} must be in memory. Got a {library} {kind.__name__}, which is not. Call {call} on "
        "it first."
    )


def frame_names(frame: Any) -> list[str] | None:
    """Return the names of the columns; labels that are all no strings are no names."""
    labels = list(frame.columns)
    n_named = sum(isinstance(label, str) for label in labels)
    if 0 < n_named < len(labels):
        kinds = sorted({type(label).__name__ for label in labels})
        raise InvalidTypeError(
            "Feature names are only supported if all input features have string names, but your "
            f"input has {kinds} as feature name / column name types. Convert them with "
            "X.columns = X.columns.astype(str)."
        )
    return labels if n_named else None


def frame_block(frame: Any, *, zero_as_missing: bool = False) -> MatrixBlock | ColumnsBlock:
    """Return the one matrix that holds the columns, or else the columns.

    With ``zero_as_missing``, zeros that a sparse column does not hold are NaN.
    """
    matrix = _pandas_matrix(frame)
    if matrix is not None:
        return MatrixBlock(matrix)
    labels = enumerate(frame.columns)
    return ColumnsBlock([_from_series(frame[:, j], label, zero_as_missing) for j, label in labels])


def _pandas_matrix(frame: Any) -> NDArray[Any] | None:
    """Return the one matrix that holds all columns of a pandas DataFrame, if there is one."""
    if not frame.implementation.is_pandas():
        return None
    native = frame.to_native()
    dtypes = set(native.dtypes)
    if len(dtypes) != 1 or not isinstance(dtype := dtypes.pop(), np.dtype):
        return None
    if dtype.kind not in PLAIN_KINDS or (dtype.kind == "f" and dtype.itemsize not in (4, 8)):
        return None
    matrix = native.to_numpy()
    # A frame of several blocks would be copied together: then reference its columns one by one.
    shared = matrix.shape[1] > 0 and np.may_share_memory(matrix, native.iloc[:, 0].to_numpy())
    return matrix if shared and type(matrix) is np.ndarray else None


def _from_series(series: Any, label: object, zero_as_missing: bool) -> NDArray[Any]:
    import narwhals as nw

    name = f"Column {label!r}"
    native = series.to_native()
    if type(getattr(native, "dtype", None)).__name__ == "SparseDtype":  # of pandas
        numbers = plain_numbers(np.asarray(native.sparse.to_dense()), name)
        return _without_absent(numbers, native.array, name) if zero_as_missing else numbers
    dtype = series.dtype
    n_missing = series.null_count()
    if n_missing == len(series):
        return np.full(len(series), np.nan)
    if dtype == nw.Object:
        return numbers_from_objects(np.asarray(series.to_numpy(), dtype=object), name)
    if not (dtype.is_numeric() or dtype == nw.Boolean):
        raise InvalidInputError(
            f"{name} must be numbers. Got the type {dtype}. Encode text and categories as "
            "numbers, and dates as a number of days or seconds, or leave the column out."
        )
    is_wide = dtype in (nw.Int128, nw.UInt128)  # which numpy does not have
    if (n_missing or is_wide) and dtype.is_integer():
        smallest, largest = series.min(), series.max()
        if largest is not None:
            check_integers(name, smallest, largest)
    if is_wide or dtype.is_decimal() or (n_missing and not dtype.is_float()):
        series = series.cast(nw.Float64)
    array = np.asarray(series.to_numpy())
    if array.dtype.kind == "O":
        return numbers_from_objects(array, name)
    if array.dtype.kind == "c":
        raise InvalidInputError(f"Complex data not supported. {name} holds complex numbers.")
    if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
        array = array.astype(np.float32 if array.dtype.itemsize < 4 else np.float64)
    return array


def _without_absent(numbers: NDArray[Any], sparse: Any, name: str) -> NDArray[Any]:
    """Return the numbers of a sparse array of pandas with NaN where it holds no entry.

    Only if such places mean zero, as in a sparse matrix: pandas may fill them with any value. A
    zero that was written down stays one.
    """
    fill = sparse.fill_value
    if is_missing_mark(fill) or fill != 0:
        return numbers
    if numbers.dtype.kind in "iu" and numbers.size:
        check_integers(name, numbers.min(), numbers.max())
    held = sparse.sp_index.to_int_index().indices
    changed = np.full(numbers.shape, np.nan, numbers.dtype if numbers.dtype.kind == "f" else float)
    changed[held] = numbers[held]
    return changed
