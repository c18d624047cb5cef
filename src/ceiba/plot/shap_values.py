"""Plots of SHAP values: waterfall, dependence, interactions. ``swarm.py`` has the beeswarm."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.parameters.constraints import Integer, check_value
from ceiba.plot._explained import Explained, explained, some_rows, value_text
from ceiba.plot.style import (
    HIGH,
    INK,
    LOW,
    MUTED,
    SMALL,
    diverging,
    dress,
    dress_bar,
    letters_beside,
    names_that_fit,
    new_axes,
    number,
    points_high,
    points_wide,
    sequential,
    short_names,
    shortened,
    value_bar,
)
from ceiba.plot.ticks import axis_values, level_ticks, unit_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["dependence", "interactions", "waterfall"]

Floats = NDArray[np.float64]


def waterfall(
    explanation: Any,
    row: int = 0,
    *,
    output: Any = None,
    max_columns: int = 10,
    ax: Axes | None = None,
) -> Axes:
    """Draw the SHAP values of one row, from the base value to its score.

    The axis label names the unit: log-odds of a class, the prediction, or a probability (with
    ``explain(X, background=rows, output="probability")``).

    Parameters
    ----------
    explanation : Explanation
        Result of ``model.explain(X)``.
    row : int, default=0
        Row of the explanation.
    output : int or label, default=None
        Output to draw. None draws the first.
    max_columns : int, default=10
        Columns with the largest |values| to draw; the others share one bar.
    ax : matplotlib axes, default=None
        Axes to draw on. None makes a new figure.

    Returns
    -------
    axes
        The axes with the plot.

    Examples
    --------
    >>> import ceiba
    >>> from ceiba import CeibaClassifier
    >>> from ceiba.demo import load_heart_failure
    >>> X, y, names = load_heart_failure()
    >>> model = CeibaClassifier(n_estimators=20).fit(X, y)
    >>> ax = ceiba.plot.waterfall(model.explain(X[:1]))
    """
    own = explained(explanation, output)
    row = check_value("row", Integer(-len(own.values), len(own.values) - 1), row)
    values = own.values[row]
    most = names_that_fit(ax, check_value("max_columns", Integer(1), max_columns))
    order = np.argsort(-np.abs(values), kind="stable")
    some = order[: max(1, int(np.count_nonzero(values)))]  # leaves out zeros
    # One more column takes as much room as "1 other column".
    shown = some if len(some) <= most + 1 else some[:most]
    n_rest, rest = len(order) - len(shown), float(values[order[len(shown) :]].sum())
    others = f"{n_rest} other column{'s' if n_rest > 1 else ''}"
    steps = [(others, rest)] if len(shown) < len(some) else []
    longest = 26 if ax is None else letters_beside(ax) * 2 // 3
    names = short_names([own.names[j] for j in shown], longest)
    for j, name in list(zip(shown, names, strict=True))[::-1]:
        value = shortened(value_text(own.data[row, j], own.kind(int(j))), max(16, longest // 2))
        steps.append((f"{name} = {value}", float(values[j])))
    ax = new_axes(ax, (6.4, 1.2 + 0.32 * len(steps)))
    from matplotlib.ticker import MaxNLocator

    at = base = float(own.base[row])
    ends, tips = [base], []
    for place, (_, step) in enumerate(steps):
        ax.barh(place, step, left=at, height=0.66, color=HIGH if step > 0 else LOW)
        ax.plot([at + step] * 2, [place - 0.33, place + 1.33], color=MUTED, linewidth=0.7, zorder=0)
        ax.annotate(
            f"{'+' if step >= 0 else ''}{number(step)}",
            (at + step, place),
            (3 if step >= 0 else -3, 0),
            textcoords="offset points",
            ha="left" if step >= 0 else "right",
            va="center",
            fontsize=SMALL,
            color=INK,
        )
        at += step
        ends.append(at)
        tips.append((at, 1.0 if step >= 0 else -1.0))
    wide = points_wide(ax) - max(len(name) for name, _ in steps) * SMALL * 0.55
    ax.set_xlim(*_limits(wide, ends, tips))
    ax.xaxis.set_major_locator(MaxNLocator(max(2, int(wide / 45)), steps=[1, 2, 2.5, 5, 10]))
    ax.axvline(base, color=MUTED, linewidth=0.8, linestyle=":", zorder=0)
    ends_said = (number(base, 4), number(at, 4))
    said = "from {} on average to {}" if wide > 200 else "{} to {}"
    dress(ax, title=said.format(*ends_said), x=own.scale, grid="x")
    ax.set_yticks(range(len(steps)), [name for name, _ in steps])
    ax.set_ylim(-0.6, len(steps) - 0.4)
    ax.tick_params(axis="y", length=0)
    return ax


def _limits(wide: float, ends: list[float], tips: list[tuple[float, float]]) -> tuple[float, float]:
    """Return limits of the axis that leave room for the numbers beside the bars."""
    share = min(0.36, 5.5 * SMALL / max(wide, 1.0))
    range_ = max(ends) - min(ends) or 1.0
    room = share / (1 - 2 * share) * range_
    reached = [end + side * room for end, side in tips]
    return min(min(ends) - 0.03 * range_, *reached), max(max(ends) + 0.03 * range_, *reached)


def dependence(
    explanation: Any,
    column: str | int,
    *,
    colour_by: str | int | None = "auto",
    output: Any = None,
    max_rows: int = 5000,
    ax: Axes | None = None,
) -> Axes:
    """Draw the SHAP values of a column over its values.

    Parameters
    ----------
    explanation : Explanation
        Result of ``model.explain(X)``.
    column : str or int
        The column.
    colour_by : str or int, default="auto"
        Column that colors the points. "auto" chooses the column with the strongest interaction;
        None uses one color.
    output : int or label, default=None
        Output to draw. None draws the first.
    max_rows : int, default=5000
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
    >>> ax = ceiba.plot.dependence(model.explain(X), "f0")
    """
    own = explained(explanation, output)
    j = own.column(column)
    other = None
    if colour_by == "auto" and "auto" not in own.names:
        other = _partner(own, j)
    elif colour_by is not None:
        other = own.column(colour_by, "colour_by")
    ax = new_axes(ax, (6.0, 4.0))
    named = _points(ax, own, own.values[:, j], j, other, max_rows)
    dress(ax, x=shortened(own.names[j], 60) + named, y=f"SHAP value, {own.scale}", grid="y")
    return ax


def interactions(
    explanation: Any,
    columns: tuple[Any, Any] | None = None,
    *,
    output: Any = None,
    max_columns: int = 12,
    max_rows: int = 5000,
    ax: Axes | None = None,
) -> Axes:
    """Draw SHAP interaction values: a matrix of all pairs, or one pair over its values.

    The diagonal of the matrix shows the main effects, as numbers without a color.

    Parameters
    ----------
    explanation : Explanation
        Result of ``model.explain(X, interactions=True)``.
    columns : tuple (first, second), default=None
        A pair, to draw its interaction over the values of the first column, colored by the second.
        None draws the matrix.
    output : int or label, default=None
        Output to draw. None draws the first.
    max_columns : int, default=12
        Largest number of columns of the matrix.
    max_rows : int, default=5000
        Largest number of rows to draw for a pair.
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
    >>> pairs = model.explain(X, interactions=True)
    >>> ax = ceiba.plot.interactions(pairs)
    >>> ax = ceiba.plot.interactions(pairs, ("f1", "f2"))
    """
    own = explained(explanation, output, pairs=True)
    if columns is not None:
        first, second = (own.column(one, "columns") for one in columns)
        ax = new_axes(ax, (6.0, 4.0))
        both = own.values[:, first, second] + own.values[:, second, first]
        values = both if first != second else both / 2
        named = _points(ax, own, values, first, second, max_rows)
        pair = f"{shortened(own.names[first], 24)} and {shortened(own.names[second], 24)}"
        dress(ax, x=shortened(own.names[first], 60) + named, y=f"{pair}\nadd to {own.scale}")
        return ax
    sizes = np.abs(own.values).mean(axis=0)
    both = sizes + sizes.T
    np.fill_diagonal(both, np.diag(sizes))
    most = names_that_fit(ax, check_value("max_columns", Integer(1), max_columns), 0.45)
    order = np.argsort(-both.sum(axis=1), kind="stable")[:most]
    longest = 22 if ax is None else letters_beside(ax) * 2 // 3
    shown = both[np.ix_(order, order)]
    shown = np.where(np.tri(len(order), dtype=bool), shown, np.nan)
    side = 2.2 + 0.42 * len(order)
    ax = new_axes(ax, (side + 1.0, side))
    pairs = np.where(np.eye(len(order), dtype=bool), np.nan, shown)
    largest = float(np.nanmax(pairs)) if len(order) > 1 else 0.0
    image = ax.imshow(pairs, cmap=sequential(), vmin=0, vmax=largest or 1.0)
    size = min(SMALL, points_high(ax) * 0.6 / len(order) / 2.6)
    digits = max(0, min(4, 1 - math.floor(math.log10(largest)))) if largest else 2
    for j, i in itertools.combinations_with_replacement(range(len(order)), 2):
        dark = i != j and shown[i, j] > 0.55 * largest
        text = f"{shown[i, j]:,.{digits}f}"
        look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": size}
        if size >= 4.0:
            ax.text(j, i, text, color="white" if dark else INK, **look)
    names = short_names([own.names[j] for j in order], longest)
    ax.set_xticks(range(len(order)), names, rotation=90 if len(order) > 2 else 0)
    ax.set_yticks(range(len(order)), names)
    some = "diagonal: alone"
    some += f"; {len(order)} of {len(both)} columns" if len(order) < len(both) else ""
    dress(ax, x=some, grid=None)
    for side_name in ("left", "bottom"):
        ax.spines[side_name].set_visible(False)
    ax.tick_params(length=0)
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.8, pad=0.02)
    dress_bar(bar, f"mean |value|, {own.scale}")
    return ax


def _points(
    ax: Axes, own: Explained, values: Floats, j: int, other: int | None, max_rows: int
) -> str:
    """Draw a point for each row; return a note for the axis label."""
    rows = some_rows(len(values), check_value("max_rows", Integer(1), max_rows))
    numbers = own.numbers(j)
    if numbers is None:
        texts = [value_text(value, "category") for value in own.data[:, j]]
        levels, places = np.unique(texts, return_inverse=True)
        # Spread the rows of a level horizontally.
        x: NDArray[Any] = places + (np.arange(len(places)) * 0.618 % 1.0 - 0.5) * 0.5
        said = level_ticks(ax, levels.tolist())
    else:
        x, said = axis_values(numbers, own.kind(j)), unit_of(own.kind(j))
    scaled = None if other is None else own.scaled(other)
    if scaled is None or other is None:
        ax.scatter(x[rows], values[rows], s=9, color=LOW, linewidths=0, alpha=0.7, rasterized=True)
    else:
        known = rows[~np.isnan(scaled[rows])]
        unknown = rows[np.isnan(scaled[rows])]
        ax.scatter(x[unknown], values[unknown], s=9, color=MUTED, linewidths=0, rasterized=True)
        ax.scatter(
            x[known],
            values[known],
            c=scaled[known],
            cmap=diverging(),
            vmin=0,
            vmax=1,
            s=9,
            linewidths=0,
            alpha=0.8,
            rasterized=True,
        )
        value_bar(ax, shortened(own.names[other]), ("low", "high"))
    ax.axhline(0, color=MUTED, linewidth=0.8, zorder=0)
    return said


def _partner(own: Explained, j: int) -> int | None:
    """Return the column with the strongest interaction, measured within bins of a column."""
    numbers = own.numbers(j)
    codes = np.unique(own.data[:, j].astype(str), return_inverse=True)[1]
    order = np.argsort(codes if numbers is None else numbers, kind="stable")
    pieces = np.array_split(order, max(1, min(10, len(order) // 10)))
    best, strongest = None, 1e-12
    for k in range(len(own.names)):
        scaled = None if k == j else own.scaled(k)
        if scaled is None:
            continue
        filled = np.where(np.isnan(scaled), 0.5, scaled)
        strength = 0.0
        for piece in pieces:
            values, others = own.values[piece, j], filled[piece]
            strength += abs(float(((values - values.mean()) * (others - others.mean())).sum()))
        if strength > strongest:
            best, strongest = k, strength
    return best
