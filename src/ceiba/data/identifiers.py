"""Categories that look like names of rows: nearly every row has a level of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ceiba.data.block import dense_values

if TYPE_CHECKING:
    from ceiba.data.table import Table

__all__ = ["identifiers"]

#: With fewer rows, many levels are a small example.
_FEWEST_ROWS = 20
#: Levels of a category by its rows, from which it is taken for an identifier.
_NEARLY_ALL = 0.9


def identifiers(table: Table) -> list[str]:
    """Return the names of the categories with nearly as many levels as rows that have one."""
    found = []
    for j, levels in enumerate(table.schema.levels):
        if len(levels) < _NEARLY_ALL * _FEWEST_ROWS:
            continue
        n_present = sum(
            np.count_nonzero(~np.isnan(dense_values(chunk))) for chunk in table.columns[j]
        )
        if n_present >= _FEWEST_ROWS and len(levels) >= _NEARLY_ALL * n_present:
            found.append(table.schema.names[j])
    return found
