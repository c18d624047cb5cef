"""SHAP values: all rows, one row, one column, pairs of columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.parameters.constraints import Integer, check_value
from ceiba.plot._explained import Explained, explained, value_text
from ceiba.plot.style import (
    FAINT,
    HIGH,
    INK,
    LOW,
    MUTED,
    SMALL,
    TEXT,
    diverging,
    dress,
    letters_beside,
    lines_that_fit,
    new_axes,
    number,
    points_wide,
    sequential,
    short_names,
    shortened,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["beeswarm", "dependence", "interactions", "waterfall"]

Floats = NDArray[np.float64]
_SWARM_BINS = 120


def beeswarm(
    explanation: Any,
    *,
    output: Any = None,
    max_columns: int = 15,
    max_rows: int = 2000,
    ax: Axes | None = None,
) -> Axes:
    """Draw the SHAP values of all rows: a point for each row, coloured by the column's value.

    Parameters
    ----------
    explanation : Explanation
        What ``model.explain(X)`` returns.
    output : int or label, optional
        Which of several outputs; by default the first.
    max_columns : int, default=15
        The columns of the largest mean |value| that are shown.
    max_rows : int, default=2000
        Rows that are drawn, evenly taken from all.
    ax : matplotlib axes, optional
        Where to draw; by default in a new figure.
    """
    own = explained(explanation, output)
    most = lines_that_fit(ax, check_value("max_columns", Integer(1), max_columns))
    order = own.most_important(most)
    rows = _some(len(own.values), check_value("max_rows", Integer(1), max_rows))
    longest = None if ax is None else letters_beside(ax)
    ax = new_axes(ax, (6.4, 1.1 + 0.32 * len(order)))
    colours = diverging()
    reach = max(float(np.abs(own.values[rows][:, order]).max(initial=0.0)), 1e-12)
    for place, j in enumerate(order[::-1]):
        values = own.values[rows, j]
        height = _swarm(values, reach)
        scaled = own.scaled(j)
        known = np.zeros(len(rows), dtype=bool) if scaled is None else ~np.isnan(scaled[rows])
        ax.scatter(
            values[~known], place + height[~known], s=7, color=MUTED, linewidths=0, rasterized=True
        )
        if scaled is not None:
            ax.scatter(
                values[known],
                place + height[known],
                c=scaled[rows][known],
                cmap=colours,
                vmin=0,
                vmax=1,
                s=7,
                linewidths=0,
                rasterized=True,
            )
    ax.axvline(0, color=MUTED, linewidth=0.8, zorder=0)
    said = "SHAP value" if points_wide(ax) < 300 else "SHAP value: what is added to the"
    dress(ax, x=f"{said} {_score(own)}" if own.output or len(said) > 12 else said, grid=None)
    for place in range(len(order)):
        ax.axhline(place, color=FAINT, linewidth=0.6, zorder=0)
    ax.set_yticks(range(len(order)), short_names([own.names[j] for j in order[::-1]], longest))
    ax.set_ylim(-0.7, len(order) - 0.3)
    ax.tick_params(axis="y", length=0)
    _value_bar(ax, "value of the column", ("low", "high"))
    return ax


def waterfall(
    explanation: Any,
    row: int = 0,
    *,
    output: Any = None,
    max_columns: int = 10,
    ax: Axes | None = None,
) -> Axes:
    """Draw how the columns lead from the base value to the raw score of one row.

    Parameters
    ----------
    explanation : Explanation
        What ``model.explain(X)`` returns.
    row : int, default=0
        The row of the explanation.
    output : int or label, optional
        Which of several outputs; by default the first.
    max_columns : int, default=10
        Columns of the largest values that are shown; the others are one bar.
    ax : matplotlib axes, optional
        Where to draw; by default in a new figure.
    """
    own = explained(explanation, output)
    row = check_value("row", Integer(-len(own.values), len(own.values) - 1), row)
    values = own.values[row]
    most = lines_that_fit(ax, check_value("max_columns", Integer(1), max_columns))
    order = np.argsort(-np.abs(values), kind="stable")
    some = order[: max(1, int(np.count_nonzero(values)))]  # of the others there is nothing to see
    # One column more takes no more room than "1 other column".
    shown = some if len(some) <= most + 1 else some[:most]
    n_rest, rest = len(order) - len(shown), float(values[order[len(shown) :]].sum())
    others = f"{n_rest} other column{'s' if n_rest > 1 else ''}"
    steps = [(others, rest)] if len(shown) < len(some) else []
    longest = 26 if ax is None else letters_beside(ax) * 2 // 3
    names = short_names([own.names[j] for j in shown], longest)
    for j, name in list(zip(shown, names, strict=True))[::-1]:
        value = shortened(value_text(own.data[row, j]), max(8, longest // 2))
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
    # Room for the numbers beside the bars, in what the names leave of the axes.
    wide = points_wide(ax) - max(len(name) for name, _ in steps) * SMALL * 0.55
    share = min(0.36, 5.5 * SMALL / max(wide, 1.0))
    range_ = max(ends) - min(ends) or 1.0
    room = share / (1 - 2 * share) * range_
    reached = [end + side * room for end, side in tips]
    ax.set_xlim(min(min(ends) - 0.03 * range_, *reached), max(max(ends) + 0.03 * range_, *reached))
    ax.xaxis.set_major_locator(MaxNLocator(max(2, int(wide / 45))))
    ax.axvline(base, color=MUTED, linewidth=0.8, linestyle=":", zorder=0)
    ends_said = (number(base, 4), number(at, 4))
    said = "from {} on average to {}" if wide > 200 else "{} to {}"
    dress(ax, title=said.format(*ends_said), x=_score(own), grid="x")
    ax.set_yticks(range(len(steps)), [name for name, _ in steps])
    ax.set_ylim(-0.6, len(steps) - 0.4)
    ax.tick_params(axis="y", length=0)
    return ax


def dependence(
    explanation: Any,
    column: str | int,
    *,
    colour_by: str | int | None = "auto",
    output: Any = None,
    max_rows: int = 5000,
    ax: Axes | None = None,
) -> Axes:
    """Draw the SHAP values of one column over its values.

    Parameters
    ----------
    explanation : Explanation
        What ``model.explain(X)`` returns.
    column : str or int
        The column.
    colour_by : str or int, default="auto"
        A second column that colours the points; "auto" takes the one that explains most of what
        the first does not, None none.
    output : int or label, optional
        Which of several outputs; by default the first.
    max_rows : int, default=5000
        Rows that are drawn, evenly taken from all.
    ax : matplotlib axes, optional
        Where to draw; by default in a new figure.
    """
    own = explained(explanation, output)
    j = own.column(column)
    other = None
    if colour_by == "auto" and "auto" not in own.names:
        other = _partner(own, j)
    elif colour_by is not None:
        other = own.column(colour_by, "colour_by")
    ax = new_axes(ax, (6.0, 4.0))
    _points(ax, own, own.values[:, j], j, other, max_rows)
    said = f"SHAP value, {_score(own)}" if own.output else "SHAP value"
    dress(ax, x=shortened(own.names[j], 60), y=said, grid="y")
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
    """Draw what columns add in pairs: all pairs as a matrix, or one pair over its values.

    Parameters
    ----------
    explanation : Explanation
        What ``model.explain(X, interactions=True)`` returns.
    columns : (first, second), optional
        A pair, to draw what it adds over the values of the first, coloured by the second.
    output : int or label, optional
        Which of several outputs; by default the first.
    max_columns : int, default=12
        Columns of the matrix: those of the largest values.
    max_rows : int, default=5000
        Rows that are drawn of a pair.
    ax : matplotlib axes, optional
        Where to draw; by default in a new figure.
    """
    own = explained(explanation, output, pairs=True)
    if columns is not None:
        first, second = (own.column(one, "columns") for one in columns)
        ax = new_axes(ax, (6.0, 4.0))
        both = own.values[:, first, second] + own.values[:, second, first]
        _points(ax, own, both if first != second else both / 2, first, second, max_rows)
        pair = f"{shortened(own.names[first], 24)} and {shortened(own.names[second], 24)}"
        dress(ax, x=shortened(own.names[first], 60), y=f"{pair}\nadd together")
        return ax
    sizes = np.abs(own.values).mean(axis=0)
    both = sizes + sizes.T
    np.fill_diagonal(both, np.diag(sizes))
    most = lines_that_fit(ax, check_value("max_columns", Integer(1), max_columns), 0.45)
    order = np.argsort(-both.sum(axis=1), kind="stable")[:most]
    longest = 22 if ax is None else letters_beside(ax) * 2 // 3
    shown = both[np.ix_(order, order)]
    shown = np.where(np.tri(len(order), dtype=bool), shown, np.nan)
    side = 2.2 + 0.42 * len(order)
    ax = new_axes(ax, (side + 1.0, side))
    image = ax.imshow(shown, cmap=sequential(), vmin=0, vmax=float(np.nanmax(shown)) or 1.0)
    names = short_names([own.names[j] for j in order], longest)
    ax.set_xticks(range(len(order)), names, rotation=90 if len(order) > 2 else 0)
    ax.set_yticks(range(len(order)), names)
    dress(ax, grid=None)
    for side_name in ("left", "bottom"):
        ax.spines[side_name].set_visible(False)
    ax.tick_params(length=0)
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.8, pad=0.02)
    _dress_bar(bar, f"mean |value|, {_score(own)}" if own.output else "mean |value|")
    return ax


def _points(
    ax: Axes, own: Explained, values: Floats, j: int, other: int | None, max_rows: int
) -> None:
    rows = _some(len(values), check_value("max_rows", Integer(1), max_rows))
    numbers = own.numbers(j)
    if numbers is None:
        levels, places = np.unique(own.data[:, j].astype(str), return_inverse=True)
        # Side by side, so that rows of one level can be seen.
        x = places + (np.arange(len(places)) * 0.618 % 1.0 - 0.5) * 0.5
        _level_ticks(ax, levels)
    else:
        x = numbers
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
        _value_bar(ax, shortened(own.names[other]), ("low", "high"))
    ax.axhline(0, color=MUTED, linewidth=0.8, zorder=0)


def _level_ticks(ax: Axes, levels: NDArray[Any]) -> None:
    """Name levels below the axes: some of them, where they are too many."""
    step = max(1, -(-len(levels) // 30))
    names = [shortened(level, 16) for level in levels[::step]]
    upright = (sum(map(len, names)) + len(names)) * SMALL * 0.6 > 0.7 * points_wide(ax)
    ax.set_xticks(range(0, len(levels), step), names, rotation=90 if upright else 0)


def _partner(own: Explained, j: int) -> int | None:
    """Return the column that goes with what a column's own value leaves open."""
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


def _swarm(values: Floats, reach: float) -> Floats:
    """Return how far points stand off their line, so that close ones do not hide each other."""
    bins = np.floor((values / reach + 1.0) * _SWARM_BINS / 2).astype(np.int64)
    order = np.argsort(bins, kind="stable")
    _, first, counts = np.unique(bins[order], return_index=True, return_counts=True)
    rank = np.arange(len(values)) - np.repeat(first, counts)
    side = np.where(rank % 2 == 1, 1.0, -1.0) * ((rank + 1) // 2)
    widest = max(1.0, float(counts.max(initial=1)) / 2)
    heights = np.empty(len(values))
    heights[order] = side * min(0.06, 0.38 / widest)
    return heights


def _some(n_rows: int, most: int) -> NDArray[np.int64]:
    if n_rows <= most:
        return np.arange(n_rows)
    return np.linspace(0, n_rows - 1, most).astype(np.int64)


def _score(own: Explained) -> str:
    return f"raw score of {shortened(own.output, 20)}" if own.output else "raw score"


def _value_bar(ax: Axes, label: str, ends: tuple[str, str]) -> None:
    from matplotlib.cm import ScalarMappable

    bar = ax.figure.colorbar(
        ScalarMappable(cmap=diverging()), ax=ax, aspect=30, pad=0.02, ticks=[0, 1]
    )
    bar.ax.set_yticklabels(ends)
    _dress_bar(bar, label)


def _dress_bar(bar: Any, label: str) -> None:
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=SMALL, length=0, colors=INK)
    bar.set_label(label, fontsize=TEXT, color=INK)
