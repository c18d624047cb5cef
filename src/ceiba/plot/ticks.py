"""Axis ticks of dates, durations and categories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.plot.style import SMALL, points_wide, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["axis_values", "every_nth", "level_ticks", "unit_of"]

_MOST = 30  # levels with a tick label
_DAY = 86_400 * 10**6  # microseconds


def axis_values(days: NDArray[Any], kind: str) -> NDArray[Any]:
    """Return the values to plot: days since 1970 become dates."""
    if kind != "date":
        return days
    known = np.isfinite(days) & (np.abs(days) < 10**6)
    micros = np.where(known, days, 0.0) * _DAY
    dates: NDArray[Any] = np.round(micros).astype(np.int64).astype("datetime64[us]")
    dates[~known] = np.datetime64("NaT")
    return dates


def unit_of(kind: str) -> str:
    """Return the unit of a column for an axis label."""
    return " (days)" if kind == "duration" else ""


def level_ticks(ax: Axes, levels: Sequence[Any], axis: str = "x") -> str:
    """Label levels on an axis; return a note for the axis label if some have no label."""
    step = max(1, -(-len(levels) // _MOST))
    names = [shortened(level, 16) for level in levels[::step]]
    places = np.arange(0, len(levels), step)
    if axis == "x":
        upright = (sum(map(len, names)) + len(names)) * SMALL * 0.6 > 0.7 * points_wide(ax)
        ax.set_xticks(places, names, rotation=90 if upright else 0)
    else:
        ax.set_yticks(places, names)
    return every_nth(len(levels), step)


def every_nth(n_levels: int, step: int) -> str:
    """Return a note if only every ``step``-th level has a label."""
    return "" if step == 1 else f" ({-(-n_levels // step)} of {n_levels} named)"
