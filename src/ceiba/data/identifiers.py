"""Detect identifier columns: categories with almost as many levels as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ceiba.data.dates import are_texts_of_dates

if TYPE_CHECKING:
    from ceiba.data.table import Table

__all__ = ["identifiers"]

#: No column of a smaller table is an identifier.
_FEWEST_ROWS = 20
#: Minimum ratio of levels to non-missing rows of an identifier.
_MIN_LEVELS_PER_ROW = 0.9


def identifiers(table: Table) -> list[str]:
    """Return the names of categories with at least 0.9 levels per non-missing row.

    Dates as text are left out: ``read_table`` warns of them.
    """
    found = []
    for j, levels in enumerate(table.schema.levels):
        if len(levels) < _MIN_LEVELS_PER_ROW * _FEWEST_ROWS or are_texts_of_dates(levels):
            continue
        n_present = table.n_present(j)
        if n_present >= _FEWEST_ROWS and len(levels) >= _MIN_LEVELS_PER_ROW * n_present:
            found.append(table.schema.names[j])
    return found
