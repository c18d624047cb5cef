"""Plot of decision regions: the prediction over two columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidParameterError
from ceiba.model.predict import table_for
from ceiba.parameters.constraints import Integer, check_value
from ceiba.plot._of_model import class_chances, label_indices, model_of
from ceiba.plot._rows import rows_over
from ceiba.plot.style import (
    COLOURS,
    MUTED,
    SMALL,
    dress,
    dress_bar,
    legend,
    new_axes,
    sequential,
    shortened,
)
from ceiba.plot.ticks import axis_values, unit_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["regions"]

Floats = NDArray[np.float64]


def regions(
    model: Any,
    X: Any,
    y: Any = None,
    columns: Any = None,
    *,
    n_points: int = 200,
    max_rows: int = 1000,
    ax: Axes | None = None,
) -> Axes:
    """Draw the prediction over two columns, with other columns at their median.

    Parameters
    ----------
    model : Model or fitted estimator
        A classifier: each class has a color, which is stronger for higher probabilities. Or a
        regression model.
    X : table
        Rows.
    y : array, default=None
        Labels of the rows, to draw the rows as points.
    columns : tuple (first, second), default=None
        Names or positions of the columns. None takes the two columns with the largest mean gain.
    n_points : int, default=200
        Grid points along each column.
    max_rows : int, default=1000
        Largest number of rows to draw; they are evenly spaced.
    ax : matplotlib axes, default=None
        Axes to draw on. None makes a new figure.

    Returns
    -------
    axes
        The axes with the plot.

    Examples
    --------
    >>> import ceiba
    >>> import numpy as np
    >>> from ceiba import CeibaRegressor
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> y = X[:, 0] + X[:, 1] * X[:, 2]
    >>> model = CeibaRegressor(n_estimators=20).fit(X, y)
    >>> ax = ceiba.plot.regions(model, X, y, columns=("f1", "f2"), n_points=50)
    """
    owner = model_of(model)
    if columns is None:
        columns = np.argsort(-owner.feature_importances("mean_gain"), kind="stable")[:2].tolist()
    if not isinstance(columns, list | tuple) or len(columns) != 2:
        raise InvalidParameterError(f"columns must be two columns. Got {columns!r}.")
    table = table_for(X, owner.schema)
    n_points = check_value("n_points", Integer(2, 2000), n_points)
    across, up = rows_over(owner, table, columns, n_points)
    ax = new_axes(ax, (6.0, 4.6))
    edges = (*_ends(across, owner), *_ends(up, owner))
    how: dict[str, Any] = {
        "origin": "lower",
        "extent": edges,
        "aspect": "auto",
        "interpolation": "nearest",
    }
    if owner.objective.task in ("binary", "multiclass"):
        chances, classes = class_chances(owner, across.table)
        winner = chances.argmax(axis=1)
        least = 1.0 / len(classes)
        sure = (chances.max(axis=1) - least) / (1.0 - least)
        tints = _tints(len(classes))
        colour = 1.0 - (1.0 - tints[winner]) * (0.12 + 0.38 * sure[:, None])
        ax.imshow(colour.reshape(n_points, n_points, 3).transpose(1, 0, 2), **how)
        kinds = [owner.schema.kinds[along.position] for along in (across, up)]
        rows = axis_values(across.own, kinds[0]), axis_values(up.own, kinds[1])
        _draw_rows(ax, rows[0], rows[1], y, classes, max_rows)
    else:
        values = owner.predict(across.table)
        values = values if values.ndim == 1 else values[:, 0]
        image = ax.imshow(values.reshape(n_points, n_points).T, cmap=sequential(), **how)
        bar = ax.figure.colorbar(image, ax=ax, pad=0.02)
        dress_bar(bar, "prediction")
    ax.set_xlim(edges[:2])
    ax.set_ylim(edges[2:])
    names = [
        shortened(along.name, longest) + unit_of(owner.schema.kinds[along.position])
        for along, longest in ((across, 60), (up, 40))
    ]
    held = owner.n_features - 2
    title = f"other {held} column{'' if held == 1 else 's'} at the median" if held else ""
    dress(ax, x=names[0], y=names[1], grid=None)
    if title:
        ax.set_title(title, fontsize=SMALL, color=MUTED, loc="left")
    return ax


def _ends(along: Any, owner: Any) -> tuple[float, float]:
    """Return both ends of an axis in the units of matplotlib."""
    if owner.schema.kinds[along.position] != "date":
        return float(along.points[0]), float(along.points[-1])
    from matplotlib import dates

    made: Any = dates
    low, high = made.date2num(axis_values(along.points[[0, -1]], "date"))
    return float(low), float(high)


def _tints(n: int) -> Floats:
    from matplotlib.colors import to_rgb

    return np.array([to_rgb(COLOURS[k % len(COLOURS)]) for k in range(n)])


def _draw_rows(ax: Axes, x: Any, y: Any, labels: Any, classes: Any, max_rows: int) -> None:
    from matplotlib.lines import Line2D

    marks = "osD^v<>PX*"
    n = len(classes)

    def look(k: int) -> dict[str, Any]:
        return {"marker": marks[k // len(COLOURS) % len(marks)], "color": COLOURS[k % len(COLOURS)]}

    if labels is not None:
        truth = label_indices(labels, classes)
        most = check_value("max_rows", Integer(1), max_rows)
        rows = np.linspace(0, len(truth) - 1, min(len(truth), most)).astype(np.int64)
        for k in range(n):
            own = rows[truth[rows] == k]
            ax.scatter(
                x[own], y[own], s=14, edgecolors="white", linewidths=0.4, rasterized=True, **look(k)
            )
    handles = [
        Line2D([], [], linestyle="", markersize=5, label=shortened(classes[k], 18), **look(k))
        for k in range(n)
    ]
    legend(ax, max(n, 7), handles)
