"""Fast reader of a single row: a dictionary, a list of values, or a pandas Series.

Services predict single rows, and reading a table costs more than evaluating the trees. So each
value is converted directly: numbers as they are, categories by the level numbers of the schema.
"""

from __future__ import annotations

import numbers
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.categories import unseen_error
from ceiba.data.from_sparse import is_sparse
from ceiba.data.levels import plain_level
from ceiba.data.matching import other_kind, warn_of_kinds
from ceiba.data.missing_values import without_marks
from ceiba.data.plain_numbers import check_integers
from ceiba.data.read_column import is_missing, read_array_column
from ceiba.data.schema import Schema
from ceiba.errors import InvalidInputError
from ceiba.messages import shown

__all__ = ["read_row"]


def read_row(data: Any, schema: Schema) -> NDArray[np.float64] | None:
    """Return a single row as a matrix [1, n_features]; None if the data is not a single row."""
    if isinstance(data, Mapping) and not is_sparse(data):  # some sparse matrices are mappings
        return _matrix(_in_order(data, schema), schema)
    if isinstance(data, list | tuple):
        is_row = len(data) == schema.n_features and not any(map(_is_nested, data))
        return _matrix(data, schema) if is_row and data else None
    pandas = sys.modules.get("pandas")
    if pandas is None or not schema.named:
        return None
    if isinstance(data, pandas.Series):
        labels = data.index.tolist()
        if labels and all(isinstance(label, str) for label in labels):
            return _matrix(_in_order(dict(zip(labels, data.tolist(), strict=True)), schema), schema)
    elif schema.has_categories and isinstance(data, pandas.DataFrame) and len(data) == 1:
        # Numeric frames are faster to read as a matrix.
        row = {name: column.array[0] for name, column in data.items()}
        if row.keys() == set(schema.names) and len(row) == data.shape[1]:
            return _matrix([row[name] for name in schema.names], schema)
    return None


def _is_nested(value: Any) -> bool:
    return isinstance(value, list | tuple | Mapping | np.ndarray)


def _in_order(row: Mapping[Any, Any], schema: Schema) -> list[Any]:
    if row.keys() != set(schema.names):
        given = Schema.of([str(name) for name in row], len(row))
        if schema.names_of(given) is not None and len(set(given.names)) == len(row):
            order, values = schema.order_in(given), list(row.values())  # numbers as labels
            return values if order is None else [values[j] for j in order]
        schema.order_in(given)  # raises with the names that differ
        raise InvalidInputError(
            "The keys of a row must be the column names of the training. Got other keys. Use the "
            "names in model.feature_names."
        )
    return [row[name] for name in schema.names]


def _matrix(row: Sequence[Any], schema: Schema) -> NDArray[np.float64]:
    unknown: dict[int, Any] = {}
    numbers = [_number(value, schema, j, unknown) for j, value in enumerate(row)]
    if unknown:
        warn_of_kinds(unknown, schema)
    return np.array([numbers], dtype=np.float64)


def _number(value: Any, schema: Schema, j: int, unknown: dict[int, Any]) -> float:
    """Return a value as the core reads it; add unseen categories to ``unknown``."""
    if schema.kinds[j] == "category":
        return _level(value, schema, j, unknown)
    if type(value) is not float and not isinstance(value, np.floating):
        if is_missing(value):
            return np.nan
        if isinstance(value, numbers.Integral) and schema.kinds[j] == "numeric":
            check_integers(schema.column_label(j), int(value), int(value))
        elif not isinstance(value, numbers.Real):
            value = _other(value, schema, j)
    return np.nan if _is_mark(value, schema, j) else float(value)


def _is_mark(value: Any, schema: Schema, j: int) -> bool:
    """Whether a number is the missing value of the schema."""
    missing = schema.reading.missing
    if missing is None or schema.kinds[j] != "numeric":
        return False
    if type(value) is float:
        return value == missing
    return bool(np.isnan(without_marks(np.asarray([value]), missing)[0]))


def _level(value: Any, schema: Schema, j: int, unknown: dict[int, Any]) -> float:
    level = value if type(value) is str else plain_level(value)
    found = schema.level_numbers[j].get(level)
    if found is not None:
        return found
    is_missing_value = level is None or level == schema.reading.missing
    if schema.unseen == "error" and not is_missing_value:
        raise unseen_error(schema.column_label(j), [level])
    if is_missing_value:
        return np.nan
    if type(level) is not str:
        unknown[j] = value
    return schema.unseen_number(j)


def _other(value: Any, schema: Schema, j: int) -> float:
    """Return a date as days; raise the same error as a column with this value."""
    column = np.empty(1, dtype=object)
    column[0] = value
    if isinstance(value, str):
        raise InvalidInputError(other_kind(schema, j, f"text ({shown(value)})"))
    read = read_array_column(column, schema.column_label(j), "numbers")
    if read.kind not in (schema.kinds[j], "numeric"):
        raise InvalidInputError(other_kind(schema, j, repr(value)))
    return float(np.asarray(read.values)[0])
