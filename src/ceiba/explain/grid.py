"""Grid points of partial dependence.

A grid point has a number, which the trees compare, and a value, which users read. They differ for
categories (level numbers) and dates (days since 1970).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.dates import days_of
from ceiba.data.schema import Schema
from ceiba.errors import InvalidParameterError
from ceiba.messages import listed, shown

__all__ = ["Axis", "GridRule", "axis_of_column", "is_pair", "read_grid"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Axis:
    """A column and its grid points."""

    position: int
    name: str
    kind: str
    numbers: Floats
    values: NDArray[Any]


@dataclass(frozen=True)
class GridRule:
    """How grid points are chosen if the user gives none."""

    n_points: int
    percentiles: tuple[float, float]


def is_pair(columns: Any) -> bool:
    """Whether the argument is a pair of columns."""
    return (
        isinstance(columns, tuple)
        and len(columns) == 2
        and all(isinstance(one, str | int | np.integer) for one in columns)
    )


def axis_of_column(
    schema: Schema, position: int, chunks: Sequence[NDArray[Any]], rule: GridRule
) -> Axis:
    """Return grid points chosen from the rows.

    All values of a column with few distinct values, otherwise equal steps between two percentiles.
    For a category all levels, or the most frequent ones.
    """
    name, kind = schema.names[position], schema.kinds[position]
    values = np.concatenate([np.asarray(chunk, dtype=np.float64) for chunk in chunks])
    values = values[np.isfinite(values)]
    if kind == "category":
        n_levels = len(schema.levels_of(position))
        if not n_levels:
            raise InvalidParameterError(
                f"Column {name!r} has no categories, because all of its training values are "
                "missing. Leave it out of `columns`."
            )
        counts = np.bincount(values[values >= 0].astype(np.int64), minlength=n_levels)[:n_levels]
        most = np.argsort(-counts, kind="stable")[: rule.n_points]
        numbers = np.sort(most).astype(np.float64)
    else:
        if not len(values):
            raise InvalidParameterError(
                f"Column {name!r} has no finite value in the rows of X. Give other rows, or "
                "grid points in `grid`."
            )
        numbers = _points(values, rule)
    return Axis(position, name, kind, numbers, _values(schema, position, numbers))


def _points(values: Floats, rule: GridRule) -> Floats:
    # Sort all rows only if the first ones have few distinct values.
    numbers: Floats = np.unique(values[: 20 * rule.n_points])
    if len(numbers) <= rule.n_points:
        numbers = np.unique(values)
    if len(numbers) <= rule.n_points:
        return numbers
    low, high = np.quantile(values, rule.percentiles)
    if low < high:
        return np.linspace(low, high, rule.n_points)
    numbers = np.unique(values)  # most rows have the same value
    places = np.linspace(0, len(numbers) - 1, rule.n_points).round().astype(np.int64)
    return numbers[np.unique(places)]


def _values(schema: Schema, position: int, numbers: Floats) -> NDArray[Any]:
    kind = schema.kinds[position]
    if kind == "category":
        values = np.empty(len(numbers), dtype=object)
        values[:] = [schema.levels_of(position)[int(number)] for number in numbers]
        return values
    if kind in ("date", "duration"):
        unit = "datetime64[s]" if kind == "date" else "timedelta64[s]"
        return (numbers * 86_400).round().astype(np.int64).astype(unit)
    return numbers


def read_grid(schema: Schema, grid: Any) -> dict[int, Axis]:
    """Return the grid points that a user gives, by the position of their column."""
    if grid is None:
        return {}
    if not isinstance(grid, Mapping):
        raise InvalidParameterError(
            "grid must be a dictionary of columns and grid points, such as {'age': [20, 40]}. "
            f"Got {shown(grid)}."
        )
    axes = {}
    for column, points in grid.items():
        position = schema.position_of(column, "grid")
        axes[position] = _given_axis(schema, position, points)
    return axes


def _given_axis(schema: Schema, position: int, points: Any) -> Axis:
    name, kind = schema.names[position], schema.kinds[position]
    if kind == "category":
        known = {level: number for number, level in enumerate(schema.levels_of(position))}
        wished = list(points)
        unknown = [level for level in wished if level not in known]
        if unknown or not wished:
            raise InvalidParameterError(
                f"grid of {name!r} must hold levels of the column: {listed(known)}. "
                f"Got {listed(unknown) if unknown else 'none'}."
            )
        numbers = np.array([known[level] for level in wished], dtype=np.float64)
        return Axis(position, name, kind, numbers, _values(schema, position, numbers))
    try:
        array = np.asarray(points)
        numbers = days_of(array) if array.dtype.kind in "Mm" else array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        numbers = np.empty((0, 0))
    if numbers.ndim != 1 or not len(numbers):
        raise InvalidParameterError(
            f"grid of {name!r} must hold at least one number. Got {shown(points)}."
        )
    return Axis(position, name, kind, numbers, _values(schema, position, numbers))
