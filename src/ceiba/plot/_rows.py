"""Synthetic rows for plots: a grid over one or two columns, other columns at their median."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.block import ColumnsBlock
from ceiba.data.table import Table
from ceiba.errors import InvalidParameterError

__all__ = ["Along", "rows_along", "rows_over"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Along:
    """Synthetic rows along a column, and the values of the given rows in it."""

    name: str
    position: int
    points: Floats
    own: Floats
    table: Table


def rows_along(model: Any, table: Table, column: Any, n_points: int) -> Along:
    """Return rows along one numeric column."""
    table = table.arranged(model.schema)
    position, own = _numbers(model, table, column)
    low, high = float(np.nanmin(own)), float(np.nanmax(own))
    points = np.linspace(low, high, n_points)
    made = _others(table, n_points)
    made[position] = points
    return Along(model.schema.names[position], position, points, own, _table(made, table))


def rows_over(model: Any, table: Table, columns: Any, n_points: int) -> list[Along]:
    """Return both columns with rows for all pairs of values; the second changes fastest."""
    table = table.arranged(model.schema)
    found = [_numbers(model, table, column) for column in columns]
    if found[0][0] == found[1][0]:
        raise InvalidParameterError(f"columns must be two different columns. Got {columns!r}.")
    axes = []
    for _, own in found:
        low, high = float(np.nanmin(own)), float(np.nanmax(own))
        room = 0.04 * (high - low or 1.0)
        axes.append(np.linspace(low - room, high + room, n_points))
    first, second = (axis.reshape(-1) for axis in np.meshgrid(*axes, indexing="ij"))
    made = _others(table, len(first))
    made[found[0][0]], made[found[1][0]] = first, second
    rows = _table(made, table)
    return [
        Along(model.schema.names[position], position, points, own, rows)
        for (position, own), points in zip(found, axes, strict=True)
    ]


def _numbers(model: Any, table: Table, column: Any) -> tuple[int, Floats]:
    if not isinstance(column, str | int | np.integer) or isinstance(column, bool):
        raise InvalidParameterError(f"A column must be a name or a position. Got {column!r}.")
    given = column if isinstance(column, str) else int(column)
    position = model.schema.position_of(given, "column")
    if model.schema.kinds[position] == "category":
        raise InvalidParameterError(
            "This plot needs numeric columns. Got the categorical column "
            f"{model.schema.names[position]!r}."
        )
    own = _floats(table, position)
    if not np.isfinite(own).any():
        raise InvalidParameterError(
            f"Column {model.schema.names[position]!r} has no finite value in the rows of X. Give "
            "other rows."
        )
    return position, own


def _floats(table: Table, position: int) -> Floats:
    return np.concatenate([np.asarray(c, dtype=np.float64) for c in table.columns[position]])


def _others(table: Table, n_rows: int) -> list[Floats]:
    """Return columns that hold the median, or the most frequent category."""
    held = []
    for position, kind in enumerate(table.schema.kinds):
        values = _floats(table, position)
        values = values[np.isfinite(values)]
        if not len(values):
            middle = np.nan
        elif kind == "category":
            levels, counts = np.unique(values, return_counts=True)
            middle = float(levels[np.argmax(counts)])
        else:
            middle = float(np.median(values))
        held.append(np.full(n_rows, middle))
    return held


def _table(columns: list[Floats], table: Table) -> Table:
    return Table((ColumnsBlock(list(columns)),), table.schema)
