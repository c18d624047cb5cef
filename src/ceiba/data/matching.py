"""Convert columns of one table to the kinds and levels of another table's schema.

Used for eval sets, blocks of rows and tables for a model. Levels are matched by value. Numbers
match categories of numbers, and vice versa. Other mismatches raise an error that names the column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ceiba.data.block import ColumnValues, dense_values
from ceiba.data.categories import Coded, code_numbers, level_numbers, used_levels
from ceiba.data.levels import plain_level, plain_levels, sorted_levels
from ceiba.errors import InvalidInputError
from ceiba.messages import shown, warn

if TYPE_CHECKING:
    from ceiba.data.schema import Schema

__all__ = [
    "check_days",
    "coded_levels",
    "joined_columns",
    "matched",
    "matches",
    "numbers_of",
    "other_kind",
    "warn_of_kinds",
]

#: For each column the chunks that hold its rows.
Columns: TypeAlias = Sequence[Sequence[ColumnValues]]

_MIXED = "must have one type in all blocks. Got"
_ONE_TYPE = "Convert it to one type in all blocks."
_KIND_NAMES = {
    "numeric": "numbers",
    "category": "a category",
    "date": "dates",
    "duration": "durations",
}


def matches(own: Schema, schema: Schema) -> bool:
    """Whether the kinds and levels of both schemas are equal."""
    return own is schema or (own.levels == schema.levels and own.kinds == schema.kinds)


def matched(values: NDArray[Any], own: Schema, schema: Schema, column: int) -> NDArray[Any]:
    """Convert a column of a table with schema ``own`` to its kind and levels in ``schema``."""
    kind, wanted = own.kinds[column], schema.kinds[column]
    if wanted == "category":
        if own.levels and own.levels[column] == schema.levels[column]:
            return values
        coded = (
            coded_levels(values, own.levels[column]) if kind == "category" else code_numbers(values)
        )
        refuse = schema.column_label(column) if schema.unseen == "error" else ""
        return level_numbers(
            coded,
            schema.level_numbers[column],
            refuse=refuse,
            unseen=schema.unseen_number(column),
            missing=schema.reading.missing,
        )
    if kind == "category":
        return numbers_of(coded_levels(values, own.levels[column]), schema, column)
    check_days(values, kind, schema, column)
    return values


def check_days(values: NDArray[Any], kind: str, schema: Schema, column: int) -> None:
    """Raise for dates or durations that are another kind in ``schema``. Numbers may be days."""
    if kind not in (schema.kinds[column], "numeric") and not np.isnan(values).all():
        raise InvalidInputError(other_kind(schema, column, _KIND_NAMES[kind]))


def warn_of_kinds(given: Mapping[int, Any], schema: Schema) -> None:
    """Warn once about all columns where categories changed between text and numbers.

    ``given`` maps each column to one of its values.
    """
    odd = [column for column, value in given.items() if _is_other_kind(value, schema, column)]
    if not odd:
        return
    first = odd[0]
    others = f" The type of {len(odd) - 1} other columns changed too." if len(odd) > 1 else ""
    level = plain_level(given[first])
    warn(
        f"{schema.column_label(first)} has categories such as {schema.levels[first][0]!r} in the "
        f"training table. Got {level!r}, which is {'' if isinstance(level, str) else 'not '}text."
        f"{others} Unseen categories count as missing values. Convert columns to the type that "
        "they had in training."
    )


def _is_other_kind(given: Any, schema: Schema, column: int) -> bool:
    levels, level = schema.levels[column], plain_level(given)
    if not levels or level is None:
        return False
    was_text = isinstance(levels[-1], str)
    return isinstance(level, str) != was_text and isinstance(levels[0], str) == was_text


def coded_levels(numbers: NDArray[Any], levels: Sequence[Any]) -> Coded:
    """Convert level numbers to codes. NaN and numbers without a level are missing."""
    missing = ~(numbers < len(levels))
    return Coded(np.where(missing, -1, numbers).astype(np.int64), levels)


def joined_columns(schemas: Sequence[Schema], values: Sequence[Columns]) -> Schema:
    """Return a schema whose levels are the union over several tables.

    ``values`` are the columns of each table. If a column is a category in one table, its numbers
    in the other tables become levels.
    """
    first = schemas[0]
    if all(matches(schema, first) for schema in schemas):
        return first
    kinds, levels = [], []
    for column in range(first.n_features):
        found = {schema.kinds[column] for schema in schemas}
        days = found - {"numeric", "category"}
        if len(days) > 1 or (days and "category" in found):
            said = " and ".join(sorted(_KIND_NAMES[kind] for kind in found))
            raise InvalidInputError(f"{first.column_label(column)} {_MIXED} {said}. {_ONE_TYPE}")
        own: set[Any] = set()
        if "category" in found:
            for schema, columns in zip(schemas, values, strict=True):
                own |= _levels_in(schema, column, columns[column])
            if len({isinstance(level, str) for level in own}) > 1 and "numeric" in found:
                raise InvalidInputError(
                    f"{first.column_label(column)} {_MIXED} numbers and text. {_ONE_TYPE}"
                )
        kinds.append("category" if "category" in found else days.pop() if days else "numeric")
        levels.append(sorted_levels(own))
    return first.with_columns(kinds, levels)


def _levels_in(schema: Schema, column: int, chunks: Sequence[ColumnValues]) -> set[Any]:
    if schema.kinds[column] == "category":
        return set(schema.levels[column])
    return {level for chunk in chunks for level in used_levels(code_numbers(dense_values(chunk)))}


def numbers_of(coded: Coded, schema: Schema, column: int) -> NDArray[np.float64]:
    """Convert a categorical column of numbers to a numeric one. Raise for text."""
    plain = plain_levels(coded.values)
    is_text = np.array([isinstance(value, str) for value in plain], dtype=bool)
    if (is_text & coded.used()).any():
        first = plain[int(np.flatnonzero(is_text & coded.used())[0])]
        raise InvalidInputError(other_kind(schema, column, f"text ({shown(first)})"))
    known = [np.nan if value is None or isinstance(value, str) else value for value in plain]
    return np.array([*known, np.nan], dtype=np.float64).take(coded.codes)


def other_kind(schema: Schema, column: int, given: str) -> str:
    """Return the error message for a column whose kind differs from training."""
    kind = _KIND_NAMES[schema.kinds[column]]
    return (
        f"{schema.column_label(column)} must be {kind}, as in the training table. Got {given}. "
        "Convert it to the type that it had in training."
    )
