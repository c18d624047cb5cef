"""Read any table into a `Table`: named columns of numbers, days and category codes.

The life of a table that is read:

1. :func:`read_table` takes a numpy array, a DataFrame of pandas, polars or arrow, a scipy sparse
   matrix, or a list of rows. ``categorical`` selects the categorical columns.
2. ``read_column.py`` reads each column as the requested kind. One error lists all unreadable
   columns.
3. Each categorical column gets its sorted levels. For later tables, :func:`read_like` uses the
   levels of the training schema instead.

NaN, the missing marks of other libraries and the value of
:class:`ceiba.data.missing_values.Reading` are missing values. Infinities are ordinary values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.block import Block, ColumnsBlock, MatrixBlock, SparseColumn, dense_values
from ceiba.data.categories import Coded, level_numbers, used_levels
from ceiba.data.dates import are_texts_of_dates
from ceiba.data.from_frame import as_frame, frame_columns, frame_matrix, frame_names
from ceiba.data.from_records import are_records, read_records
from ceiba.data.from_sparse import is_sparse, sparse_blocks
from ceiba.data.levels import check_levels
from ceiba.data.matching import check_days, numbers_of, warn_of_kinds
from ceiba.data.missing_values import PLAIN, Reading, without_marks
from ceiba.data.plain_numbers import plain_numbers, unmasked
from ceiba.data.read_column import How, ReadColumn, is_missing, read_array_column, read_each
from ceiba.data.schema import Schema
from ceiba.data.table import Table
from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError
from ceiba.messages import listed, shown, warn
from ceiba.parameters.constraints import is_iterable

__all__ = ["as_categorical", "category_positions", "read_like", "read_table"]


def read_table(
    data: Any,
    *,
    feature_names: Sequence[str] | None = None,
    reading: Reading = PLAIN,
    categorical: Any = "auto",
) -> Table:
    """Read any table into columns of numbers.

    Parameters
    ----------
    data : array, DataFrame, sparse matrix, list of rows or of dictionaries, or Table
        Two-dimensional.
    feature_names : sequence of str, optional
        Column names. They replace the names in ``data``.
    reading : Reading, optional
        Which values are missing besides NaN.
    categorical : "auto", "none" or a list of columns
        Categorical columns. "auto": columns of text or of a categorical type. "none": no column.
        A list adds columns, given by name or position, to those of "auto".
    """
    if isinstance(data, Table):
        table = (
            data if feature_names is None else data.renamed(_checked(feature_names, data.n_columns))
        )
        return as_categorical(table, categorical)
    source, names, counted = _opened(data, reading)
    n_columns = _n_columns(source)
    if feature_names is not None:
        names = _checked(feature_names, n_columns)
    plain = Schema.of(names, n_columns, reading, counted=counted)
    if categorical == "none":
        hows: list[How] = ["numbers"] * n_columns
    else:
        chosen = category_positions(categorical, plain)
        hows = ["category" if j in chosen else "auto" for j in range(n_columns)]
    table = _table(_columns(source, hows, reading), plain, hows)
    _warn_of_dates(table.schema, hows)
    return table


def read_like(data: Any, schema: Schema) -> Table:
    """Read a table with the kinds, levels and missing values of ``schema``.

    Columns keep their order. Columns that are not in ``schema`` are read as in a new table.
    """
    if isinstance(data, Table):
        return data
    source, names, counted = _opened(data, schema.reading)
    # Fast path: converting a wide sparse matrix column by column would take longer than predicting.
    numbers = isinstance(source, list) and schema.holds_numbers
    if numbers and _n_columns(source) == schema.n_features:
        return Table(tuple(_without(source, schema.reading)), schema)
    plain = Schema.of(names, _n_columns(source), schema.reading, counted=counted)
    places = _places(plain, schema)
    known = None if places is None else schema.selected(places)
    if known is not None and (known.names, known.named) != (plain.names, plain.named):
        known = replace(known, names=plain.names, named=plain.named, counted=counted)
    hows: list[How] = [
        "category" if known is not None and known.kinds[j] == "category" else "auto"
        for j in range(plain.n_features)
    ]
    columns = _columns(source, hows, schema.reading)
    if isinstance(columns, list) and known is not None:
        columns = read_each(_of_kind, ((column, known, j) for j, column in enumerate(columns)))
        warn_of_kinds(_first_levels(columns), known)
        plain = known
    return _table(columns, plain, hows)


def as_categorical(table: Table, categorical: Any) -> Table:
    """Return the table with the columns that ``categorical`` lists as categories."""
    if categorical == "auto":
        return table
    if categorical != "none":
        return table.with_categories(sorted(category_positions(categorical, table.schema)))
    if table.schema.has_categories:
        found = [
            name
            for name, kind in zip(table.schema.names, table.schema.kinds, strict=True)
            if kind == "category"
        ]
        raise InvalidInputError(
            "categorical_features='none' does not allow columns of text or of a categorical type. "
            f"Got {listed(found)}. Encode them as numbers, drop them or set "
            "categorical_features='auto'."
        )
    return table


def category_positions(categorical: Any, schema: Schema) -> set[int]:
    """Return the positions of the columns that a user listed as categories."""
    if isinstance(categorical, str):
        return set()
    called = "categorical_features"
    given = list(categorical)
    if given and all(isinstance(flag, bool | np.bool_) for flag in given):
        if len(given) != schema.n_features:
            raise InvalidParameterError(
                f"{called} must be a list of columns, or a mask with one entry for each of the "
                f"{schema.n_features} columns. Got a mask of {len(given)}."
            )
        return {j for j, flag in enumerate(given) if flag}
    return {schema.position_of(column, called) for column in given}


# ---- sources and columns ---------------------------------------------------------------------


def _opened(data: Any, reading: Reading) -> tuple[Any, list[str] | None, bool]:
    """Return the source (narwhals frame, sparse blocks or matrix), its column names and whether it
    is a frame with the column labels 0, 1, 2, …
    """
    if isinstance(data, np.ndarray):
        return _matrix(data), None, False
    if is_sparse(data):
        return sparse_blocks(data, zero_as_missing=reading.zero_as_missing), None, False
    if are_records(data):
        matrix, names = read_records(data)
        _check_names(names, len(names))
        return matrix, names, False
    frame = as_frame(data)
    if frame is None:
        return _matrix(_as_array(data)), None, False
    found = frame_names(frame)
    if found is not None:
        _check_names(found, frame.shape[1])
    return frame, found, found is None


def _n_columns(source: Any) -> int:
    n_rows, n_columns = source[0].shape if isinstance(source, list) else source.shape
    if n_columns == 0:
        raise InvalidInputError(
            f"Found array with 0 feature(s) (shape=({n_rows}, 0)) while a minimum of 1 is "
            "required. Pass a table with at least one column."
        )
    return int(n_columns)


def _columns(
    source: Any, hows: Sequence[How], reading: Reading
) -> tuple[Block, ...] | list[ReadColumn]:
    """Return blocks if all columns are numeric, otherwise the columns one by one."""
    named = "category" in hows
    if isinstance(source, list):
        if not named:
            return tuple(_without(source, reading))
        columns = [
            read_array_column(dense_values(column), f"Column {j}", how)
            if how == "category"
            else ReadColumn(column)
            for j, (column, how) in enumerate(zip(source[0].columns(), hows, strict=True))
        ]
    elif isinstance(source, np.ndarray):
        if source.dtype.kind not in "OUTmM" and not named:
            return tuple(_without([MatrixBlock(plain_numbers(source, "The table"))], reading))
        given = ((source[:, j], f"Column {j}", how) for j, how in enumerate(hows))
        columns = read_each(read_array_column, given)
        arrays = [column.values for column in columns if isinstance(column.values, np.ndarray)]
        if len(arrays) == len(columns) and {column.kind for column in columns} == {"numeric"}:
            return tuple(_without([MatrixBlock(np.column_stack(arrays))], reading))
    else:
        matrix = None if named else frame_matrix(source)
        if matrix is not None:
            return tuple(_without([MatrixBlock(matrix)], reading))
        columns = frame_columns(source, hows, zero_as_missing=reading.zero_as_missing)
    if reading.missing is None:
        return columns
    return [_without_mark(column, reading.missing) for column in columns]


def _without(blocks: Iterable[Block], reading: Reading) -> list[Block]:
    missing = reading.missing
    return [block if missing is None else block.without(missing) for block in blocks]


def _without_mark(column: ReadColumn, missing: float) -> ReadColumn:
    values = column.values
    if not isinstance(values, Coded):
        if column.kind != "numeric":
            return column
        if isinstance(values, SparseColumn):
            return replace(column, values=values.without(missing))
        return replace(column, values=without_marks(values, missing))
    known = [None if _is_mark(value, missing) else value for value in values.values]
    return replace(column, values=Coded(values.codes, known))


def _is_mark(value: Any, missing: float) -> bool:
    return not isinstance(value, str) and bool(value == missing)


def _table(
    columns: tuple[Block, ...] | list[ReadColumn], schema: Schema, hows: Sequence[How]
) -> Table:
    """Make a table of the columns. A schema without levels gets the levels of these rows."""
    if isinstance(columns, tuple):
        return Table(columns, schema)
    kinds = [column.kind for column in columns]
    if "category" in kinds and not schema.has_categories:
        levels = [
            used_levels(column.values) if isinstance(column.values, Coded) else ()
            for column in columns
        ]
        schema = schema.with_columns(kinds, levels)
        for j, how in enumerate(hows):
            if how == "category":
                check_levels(levels[j], schema.column_label(j))
    elif not schema.has_categories:
        schema = schema.with_columns(kinds, ())
    arrays = []
    for j, column in enumerate(columns):
        values = column.values
        if isinstance(values, Coded):
            values = level_numbers(
                values,
                schema.level_numbers[j],
                refuse=schema.column_label(j) if schema.unseen == "error" else "",
                unseen=schema.unseen_number(j),
                missing=schema.reading.missing,
            )
        arrays.append(values)
    return Table((ColumnsBlock(arrays),), schema)


def _warn_of_dates(schema: Schema, hows: Sequence[How]) -> None:
    """Warn of text columns that hold dates, unless the user lists them as categories."""
    pairs = zip(schema.names, schema.levels, hows, strict=False)
    found = [name for name, levels, how in pairs if how == "auto" and are_texts_of_dates(levels)]
    if found:
        warn(
            f"Dates in {listed(found)} are text, so each date is a category of its own. Convert "
            "them to dates, for example with pandas.to_datetime, or list the columns in "
            "categorical_features to keep them as categories."
        )


# ---- matching a schema -----------------------------------------------------------------------


def _places(given: Schema, schema: Schema) -> list[int] | None:
    """Return the position in ``schema`` of each given column, or None if they do not match."""
    if given.n_features != schema.n_features:
        return None
    names = schema.names_of(given)
    if names is None:
        return list(range(schema.n_features))
    place = {name: k for k, name in enumerate(schema.names)}
    places = [place.get(name, -1) for name in names]
    return None if -1 in places else places


def _of_kind(column: ReadColumn, schema: Schema, j: int) -> ReadColumn:
    """Convert a column to its kind in ``schema``. `_table` looks up the levels."""
    values, wanted = column.values, schema.kinds[j]
    if isinstance(values, Coded) and wanted != "category":
        return ReadColumn(numbers_of(values, schema, j), wanted)
    if not isinstance(values, Coded | SparseColumn):  # neither can hold dates
        check_days(values, column.kind, schema, j)
    return replace(column, kind=wanted)


def _first_levels(columns: Sequence[ReadColumn]) -> dict[int, Any]:
    """Return the first non-missing category of every categorical column."""
    return {
        j: next((value for value in column.values.values if not is_missing(value)), None)
        for j, column in enumerate(columns)
        if isinstance(column.values, Coded)
    }


# ---- matrices --------------------------------------------------------------------------------


def _matrix(array: NDArray[Any]) -> NDArray[Any]:
    if array.ndim != 2:
        advice = (
            "Reshape your data either using array.reshape(-1, 1) if your data has a single feature "
            "or array.reshape(1, -1) if it contains a single sample."
        )
        raise InvalidInputError(
            f"Expected 2D array, got {'scalar' if array.ndim == 0 else f'{array.ndim}D'} array "
            f"instead, of shape {array.shape}. {advice}"
        )
    return array if type(array) is np.ndarray else unmasked(array)


def _as_array(data: Any) -> NDArray[Any]:
    """Return lists of rows, or anything that numpy takes, as an array."""
    none = InvalidTypeError(
        f"A table must be an array, a DataFrame, a sparse matrix or a list of rows. Got "
        f"{type(data).__name__}. Make a DataFrame of it first."
    )
    if isinstance(data, dict | set | str | bytes) or data is None:
        raise none
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise InvalidInputError(
            f"The rows must be numbers and have the same length. Got an error of numpy: {error}"
        ) from None
    if array.ndim == 0 and array.dtype.kind == "O":  # an object that numpy cannot convert
        raise none
    if array.dtype.kind in "US" and not isinstance(data, np.ndarray):
        array = np.asarray(data, dtype=object)  # so that the numbers among the text stay numbers
    return array


def _checked(names: Any, n_columns: int) -> list[str]:
    """Validate the names that a user gives the columns."""
    if isinstance(names, str | bytes) or not is_iterable(names):
        raise InvalidTypeError(
            f"feature_names must be a list of strings, one for each column. Got {shown(names)}."
        )
    given = list(names)
    _check_names(given, n_columns)
    return [str(name) for name in given]  # numpy's strings become Python's


def _check_names(names: Sequence[str], n_columns: int) -> None:
    if not all(isinstance(name, str) for name in names):
        raise InvalidTypeError(f"feature_names must be strings. Got {shown(list(names))}.")
    if len(names) != n_columns:
        raise InvalidInputError(
            f"feature_names must name every column. Got {len(names)} names for {n_columns} columns."
        )
    if len(set(names)) != len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise InvalidInputError(
            f"Column names must be unique. Got more than one column {listed(twice)}. "
            "Rename or drop the duplicates."
        )
