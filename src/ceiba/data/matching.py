"""A column of one table, as the schema of another has it.

Kinds and levels are settled where a table is read. Where two tables meet (an eval set and the
training table, blocks of rows, further rows for a model), the columns of the one become what they
are in the other: levels are matched by their values, whole numbers may be levels, and categories of
numbers may be numbers. What cannot be is an error that names the column.
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

_MIXED = "is mixed: the blocks hold"
_ONE_KIND = "Make it one kind in all of them."
_SAID = {"numeric": "numbers", "category": "a category", "date": "dates", "duration": "durations"}


def matches(own: Schema, schema: Schema) -> bool:
    """Whether columns are already what they are in ``schema``."""
    return own is schema or (own.levels == schema.levels and own.kinds == schema.kinds)


def matched(values: NDArray[Any], own: Schema, schema: Schema, column: int) -> NDArray[Any]:
    """Return a column of a table of schema ``own`` as ``schema`` has it."""
    kind, wanted = own.kinds[column], schema.kinds[column]
    if wanted == "category":
        if own.levels and own.levels[column] == schema.levels[column]:
            return values
        coded = (
            coded_levels(values, own.levels[column]) if kind == "category" else code_numbers(values)
        )
        refuse = schema.said(column) if schema.unseen == "error" else ""
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
    """Refuse dates and durations where the schema has something else; numbers may be days."""
    if kind not in (schema.kinds[column], "numeric") and not np.isnan(values).all():
        raise InvalidInputError(other_kind(schema, column, _SAID[kind]))


def warn_of_kinds(given: Mapping[int, Any], schema: Schema) -> None:
    """Warn once of all columns with a number for categories of text, or text for numbers.

    ``given`` maps columns to a value of each.
    """
    odd = [column for column, value in given.items() if _is_other_kind(value, schema, column)]
    if not odd:
        return
    first = odd[0]
    others = f" So do {len(odd) - 1} other columns." if len(odd) > 1 else ""
    level = plain_level(given[first])
    warn(
        f"{schema.said(first)} has categories such as {schema.levels[first][0]!r} in the training "
        f"table, and now holds {level!r}, which is {'' if isinstance(level, str) else 'not '}text."
        f"{others} Unknown categories count as missing. Give columns the type that they had in "
        "training."
    )


def _is_other_kind(given: Any, schema: Schema, column: int) -> bool:
    levels, level = schema.levels[column], plain_level(given)
    if not levels or level is None:
        return False
    was_text = isinstance(levels[-1], str)
    return isinstance(level, str) != was_text and isinstance(levels[0], str) == was_text


def coded_levels(numbers: NDArray[Any], levels: Sequence[Any]) -> Coded:
    """Return level numbers as codes of the levels; NaN, and what is no level, is missing."""
    missing = ~(numbers < len(levels))
    return Coded(np.where(missing, -1, numbers).astype(np.int64), levels)


def joined_columns(schemas: Sequence[Schema], values: Sequence[Columns]) -> Schema:
    """Return what the columns of several tables are together: one dictionary over all of them.

    ``values`` are the columns of each table. Numbers join a category as levels of their own.
    """
    first = schemas[0]
    if all(matches(schema, first) for schema in schemas):
        return first
    kinds, levels = [], []
    for column in range(first.n_features):
        found = {schema.kinds[column] for schema in schemas}
        days = found - {"numeric", "category"}
        if len(days) > 1 or (days and "category" in found):
            said = " and ".join(sorted(_SAID[kind] for kind in found))
            raise InvalidInputError(f"{first.said(column)} {_MIXED} {said}. {_ONE_KIND}")
        own: set[Any] = set()
        if "category" in found:
            for schema, columns in zip(schemas, values, strict=True):
                own |= _levels_in(schema, column, columns[column])
            if len({isinstance(level, str) for level in own}) > 1 and "numeric" in found:
                raise InvalidInputError(
                    f"{first.said(column)} {_MIXED} numbers and text. {_ONE_KIND}"
                )
        kinds.append("category" if "category" in found else days.pop() if days else "numeric")
        levels.append(sorted_levels(own))
    return first.with_columns(kinds, levels)


def _levels_in(schema: Schema, column: int, chunks: Sequence[ColumnValues]) -> set[Any]:
    if schema.kinds[column] == "category":
        return set(schema.levels[column])
    return {level for chunk in chunks for level in used_levels(code_numbers(dense_values(chunk)))}


def numbers_of(coded: Coded, schema: Schema, column: int) -> NDArray[np.float64]:
    """Return the values of a category as the numbers that they are."""
    plain = plain_levels(coded.values)
    is_text = np.array([isinstance(value, str) for value in plain], dtype=bool)
    if (is_text & coded.used()).any():
        first = plain[int(np.flatnonzero(is_text & coded.used())[0])]
        raise InvalidInputError(other_kind(schema, column, f"text ({shown(first)})"))
    known = [np.nan if value is None or isinstance(value, str) else value for value in plain]
    return np.array([*known, np.nan], dtype=np.float64).take(coded.codes)


def other_kind(schema: Schema, column: int, given: str) -> str:
    """Return the message of a column that is of another kind than in training."""
    kind = _SAID[schema.kinds[column]]
    return (
        f"{schema.said(column)} must be {kind}, as in the training table. Got {given}. "
        "Give it in the form that it had."
    )
