"""Any table becomes named, typed columns that are only referenced.

The life of a table:

1. :func:`read_table` takes what the user has: a numpy array, a DataFrame of pandas, polars or
   arrow, a scipy sparse matrix, or lists of rows. Numbers in memory are referenced, not copied.
2. :func:`join_tables` puts blocks of rows one after the other, :meth:`Table.take` drops rows.
3. :attr:`Table.parts` goes to the core, which reads the numbers where they lie.

NaN and the missing marks of other libraries mean a missing value, and whatever else a
:class:`ceiba.missing_values.Reading` names; infinities are ordinary values.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidInputError, InvalidTypeError
from ceiba.missing_values import PLAIN, Reading, without_marks
from ceiba.sparse_tables import dense_blocks, is_sparse

__all__ = ["BlockMemory", "Columns", "Table", "join_tables", "read_table", "read_vector"]

#: For each column the chunks that hold its rows.
Columns: TypeAlias = list[list[NDArray[Any]]]

#: What numpy calls numbers that the core reads in place (int64 and uint64 up to 2^53).
_PLAIN_KINDS = "fiub"
_LARGEST_INTEGER = 2**53


@dataclass(frozen=True)
class Table:
    """Columns of numbers; ``blocks`` are matrices, or lists of columns, one after the other."""

    blocks: list[NDArray[Any] | list[NDArray[Any]]]
    names: list[str] | None
    n_rows: int
    n_columns: int

    @cached_property
    def columns(self) -> Columns:
        """For each column the 1-D chunks that hold its rows, as views."""
        by_block = [
            [block[:, j] for j in range(self.n_columns)] if isinstance(block, np.ndarray) else block
            for block in self.blocks
        ]
        return [list(chunks) for chunks in zip(*by_block, strict=True)]

    @property
    def parts(self) -> list[NDArray[Any]] | Columns:
        """What the core reads: the matrices as they are, or else the chunks of each column."""
        matrices = [block for block in self.blocks if isinstance(block, np.ndarray)]
        return matrices if len(matrices) == len(self.blocks) else self.columns

    @property
    def kinds(self) -> tuple[str, ...]:
        """How each column is used. It does not depend on the number type that holds it."""
        return ("numeric",) * self.n_columns

    def take(self, keep: NDArray[np.bool_]) -> Table:
        """Return the rows where ``keep`` is true, copied in their own type."""
        blocks: list[NDArray[Any] | list[NDArray[Any]]] = []
        begin = 0
        for block in self.blocks:
            n_here = len(block) if isinstance(block, np.ndarray) else len(block[0])
            kept = keep[begin : begin + n_here]
            if isinstance(block, np.ndarray):
                blocks.append(block[kept])
            else:
                blocks.append([column[kept] for column in block])
            begin += n_here
        return Table(blocks, self.names, int(np.count_nonzero(keep)), self.n_columns)

    def select(self, order: Sequence[int]) -> Table:
        """Return the columns in another order."""
        names = None if self.names is None else [self.names[j] for j in order]
        blocks: list[NDArray[Any] | list[NDArray[Any]]] = [
            [block[:, j] for j in order]
            if isinstance(block, np.ndarray)
            else [block[j] for j in order]
            for block in self.blocks
        ]
        return Table(blocks, names, self.n_rows, len(order))


def read_table(
    data: Any, *, feature_names: Sequence[str] | None = None, reading: Reading = PLAIN
) -> Table:
    """Return any table as columns of numbers.

    Parameters
    ----------
    data : array, DataFrame, sparse matrix, list of rows, or Table
        Two-dimensional numbers.
    feature_names : sequence of str, optional
        Names of the columns; they replace the names that the table has.
    reading : Reading, optional
        What means missing besides NaN. A Table has been read already: only ``reading.missing`` is
        looked for.
    """
    if isinstance(data, Table):
        table = data
    elif isinstance(data, np.ndarray):
        table = _from_array(data)
    elif is_sparse(data):
        dense = dense_blocks(data, absent=np.nan if reading.zero_as_missing else 0.0)
        table = join_tables([_from_array(block) for block in dense])
    elif (frame := _as_frame(data)) is not None:
        table = _from_frame(frame)
    else:
        table = _from_array(_as_array(data))
    if table.n_columns == 0:
        raise InvalidInputError(
            f"Found array with 0 feature(s) (shape=({table.n_rows}, 0)) while a minimum of 1 is "
            "required. Give a table with at least one column."
        )
    names = table.names if feature_names is None else _listed_names(feature_names)
    if names is not None:
        _check_names(names, table.n_columns)
        plain = [str(name) for name in names]  # numpy's strings become Python's
        table = Table(table.blocks, plain, table.n_rows, table.n_columns)
    if reading.missing is not None:
        unmarked = [without_marks(block, reading.missing) for block in table.blocks]
        table = Table(unmarked, table.names, table.n_rows, table.n_columns)
    return table


def join_tables(tables: Sequence[Table]) -> Table:
    """Return the rows of several tables with the same columns, one after the other."""
    if len(tables) == 1:
        return tables[0]
    blocks = [block for table in tables for block in table.blocks]
    n_rows = sum(table.n_rows for table in tables)
    return Table(blocks, tables[0].names, n_rows, tables[0].n_columns)


class BlockMemory:
    """The memory that blocks lie in, to notice a block that lies where an earlier one lay."""

    def __init__(self) -> None:
        self._arrays: list[NDArray[Any]] = []
        # Bounds of all of it, sorted; stretches that overlap are one.
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, table: Table) -> None:
        """Remember the memory of a block; raise where it is that of an earlier one."""
        arrays = [
            array
            for block in table.blocks
            for array in ([block] if isinstance(block, np.ndarray) else block)
            if array.size
        ]
        bounds = [_byte_bounds(array) for array in arrays]
        for array, (start, end) in zip(arrays, bounds, strict=True):
            if self._reaches(start, end) and any(_share(array, other) for other in self._arrays):
                raise InvalidInputError(
                    "It lies in the memory of an earlier block, which it has overwritten. Give "
                    "each block memory of its own (yield buffer.copy()), or give a list of blocks."
                )
        self._arrays += arrays
        for start, end in bounds:
            self._join(start, end)

    def _reaches(self, start: int, end: int) -> bool:
        after = bisect_right(self._ends, start)
        return after < len(self._starts) and self._starts[after] < end

    def _join(self, start: int, end: int) -> None:
        first, last = bisect_left(self._ends, start), bisect_right(self._starts, end)
        if first < last:
            start, end = min(start, self._starts[first]), max(end, self._ends[last - 1])
        self._starts[first:last], self._ends[first:last] = [start], [end]


def _byte_bounds(array: NDArray[Any]) -> tuple[int, int]:
    """Return the first address of an array, and the one after its last."""
    first = last = array.__array_interface__["data"][0]
    for n, stride in zip(array.shape, array.strides, strict=True):
        first, last = first + min(0, (n - 1) * stride), last + max(0, (n - 1) * stride)
    return first, last + array.itemsize


def _share(one: NDArray[Any], other: NDArray[Any]) -> bool:
    try:
        return np.shares_memory(one, other, max_work=100_000)  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True


def read_vector(values: Any, name: str, n_rows: int) -> NDArray[np.float64]:
    """Return one finite number for each row as float64; ``name`` is for the error messages."""
    array = np.asarray(values)
    if array.dtype.kind not in _PLAIN_KINDS:
        array = _numbers_from(array, name)
    if array.ndim != 1:
        raise InvalidInputError(
            f"{name} must be one-dimensional. Got shape {array.shape}. "
            "Give one number for each row, for instance with numpy.ravel."
        )
    if len(array) != n_rows:
        raise InvalidInputError(
            f"{name} must have one value for each row. Got {len(array)} values for {n_rows} rows."
        )
    numbers = np.ascontiguousarray(array, dtype=np.float64)
    check_finite(numbers, name)
    return numbers


def check_finite(numbers: NDArray[np.float64], name: str) -> None:
    """Raise where a number is NaN or infinite."""
    bad = ~np.isfinite(numbers)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        value = "NaN" if np.isnan(numbers[where]) else "infinity"
        raise InvalidInputError(
            f"{name} must be finite. Got {value} in {np.count_nonzero(bad)} place(s), first in row "
            f"{where[0]}. Remove those rows or replace the values."
        )


# ---- numpy and lists ---------------------------------------------------------------------------


def _from_array(array: NDArray[Any], name: str = "The table") -> Table:
    if array.ndim != 2:
        advice = (
            "Reshape your data either using array.reshape(-1, 1) if your data has a single feature "
            "or array.reshape(1, -1) if it contains a single sample."
        )
        raise InvalidInputError(
            f"Expected 2D array, got {'scalar' if array.ndim == 0 else f'{array.ndim}D'} array "
            f"instead, of shape {array.shape}. {advice}"
        )
    numbers = array if type(array) is np.ndarray else _plain_array(array)
    dtype = numbers.dtype
    if dtype.kind not in _PLAIN_KINDS:
        numbers = _numbers_from(numbers, name)
    elif dtype.kind == "f" and dtype.itemsize not in (4, 8):
        numbers = numbers.astype(np.float32 if dtype.itemsize < 4 else np.float64)
    if not numbers.dtype.isnative:
        numbers = numbers.astype(numbers.dtype.newbyteorder("="))
    return Table([numbers], None, numbers.shape[0], numbers.shape[1])


def _plain_array(array: NDArray[Any]) -> NDArray[Any]:
    """Return a subclass of ndarray as an ndarray; what a masked array hides is missing."""
    if isinstance(array, np.ma.MaskedArray) and np.ma.is_masked(array):
        return np.where(np.ma.getmaskarray(array), np.nan, np.ma.getdata(array))
    return np.asarray(array)


def _as_array(data: Any) -> NDArray[Any]:
    """Return lists of rows, or anything that numpy takes, as an array."""
    if isinstance(data, dict | set | str | bytes) or data is None:
        raise InvalidTypeError(
            f"A table must be an array, a DataFrame, a sparse matrix or a list of rows. Got "
            f"{type(data).__name__}. Make a DataFrame of it first."
        )
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise InvalidInputError(
            f"The rows must be numbers and have the same length. numpy says: {error}"
        ) from None
    if array.dtype.kind in "US" and not isinstance(data, np.ndarray):
        array = np.asarray(data, dtype=object)  # so that the numbers among the text stay numbers
    return array


def _numbers_from(array: NDArray[Any], name: str) -> NDArray[Any]:
    """Return numbers held as Python objects as float64; explain what cannot be a number."""
    kind = array.dtype.kind
    if kind == "c":
        raise InvalidInputError(
            f"Complex data not supported. {name} is {array.dtype}. Give its real and imaginary "
            "parts as two columns."
        )
    if kind == "O":
        if array.ndim == 2:
            columns = [
                _column_from_objects(array[:, j], f"Column {j}") for j in range(len(array.T))
            ]
            return np.column_stack(columns) if columns else array.astype(np.float64)
        return _column_from_objects(array, name)
    raise InvalidInputError(
        f"{name} must be numbers. Got the type {array.dtype}. Encode text and categories as "
        "numbers, and dates as a number of days or seconds."
    )


def _column_from_objects(column: NDArray[Any], name: str) -> NDArray[np.float64]:
    text = next((value for value in column.flat if isinstance(value, str | bytes)), None)
    if text is not None:
        raise InvalidInputError(
            f"{name} must be numbers: could not convert string to float: {text!r}. Encode text and "
            "categories as numbers first."
        )
    largest = max((abs(value) for value in column.flat if isinstance(value, int)), default=0)
    if largest > _LARGEST_INTEGER:
        _raise_large_integer(name, largest)
    if any(isinstance(value, complex | np.complexfloating) for value in column.flat):
        raise InvalidInputError(f"Complex data not supported. {name} holds complex numbers.")
    try:
        return column.astype(np.float64)
    except TypeError as error:
        missing = _missing_marks(column)
        if missing.any():
            return _column_from_objects(np.where(missing, np.nan, column), name)
        raise InvalidTypeError(f"{name} must be numbers: {error}.") from None
    except (ValueError, OverflowError) as error:
        raise InvalidInputError(f"{name} must be numbers: {error}.") from None


def _missing_marks(column: NDArray[Any]) -> NDArray[np.bool_]:
    """Return where pandas.NA stands, which numpy does not take for a number."""
    marks = [is_missing_mark(value) for value in column.flat]
    return np.array(marks, dtype=np.bool_).reshape(column.shape)


def is_missing_mark(value: object) -> bool:
    """Whether it is None, or what pandas puts where there is no value."""
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _raise_large_integer(name: str, value: int) -> None:
    raise InvalidInputError(
        f"{name}: integers must lie between -2^53 and 2^53, where float64 is exact. Got {value}. "
        "Subtract an offset from the column, or convert it to float64 and accept the rounding."
    )


# ---- DataFrames --------------------------------------------------------------------------------


def _as_frame(data: Any) -> Any:
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
        raise InvalidTypeError(
            f"The table must be in memory. Got a {type(data).__module__} {type(data).__name__}, "
            "which is lazy. Call .collect() on it first."
        )
    return None


def _from_frame(frame: Any) -> Table:
    labels = list(frame.columns)
    n_named = sum(isinstance(label, str) for label in labels)
    if 0 < n_named < len(labels):
        kinds = sorted({type(label).__name__ for label in labels})
        raise InvalidTypeError(
            "Feature names are only supported if all input features have string names, but your "
            f"input has {kinds} as feature name / column name types. Convert them with "
            "X.columns = X.columns.astype(str)."
        )
    n_rows, n_columns = frame.shape
    names = labels if labels and n_named == len(labels) else None
    if names is not None:
        _check_names(names, n_columns)
    matrix = _pandas_matrix(frame)
    if matrix is not None:
        return Table([matrix], names, n_rows, n_columns)
    series = [frame[:, j] for j in range(n_columns)]
    columns = [_from_series(column, label) for column, label in zip(series, labels, strict=True)]
    return Table([columns], names, n_rows, n_columns)


def _pandas_matrix(frame: Any) -> NDArray[Any] | None:
    """Return the one matrix that holds all columns of a pandas DataFrame, if there is one."""
    if not frame.implementation.is_pandas():
        return None
    native = frame.to_native()
    dtypes = set(native.dtypes)
    if len(dtypes) != 1 or not isinstance(dtype := dtypes.pop(), np.dtype):
        return None
    if dtype.kind not in _PLAIN_KINDS or (dtype.kind == "f" and dtype.itemsize not in (4, 8)):
        return None
    matrix = native.to_numpy()
    # A frame of several blocks would be copied together: then reference its columns one by one.
    shared = matrix.shape[1] > 0 and np.may_share_memory(matrix, native.iloc[:, 0].to_numpy())
    return matrix if shared and type(matrix) is np.ndarray else None


def _from_series(series: Any, label: object) -> NDArray[Any]:
    import narwhals as nw

    name = f"Column {label!r}"
    native = series.to_native()
    if type(getattr(native, "dtype", None)).__name__ == "SparseDtype":  # of pandas
        dense = np.asarray(native.sparse.to_dense())
        if dense.dtype.kind == "O":
            return _column_from_objects(dense, name)
        return _from_array(dense[:, None], name).columns[0][0]
    dtype = series.dtype
    n_missing = series.null_count()
    if n_missing == len(series):
        return np.full(len(series), np.nan)
    if dtype == nw.Object:
        return _column_from_objects(np.asarray(series.to_numpy(), dtype=object), name)
    if not (dtype.is_numeric() or dtype == nw.Boolean):
        raise InvalidInputError(
            f"{name} must be numbers. Got the type {dtype}. Encode text and categories as "
            "numbers, and dates as a number of days or seconds, or leave the column out."
        )
    if n_missing and dtype.is_integer():
        smallest, largest = series.min(), series.max()
        if largest is not None and max(abs(int(smallest)), abs(int(largest))) > _LARGEST_INTEGER:
            _raise_large_integer(name, max(int(smallest), int(largest), key=abs))
    if dtype.is_decimal() or (n_missing and not dtype.is_float()):
        series = series.cast(nw.Float64)
    array = np.asarray(series.to_numpy())
    if array.dtype.kind == "O":
        return _column_from_objects(array, name)
    if array.dtype.kind == "c":
        raise InvalidInputError(f"Complex data not supported. {name} holds complex numbers.")
    if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
        array = array.astype(np.float32 if array.dtype.itemsize < 4 else np.float64)
    return array


def _listed_names(names: Any) -> list[Any]:
    if isinstance(names, str | bytes) or not isinstance(names, Iterable):
        raise InvalidTypeError(
            f"feature_names must be a list of strings, one for each column. Got {names!r}."
        )
    return list(names)


def _check_names(names: Sequence[str], n_columns: int) -> None:
    if not all(isinstance(name, str) for name in names):
        raise InvalidTypeError(f"feature_names must be strings. Got {list(names)!r}.")
    if len(names) != n_columns:
        raise InvalidInputError(
            f"feature_names must name every column. Got {len(names)} names for {n_columns} columns."
        )
    if len(set(names)) != len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise InvalidInputError(
            f"Columns must have different names. Got more than one column called {_listed(twice)}. "
            "Rename or drop one of them."
        )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names)
