"""Plots of regression models: residuals, predicted and observed values, quantile coverage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidInputError
from ceiba.plot._of_model import known_target, model_of, named_models, one_prediction
from ceiba.plot.style import (
    ACCENT,
    FAINT,
    INK,
    MAIN,
    MUTED,
    colour_of,
    countable,
    dress,
    dress_bar,
    legend,
    new_axes,
    number,
    shortened,
    unit_square,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["coverage", "observed", "residuals"]

Floats = NDArray[np.float64]
_MANY = 4000  # more rows than this are drawn as counts of cells
_CELLS = 60  # along each axis
_FEW = 3  # cells with up to this many rows are drawn as points


def residuals(model: Any, X: Any, y: Any, *, ax: Axes | None = None) -> Axes:
    """Draw residuals (target minus prediction) over predictions, with median and 80 % band.

    Parameters
    ----------
    model : model or regressor
        A model of ceiba, or any object with ``predict``.
    X, y : table and target
        Rows; best are rows that the model was not trained on.
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
    >>> ax = ceiba.plot.residuals(model, X, y)
    """
    predicted = one_prediction(model, X)
    off = known_target(y, len(predicted)) - predicted
    ax = new_axes(ax, (6.0, 4.0))
    _cloud(ax, predicted, off)
    ax.axhline(0, color=INK, linewidth=0.9)
    if len(off) >= 50:
        order = np.argsort(predicted, kind="stable")
        groups = np.array_split(order, min(20, len(off) // 10))
        x = [float(predicted[group].mean()) for group in groups]
        low, middle, high = (
            [float(np.quantile(off[group], q)) for group in groups] for q in (0.1, 0.5, 0.9)
        )
        ax.fill_between(x, low, high, color=ACCENT, alpha=0.15, linewidth=0, label="80 % of rows")
        ax.plot(x, middle, color=ACCENT, linewidth=1.8, label="median")
        legend(ax, 2, loc=_emptiest_corner(predicted, off))
    rmse = float(np.sqrt(np.mean(off**2)))
    return dress(ax, title=f"Residuals   (RMSE {number(rmse, 4)})", x="predicted", y="residual")


def _emptiest_corner(x: Floats, y: Floats) -> str:
    """Return the corner with the fewest points, for a legend (matplotlib's own search is slow)."""
    across = (x - x.min()) / max(float(np.ptp(x)), 1e-300)
    up = (y - y.min()) / max(float(np.ptp(y)), 1e-300)
    counts = {
        "upper left": np.sum((across < 0.35) & (up > 0.8)),
        "upper right": np.sum((across > 0.65) & (up > 0.8)),
        "lower left": np.sum((across < 0.35) & (up < 0.2)),
        "lower right": np.sum((across > 0.65) & (up < 0.2)),
    }
    return min(counts, key=lambda corner: int(counts[corner]))


def observed(model: Any, X: Any, y: Any, *, ax: Axes | None = None) -> Axes:
    """Draw predicted over observed values.

    Parameters
    ----------
    model : model or regressor
        A model of ceiba, or any object with ``predict``.
    X, y : table and target
        Rows; best are rows that the model was not trained on.
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
    >>> ax = ceiba.plot.observed(model, X, y)
    """
    predicted = one_prediction(model, X)
    target = known_target(y, len(predicted))
    ax = new_axes(ax, (5.0, 4.6))
    _cloud(ax, target, predicted)
    low = float(min(target.min(), predicted.min()))
    high = float(max(target.max(), predicted.max()))
    ax.plot([low, high], [low, high], color=ACCENT, linewidth=1.2)
    spread = float(((target - target.mean()) ** 2).sum())
    left = float(((target - predicted) ** 2).sum())
    title = "Predicted and observed"
    if spread > 0:
        title += f"   (R² {number(1.0 - left / spread)})"
    return dress(ax, title=title, x="observed", y="predicted", grid="both")


def coverage(models: Any, X: Any, y: Any, *, ax: Axes | None = None) -> Axes:
    """Draw the share of rows below each predicted quantile, with a 95 % band of chance.

    Parameters
    ----------
    models : model, list of models, or dict of name and model
        Models with ``objective="quantile"``, of one level or several.
    X, y : table and target
        Rows that no model was trained on.
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
    >>> y = X[:, 0]
    >>> model = CeibaRegressor(objective="quantile", quantile=[0.1, 0.9], n_estimators=20)
    >>> ax = ceiba.plot.coverage(model.fit(X, y), X, y)
    """
    ax = new_axes(ax, (5.0, 4.6))
    named = named_models(models)
    n_rows = 1
    for place, (name, model) in enumerate(named.items()):
        owner = model_of(model)
        levels = np.asarray(owner.objective.levels, dtype=np.float64)
        if not len(levels):
            raise InvalidInputError(
                "plot.coverage needs a quantile model. Got a model with objective "
                f"{owner.objective.name!r}. Train with objective='quantile'."
            )
        predicted = np.asarray(owner.predict(X), dtype=np.float64).reshape(-1, len(levels))
        target = np.asarray(known_target(y, len(predicted)))
        n_rows = len(target)
        share = (target[:, None] <= predicted).mean(axis=0)
        text = f"{shortened(name, 24)}, off by {np.abs(share - levels).mean():.3f}"
        order = np.argsort(levels)
        look = colour_of(place)
        ax.plot(levels[order], share[order], "o", markersize=5, label=text, **look)
        ax.plot(levels[order], share[order], linewidth=1.2, **look)
    level = np.linspace(0.0, 1.0, 201)
    chance = 2.0 * np.sqrt(level * (1.0 - level) / n_rows)
    band: dict[str, Any] = {
        "color": FAINT,
        "alpha": 0.6,
        "linewidth": 0,
        "zorder": 0,
        "label": "chance (95 %)",
    }
    ax.fill_between(level, level - chance, level + chance, **band)
    ax.plot([0, 1], [0, 1], color=MUTED, linewidth=0.9, zorder=0)
    unit_square(ax)
    legend(ax, len(named) + 1, loc="upper left")
    return dress(ax, title="Coverage of quantiles", x="level", y="share of rows below", grid="both")


def _cloud(ax: Axes, x: Floats, y: Floats) -> None:
    """Draw rows as points, or as counts of cells if there are many rows."""
    if len(x) <= _MANY:
        light = float(np.clip(60.0 / np.sqrt(len(x) + 1.0) / 2, 0.45, 0.9))
        ax.scatter(x, y, s=12, color=MAIN, alpha=light, linewidths=0, rasterized=True)
        return
    _cells(ax, x, y)


def _cells(ax: Axes, x: Floats, y: Floats) -> None:
    """Draw row counts of cells, and the rows of sparse cells as points."""
    from matplotlib.colors import LogNorm
    from matplotlib.ticker import FuncFormatter

    edges = [
        np.linspace(values.min(), max(values.max(), values.min() + 1e-300), _CELLS + 1)
        for values in (x, y)
    ]
    places = [
        np.clip(np.searchsorted(own, values, side="right") - 1, 0, _CELLS - 1)
        for own, values in zip(edges, (x, y), strict=True)
    ]
    counts = np.zeros((_CELLS, _CELLS))
    np.add.at(counts, tuple(places), 1.0)
    alone = counts[tuple(places)] <= _FEW
    ax.scatter(x[alone], y[alone], s=7, color=MAIN, alpha=0.7, linewidths=0, rasterized=True)
    shown = np.where(counts > _FEW, counts, np.nan)
    if not (counts > _FEW).any():
        return
    norm = LogNorm(_FEW + 1, max(_FEW + 2, counts.max()))
    mesh = ax.pcolormesh(*edges, shown.T, cmap=countable(), norm=norm, rasterized=True)
    mesh.sticky_edges.x.clear()
    mesh.sticky_edges.y.clear()
    ax.margins(0.04)
    bar = ax.figure.colorbar(mesh, ax=ax, pad=0.02)
    bar.formatter = FuncFormatter(lambda value, _: f"{value:,.0f}")
    bar.ax.yaxis.set_minor_formatter(FuncFormatter(lambda *_: ""))
    dress_bar(bar, "rows of a cell")
