"""Partial dependence plots: one column with ICE curves, or a map of two columns."""

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
    MUTED,
    colour_of,
    dress,
    dress_bar,
    legend,
    new_axes,
    sequential,
    shortened,
)
from ceiba.plot.ticks import level_ticks, unit_of

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
    """Draw the mean prediction as a function of one column, or two as a map.

    Parameters
    ----------
    model : Model, fitted estimator or Dependence
        A model, or the result of ``partial_dependence``.
    X : table
        Rows, if a model is given.
    columns : str, int or tuple of two
        A column, or a pair for a map, if a model is given.
    individual : bool, default=True
        Whether to draw also the curves of single rows (ICE), for one column.
    output : int or label, default=None
        Output to draw. None draws all outputs as lines, without ICE curves; a map shows the first.
    max_rows : int, default=200
        Largest number of ICE curves; the rows are evenly spaced.
    centred : bool, default=False
        Whether to shift all curves to start at 0, which shows where rows differ.
    ax : matplotlib axes, default=None
        Axes to draw on. None makes a new figure.
    **how
        Options of :func:`ceiba.explain.partial_dependence`.

    Examples
    --------
    >>> import ceiba
    >>> import numpy as np
    >>> from ceiba import CeibaRegressor
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> y = X[:, 0] + X[:, 1] * X[:, 2]
    >>> model = CeibaRegressor(n_estimators=20).fit(X, y)
    >>> ax = ceiba.plot.partial_dependence(model, X, "f0")
    """
    names: list[Any] = []
    task = ""
    if isinstance(model, Dependence):
        answer = model
    else:
        owner = model_of(model)
        names, task = [] if owner.classes is None else list(owner.classes), owner.objective.task
        names = names or [f"{level:g}" for level in getattr(owner.objective, "levels", ())]
        if columns is None or isinstance(columns, list):
            raise InvalidParameterError(
                "columns must be a name, a position or a tuple of two, because one plot shows one "
                f"column or one pair. Got {columns!r}."
            )
        single = not isinstance(columns, tuple) and individual
        single = single and how.get("method", "brute") == "brute"
        answer = owner.partial_dependence(X, columns, individual=single, **how)
    if len(answer.columns) == 2:
        return _map(answer, output, names, task, ax)
    ax = new_axes(ax, (6.0, 4.0))
    n_outputs = 1 if answer.average.ndim == 1 else answer.average.shape[1]
    k: int | None = None
    if n_outputs > 1 and output is None:
        named = _several(ax, answer, names, centred)
    else:
        k = _place(output, names, n_outputs)
        average = answer.average if n_outputs == 1 else answer.average[:, k]
        curves = answer.individual
        if curves is not None and n_outputs > 1:
            curves = curves[:, :, k]
        named = _one(ax, answer, average, curves, max_rows, centred)
    said = _said(answer, names, task, k, n_outputs) + (", from the left end" if centred else "")
    return dress(ax, x=shortened(answer.columns[0], 60) + named, y=said)


def _said(answer: Dependence, names: list[Any], task: str, k: int | None, n_outputs: int) -> str:
    """Return the axis label: "mean P(class = yes)"; ``k`` is None if all outputs are drawn."""
    if answer.output == "raw":
        return "mean raw score"
    if task == "binary":
        return f"mean P(class = {shortened(names[1] if len(names) == 2 else 1, 20)})"
    if task == "multiclass":
        of = "" if k is None else f" = {shortened(names[k] if k < len(names) else k, 20)}"
        return f"mean P(class{of})"
    if task == "multilabel":
        return "mean P(label)" if k is None else f"mean P(label {k})"
    of = f" of {names[k]}" if k is not None and n_outputs > 1 and k < len(names) else ""
    return f"mean prediction{of}"


def _one(
    ax: Axes, answer: Dependence, average: Any, curves: Any, max_rows: int, centred: bool
) -> str:
    x, named = _places(ax, answer, 0)
    is_category = answer.kinds[0] == "category"
    if curves is not None:
        most = check_value("max_rows", Integer(1), max_rows)
        rows = np.linspace(0, len(curves) - 1, min(most, len(curves))).astype(np.int64)
        shown = curves[rows] - (curves[rows][:, :1] if centred else 0.0)
        light = min(0.6, max(0.15, 24.0 / len(rows)))
        ax.plot(x, shown.T, color=MUTED, linewidth=0.6, alpha=light, zorder=1, rasterized=True)
    line = average - (average[0] if centred else 0.0)
    if is_category:
        ax.plot(x, line, "o", color=ACCENT, markersize=6)
    else:
        ax.plot(x, line, color=ACCENT, linewidth=2.2)
    return named


def _several(ax: Axes, answer: Dependence, names: list[Any], centred: bool) -> str:
    x, named = _places(ax, answer, 0)
    n_outputs = answer.average.shape[1]
    labels = names if len(names) == n_outputs else list(range(n_outputs))
    for k in range(n_outputs):
        line = answer.average[:, k] - (answer.average[0, k] if centred else 0.0)
        look = colour_of(k)
        if answer.kinds[0] == "category":  # no line between two categories
            look |= {"linestyle": "", "marker": "o", "markersize": 5}
        ax.plot(x, line, linewidth=1.6, label=shortened(labels[k], 20), **look)
    legend(ax, n_outputs)
    return named


def _map(answer: Dependence, output: Any, names: list[Any], task: str, ax: Axes | None) -> Axes:
    values, k, n_outputs = answer.average, 0, 1
    if values.ndim == 3:
        n_outputs = values.shape[2]
        k = _place(output, names, n_outputs)
        values = values[:, :, k]
    ax = new_axes(ax, (6.2, 4.6))
    (x, across), (y, up) = _places(ax, answer, 0), _places(ax, answer, 1)
    mesh = ax.pcolormesh(x, y, values.T, cmap=sequential(), shading="nearest", rasterized=True)
    labels = shortened(answer.columns[0], 60) + across, shortened(answer.columns[1], 40) + up
    dress(ax, x=labels[0], y=labels[1], grid=None)
    bar = ax.figure.colorbar(mesh, ax=ax, pad=0.02)
    dress_bar(bar, _said(answer, names, task, k, n_outputs))
    return ax


def _places(ax: Axes, answer: Dependence, axis: int) -> tuple[NDArray[Any], str]:
    """Return the positions of the grid points, and a note for the axis label."""
    points = answer.grid[axis]
    if answer.kinds[axis] == "duration":
        days = points.astype("timedelta64[s]").astype(np.float64) / 86_400
        return days, unit_of("duration")
    if answer.kinds[axis] != "category":
        return points, ""
    return np.arange(len(points)), level_ticks(ax, list(points), "xy"[axis])


def _place(output: Any, names: list[Any], n_outputs: int) -> int:
    if output is None:
        return 0
    if output in names:
        return names.index(output)
    place: int = check_value("output", Integer(0, n_outputs - 1), output)
    return place
