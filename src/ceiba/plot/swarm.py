"""Beeswarm plot of SHAP values: one point per row, one panel per output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.parameters.constraints import Integer, check_value
from ceiba.plot._explained import Explained, explained, n_outputs_of, some_rows
from ceiba.plot.style import (
    FAINT,
    MUTED,
    SMALL,
    diverging,
    dress,
    letters_beside,
    names_that_fit,
    new_axes,
    new_column_of_axes,
    points_wide,
    short_names,
    value_bar,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["beeswarm"]

Floats = NDArray[np.float64]
_BINS = 120
_PANELS = 6


def beeswarm(
    explanation: Any,
    *,
    output: Any = None,
    max_columns: int = 15,
    max_rows: int = 2000,
    ax: Axes | None = None,
) -> Any:
    """Draw the SHAP values of all rows as points, colored by the value of the column.

    Categories and missing values are gray.

    Parameters
    ----------
    explanation : Explanation
        Result of ``model.explain(X)``.
    output : int or label, default=None
        Output to draw. None draws a panel for each output, at most the six with the largest
        values; on given axes it draws the first output.
    max_columns : int, default=15
        Largest number of columns to draw: those with the largest mean |value|.
    max_rows : int, default=2000
        Largest number of rows to draw; they are evenly spaced.
    ax : matplotlib axes, default=None
        Axes to draw on. None makes a new figure.

    Returns
    -------
    axes, or list of axes
        A list if there are several panels.

    Examples
    --------
    >>> import ceiba
    >>> from ceiba import CeibaClassifier
    >>> from ceiba.demo import load_heart_failure
    >>> X, y, names = load_heart_failure()
    >>> model = CeibaClassifier(n_estimators=20).fit(X, y)
    >>> ax = ceiba.plot.beeswarm(model.explain(X), max_columns=5)
    """
    most = names_that_fit(ax, check_value("max_columns", Integer(1), max_columns))
    n_rows = check_value("max_rows", Integer(1), max_rows)
    n_outputs = n_outputs_of(explanation)
    if n_outputs > 1 and output is None and ax is None:
        return _panels(explanation, n_outputs, most, n_rows)
    own = explained(explanation, output)
    order = own.most_important(most)
    longest = None if ax is None else letters_beside(ax)
    ax = new_axes(ax, (6.4, 1.1 + 0.32 * len(order)))
    _draw(ax, own, order, n_rows)
    narrow = points_wide(ax) < 300
    dress(ax, x=own.scale if narrow else f"SHAP value, {own.scale}", grid=None)
    _name(ax, own, order, longest)
    value_bar(ax, "value of the column", ("low", "high"))
    return ax


def _panels(explanation: Any, n_outputs: int, most: int, max_rows: int) -> list[Axes]:
    """Draw a panel for each output, all with the same columns."""
    every = [explained(explanation, k) for k in range(n_outputs)]
    sizes = np.array([np.abs(own.values).mean(axis=0) for own in every])
    outputs = np.sort(np.argsort(-sizes.sum(axis=1), kind="stable")[:_PANELS])
    order = np.argsort(-sizes.sum(axis=0), kind="stable")[:most]
    n_across = min(3, len(outputs))
    n_down = -(-len(outputs) // n_across)
    size = (2.2 + 3.0 * n_across, (0.9 + 0.28 * len(order)) * n_down + 0.3)
    panels = new_column_of_axes(None, n_down, n_across, size)
    reach = max(float(np.abs(every[k].values).max(initial=0.0)) for k in outputs)
    for place, (k, ax) in enumerate(zip(outputs, panels, strict=False)):
        _draw(ax, every[k], order, max_rows, reach)
        dress(ax, title=every[k].output, x=every[k].scale, grid=None)
        _name(ax, every[k], order, 24)
        if place % n_across:
            ax.set_yticklabels([""] * len(order))
    for ax in panels[len(outputs) :]:
        ax.set_axis_off()
    used = panels[: len(outputs)]
    value_bar(panels[0], "value of the column", ("low", "high"), beside=panels)
    if len(outputs) < n_outputs:
        text = f"SHAP values of {len(outputs)} of {n_outputs} outputs"
        used[0].figure.suptitle(text, fontsize=SMALL, color=MUTED)
    return used


def _draw(
    ax: Axes, own: Explained, order: NDArray[np.int64], max_rows: int, reach: float = 0.0
) -> None:
    rows = some_rows(len(own.values), max_rows)
    reach = max(reach, float(np.abs(own.values[rows][:, order]).max(initial=0.0)), 1e-12)
    look: dict[str, Any] = {"s": 7, "linewidths": 0, "rasterized": True}
    for place, j in enumerate(order[::-1]):
        values = own.values[rows, j]
        height = _heights(values, reach)
        scaled = own.scaled(int(j))
        known = np.zeros(len(rows), dtype=bool) if scaled is None else ~np.isnan(scaled[rows])
        ax.scatter(values[~known], place + height[~known], color=MUTED, **look)
        if scaled is not None:
            colors = {"c": scaled[rows][known], "cmap": diverging(), "vmin": 0, "vmax": 1}
            ax.scatter(values[known], place + height[known], **colors, **look)
    ax.axvline(0, color=MUTED, linewidth=0.8, zorder=0)
    for place in range(len(order)):
        ax.axhline(place, color=FAINT, linewidth=0.6, zorder=0)


def _name(ax: Axes, own: Explained, order: NDArray[np.int64], longest: int | None) -> None:
    names = short_names([own.names[j] for j in order[::-1]], longest)
    left = len(own.names) - len(order)
    ax.set_yticks(range(len(order)), names)
    ax.set_ylim(-0.7, len(order) - 0.3)
    ax.tick_params(axis="y", length=0)
    if left:
        label = ax.get_xlabel()
        ax.set_xlabel(f"{label}\n{left} more column{'' if left == 1 else 's'} not shown")


def _heights(values: Floats, reach: float) -> Floats:
    """Return vertical offsets of points, so that close points do not overlap."""
    bins = np.floor((values / reach + 1.0) * _BINS / 2).astype(np.int64)
    order = np.argsort(bins, kind="stable")
    _, first, counts = np.unique(bins[order], return_index=True, return_counts=True)
    rank = np.arange(len(values)) - np.repeat(first, counts)
    side = np.where(rank % 2 == 1, 1.0, -1.0) * ((rank + 1) // 2)
    widest = max(1.0, float(counts.max(initial=1)) / 2)
    heights = np.empty(len(values))
    heights[order] = side * min(0.06, 0.38 / widest)
    return heights
