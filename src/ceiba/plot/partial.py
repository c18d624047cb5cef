"""Partial dependence: one column with the curves of single rows, or two as a map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidParameterError
from ceiba.explain.dependence import Dependence
from ceiba.parameters.constraints import Integer, check_value
from ceiba.plot._of_model import model_of
from ceiba.plot.style import (
    ACCENT,
    INK,
    MUTED,
    SMALL,
    TEXT,
    colour_of,
    dress,
    legend,
    new_axes,
    points_wide,
    sequential,
    shortened,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["partial_dependence"]


def partial_dependence(
    model: Any,
    X: Any = None,
    columns: Any = None,
    *,
    individual: bool = True,
    output: Any = None,
    max_rows: int = 200,
    centred: bool = False,
    ax: Axes | None = None,
    **how: Any,
) -> Axes:
    """Draw what a model predicts as one column, or two, take other values.

    Parameters
    ----------
    model : Model, fitted estimator or Dependence
        A model, which is asked, or the answer of ``partial_dependence``.
    X : table
        Rows, if a model is given.
    columns : str, int or pair of them
        A column, or two for a map, if a model is given.
    individual : bool, default=True
        Also draw the curves of single rows (ICE), of one column.
    output : int or label, optional
        Which of several outputs; by default all of them as lines, without single rows; of a map
        the first.
    max_rows : int, default=200
        Rows whose curves are drawn, evenly taken from all.
    centred : bool, default=False
        Let all curves begin at 0, which shows where rows differ.
    ax : matplotlib axes, optional
        Where to draw; by default in a new figure.
    **how
        Options of :func:`ceiba.explain.partial_dependence`.
    """
    names: list[Any] = []
    if isinstance(model, Dependence):
        answer = model
    else:
        owner = model_of(model)
        names = [] if owner.classes is None else list(owner.classes)
        names = names or [f"{level:g}" for level in getattr(owner.objective, "levels", ())]
        if columns is None or isinstance(columns, list):
            raise InvalidParameterError(
                "One picture shows one column, or a pair as a tuple. Give columns as a name, a "
                f"position or a tuple of two. Got {columns!r}."
            )
        single = not isinstance(columns, tuple) and individual
        single = single and how.get("method", "brute") == "brute"
        answer = owner.partial_dependence(X, columns, individual=single, **how)
    if len(answer.columns) == 2:
        return _map(answer, output, names, ax)
    ax = new_axes(ax, (6.0, 4.0))
    n_outputs = 1 if answer.average.ndim == 1 else answer.average.shape[1]
    if n_outputs > 1 and output is None:
        _several(ax, answer, names, centred)
    else:
        k = _place(output, names, n_outputs)
        average = answer.average if n_outputs == 1 else answer.average[:, k]
        curves = answer.individual
        if curves is not None and n_outputs > 1:
            curves = curves[:, :, k]
        _one(ax, answer, average, curves, max_rows, centred)
    said = "raw score" if answer.output == "raw" else "prediction"
    x = shortened(answer.columns[0], 60)
    return dress(ax, x=x, y=f"mean {said}" + (", from the left end" if centred else ""))


def _one(
    ax: Axes, answer: Dependence, average: Any, curves: Any, max_rows: int, centred: bool
) -> None:
    x = _places(ax, answer, 0)
    is_category = answer.kinds[0] == "category"
    if curves is not None:
        most = check_value("max_rows", Integer(1), max_rows)
        rows = np.linspace(0, len(curves) - 1, min(most, len(curves))).astype(np.int64)
        shown = curves[rows] - (curves[rows][:, :1] if centred else 0.0)
        light = min(0.6, max(0.08, 12.0 / len(rows)))
        ax.plot(x, shown.T, color=MUTED, linewidth=0.6, alpha=light, rasterized=True)
    line = average - (average[0] if centred else 0.0)
    if is_category:
        ax.plot(x, line, "o", color=ACCENT, markersize=6)
    else:
        ax.plot(x, line, color=ACCENT, linewidth=2.2)


def _several(ax: Axes, answer: Dependence, names: list[Any], centred: bool) -> None:
    x = _places(ax, answer, 0)
    n_outputs = answer.average.shape[1]
    labels = names if len(names) == n_outputs else list(range(n_outputs))
    for k in range(n_outputs):
        line = answer.average[:, k] - (answer.average[0, k] if centred else 0.0)
        ax.plot(x, line, linewidth=1.6, label=shortened(labels[k], 20), **colour_of(k))
    legend(ax, n_outputs)


def _map(answer: Dependence, output: Any, names: list[Any], ax: Axes | None) -> Axes:
    values = answer.average
    if values.ndim == 3:
        values = values[:, :, _place(output, names, values.shape[2])]
    ax = new_axes(ax, (6.2, 4.6))
    x, y = _places(ax, answer, 0), _places(ax, answer, 1)
    mesh = ax.pcolormesh(x, y, values.T, cmap=sequential(), shading="nearest", rasterized=True)
    dress(ax, x=shortened(answer.columns[0], 60), y=shortened(answer.columns[1], 40), grid=None)
    bar = ax.figure.colorbar(mesh, ax=ax, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=SMALL, length=0, colors=INK)
    said = "mean raw score" if answer.output == "raw" else "mean prediction"
    bar.set_label(said, fontsize=TEXT, color=INK)
    return ax


def _places(ax: Axes, answer: Dependence, axis: int) -> NDArray[Any]:
    """Return where the points stand, and name them where they are levels."""
    points = answer.grid[axis]
    if answer.kinds[axis] == "duration":
        return points.astype("timedelta64[s]").astype(np.float64) / 86_400
    if answer.kinds[axis] != "category":
        return points
    step = max(1, -(-len(points) // 30))
    names = [shortened(level, 16) for level in points[::step]]
    places = np.arange(0, len(points), step)
    if axis == 0:
        upright = (sum(map(len, names)) + len(names)) * SMALL * 0.6 > 0.7 * points_wide(ax)
        ax.set_xticks(places, names, rotation=90 if upright else 0)
    else:
        ax.set_yticks(places, names)
    return np.arange(len(points))


def _place(output: Any, names: list[Any], n_outputs: int) -> int:
    if output is None:
        return 0
    if output in names:
        return names.index(output)
    place: int = check_value("output", Integer(0, n_outputs - 1), output)
    return place
