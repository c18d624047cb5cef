"""Common style of all plots: axes, colors, text sizes, legends, number formats.

Settings apply to the axes of a plot only, never to matplotlib's global settings. The colors are
distinguishable with red-green color blindness and in grayscale.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from ceiba.errors import InvalidParameterError, MissingDependencyError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "ACCENT",
    "COLOURS",
    "FAINT",
    "HIGH",
    "INK",
    "LOW",
    "MAIN",
    "MUTED",
    "SMALL",
    "TEXT",
    "TITLE",
    "colour_of",
    "countable",
    "diverging",
    "dress",
    "dress_bar",
    "fits",
    "fitting",
    "legend",
    "letters_beside",
    "names_that_fit",
    "new_axes",
    "new_column_of_axes",
    "number",
    "plain",
    "points_high",
    "points_wide",
    "sequential",
    "short_names",
    "shortened",
    "tick_texts",
    "unit_square",
    "value_bar",
]

MAIN = "#0a6ba8"  # blue
ACCENT = "#d2571b"  # vermilion
INK = "#262626"
MUTED = "#6e6e6e"
FAINT = "#d9d9d9"
LOW, HIGH = "#1f77b4", "#c8342b"  # of low and high values

#: Colors of several models or classes; further ones change the line style.
COLOURS = (MAIN, ACCENT, "#12876a", "#b5629a", "#8a6d00", "#4aa3d9", "#e09a00", "#555555")
STYLES = ("-", "--", ":", "-.")

TITLE, TEXT, SMALL = 11.0, 9.0, 8.0  # points
_LONGEST = 30  # letters of a name


def pyplot() -> Any:
    """Import matplotlib.pyplot (lazy import)."""
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise MissingDependencyError(
            "Plots need matplotlib, which is not installed. Install it with: "
            "pip install 'ceiba[plot]'"
        ) from error
    return plt


def new_axes(ax: Any, size: tuple[float, float] = (6.0, 4.0)) -> Axes:
    """Return the given axes, or axes of a new figure of this size in inches."""
    plt = pyplot()
    if ax is not None:
        axes: Axes = ax
        return axes
    figure, made = plt.subplots(figsize=size, layout="constrained")
    figure.set_facecolor("white")
    found: Axes = made
    return found


def new_column_of_axes(
    axes: Any, n_rows: int, n_columns: int, size: tuple[float, float], **how: Any
) -> list[Axes]:
    """Return n_rows * n_columns axes, row after row: the given ones, or new ones."""
    plt = pyplot()
    n_axes = n_rows * n_columns
    if axes is None:
        figure, made = plt.subplots(
            n_rows, n_columns, figsize=size, layout="constrained", squeeze=False, **how
        )
        figure.set_facecolor("white")
        return list(made.reshape(-1))
    if hasattr(axes, "reshape"):
        listed = list(axes.reshape(-1))
    else:
        listed = list(axes) if isinstance(axes, list | tuple) else [axes]
    if len(listed) != n_axes:
        raise InvalidParameterError(f"axes must be {n_axes} axes. Got {len(listed)}.")
    return listed


def dress(
    ax: Axes,
    *,
    title: str = "",
    x: str = "",
    y: str = "",
    grid: Literal["both", "x", "y"] | None = "y",
) -> Axes:
    """Apply the common style to axes and set title, labels and grid."""
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(MUTED)
        ax.spines[side].set_linewidth(0.8)
    ax.tick_params(labelsize=SMALL, colors=INK, width=0.8, length=3, color=MUTED)
    ax.set_axisbelow(True)
    _one_notation(ax)
    if grid is not None:
        ax.grid(True, axis=grid, color=FAINT, linewidth=0.6)
    wide, high = points_wide(ax), points_high(ax)
    if title:
        size = max(SMALL, min(TITLE, wide / max(1, len(title)) / 0.55))
        ax.set_title(fitting(title, wide, size), fontsize=size, color=INK, loc="left")
    if x:
        ax.set_xlabel(fitting(x, wide, TEXT), fontsize=TEXT, color=INK)
    if y:
        lines = [fitting(line, high, TEXT) for line in y.split("\n")]
        ax.set_ylabel("\n".join(lines), fontsize=TEXT, color=INK)
    return ax


def _one_notation(ax: Axes) -> None:
    """Format the ticks of an axis with one notation, and dates concisely."""
    from matplotlib import dates
    from matplotlib.ticker import AutoLocator, FuncFormatter, MaxNLocator, ScalarFormatter

    room = max(2, min(9, int(points_wide(ax) / 48)))
    if isinstance(ax.xaxis.get_major_locator(), AutoLocator):
        ax.xaxis.set_major_locator(MaxNLocator(room, steps=[1, 2, 2.5, 5, 10]))
    for axis in (ax.xaxis, ax.yaxis):
        if isinstance(axis.get_major_formatter(), dates.AutoDateFormatter):
            # With 2 to 5 ticks matplotlib finds an interval for every range.
            made: Any = dates
            locator = made.AutoDateLocator(minticks=2, maxticks=max(5, min(7, room)))
            axis.set_major_locator(locator)
            axis.set_major_formatter(made.ConciseDateFormatter(locator))
            axis.get_offset_text().set_fontsize(SMALL)
        if type(axis.get_major_formatter()) is ScalarFormatter:
            formatter = FuncFormatter(lambda value, _: tick_texts([value])[0])
            formatter.format_ticks = tick_texts  # type: ignore[method-assign]
            axis.set_major_formatter(formatter)


def tick_texts(values: Sequence[float]) -> list[str]:
    """Return tick labels that all have the same number of decimals."""
    known = [float(value) for value in values]
    largest = max(map(abs, known), default=0.0)
    steps = [b - a for a, b in itertools.pairwise(sorted(set(known)))]
    step = min(steps, default=largest) or 1.0
    if largest >= 1e7 or step < 1e-5:
        written = ([f"{value:.{d}e}" for value in known] for d in range(12))
        near = (
            texts
            for texts in written
            if all(abs(float(t) - v) <= 1e-6 * step for t, v in zip(texts, known, strict=True))
        )
        texts = next(near, [f"{value:.12e}" for value in known])
        texts = ["0" if not float(text) else text for text in texts]
        texts = [re.sub(r"e([+-])0*(\d)", r"e\1\2", text).replace("e+", "e") for text in texts]
    else:
        # Enough decimals for the finest number.
        digits = next((d for d in range(8) if all(_is_short(v, d, step) for v in known)), 8)
        texts = [f"{value:,.{digits}f}" for value in known]
        texts = ["0" if not float(text.replace(",", "")) else text for text in texts]
    return [text.replace("-", "−") for text in texts]


def _is_short(value: float, digits: int, step: float) -> bool:
    return abs(round(value, digits) - value) <= 1e-6 * step


def unit_square(ax: Axes) -> None:
    """Set both axes to 0 … 1 with the same ticks."""
    from matplotlib.ticker import MultipleLocator

    ax.set_xlim(-0.02, 1.02)
    ax.set_ylim(-0.02, 1.04)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MultipleLocator(0.2 if points_wide(ax) > 150 else 0.5))


def legend(ax: Axes, n_entries: int, handles: Sequence[Any] = (), **how: Any) -> None:
    """Draw a small legend, beside the axes if it has more than 6 entries.

    Entries that do not fit are replaced by their number.
    """
    from matplotlib.lines import Line2D

    every = list(handles) or list(ax.get_legend_handles_labels()[0])
    if n_entries > 6:
        n_lines = max(2, int(points_high(ax) * 0.95 / (SMALL * 1.5)))
        most = n_lines * (2 if points_wide(ax) > 250 else 1)
        if len(every) > most:
            left = len(every) - most + 1
            every = [*every[: most - 1], Line2D([], [], linestyle="", label=f"and {left} more")]
        columns = -(-len(every) // n_lines)
        how = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "ncols": columns, **how}
    # An opaque background keeps the legend readable over lines.
    look: dict[str, Any] = {
        "facecolor": "white",
        "edgecolor": "none",
        "framealpha": 0.85,
        "borderpad": 0.2,
    }
    ax.legend(handles=every, fontsize=SMALL, labelcolor=INK, **look, **how)


def colour_of(place: int) -> dict[str, Any]:
    """Return color and line style of the n-th model or class."""
    return {
        "color": COLOURS[place % len(COLOURS)],
        "linestyle": STYLES[place // len(COLOURS) % len(STYLES)],
    }


def diverging() -> Any:
    """Return a color map from low (blue) through gray to high (red)."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("ceiba", [LOW, "#b9b4bb", HIGH])


def sequential() -> Any:
    """Return a color map from 0 (nearly white) to large values (dark blue)."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("ceiba_blue", ["#f3f7fb", "#7fb2d6", "#08436f"])


def countable() -> Any:
    """Return a color map of row counts, in which small counts stay visible."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("ceiba_rows", ["#9cc3e0", "#3f83b5", "#08305a"])


def shortened(name: Any, longest: int = _LONGEST) -> str:
    """Return a name of at most ``longest`` letters, cut in the middle."""
    text = str(name).replace("\n", " ").replace("$", r"\$")
    if len(text) <= longest:
        return text
    head = (longest - 1) * 2 // 3
    return f"{text[:head]}…{text[len(text) - (longest - 1 - head) :]}"


def short_names(names: Sequence[Any], longest: int | None = None) -> list[str]:
    """Return short names that differ wherever the full names do.

    Names that would look the same lose their common beginning instead.
    """
    longest = _LONGEST if longest is None else longest
    texts = [str(name).replace("\n", " ") for name in names]
    found = [shortened(text, longest) for text in texts]
    for label in {one for one in found if found.count(one) > 1}:
        alike = [k for k, one in enumerate(found) if one == label]
        whole = {texts[k] for k in alike}
        if len(whole) == 1:
            continue
        same = _same_letters(min(whole), max(whole))
        begin = max(0, same - longest // 3)
        for k in alike:
            rest = texts[k][begin:]
            rest = rest if len(rest) < longest else rest[: longest - 2] + "…"
            found[k] = ("…" + rest if begin else rest).replace("$", r"\$")
    return found


def _same_letters(one: str, other: str) -> int:
    """Return the length of the common beginning of two different texts."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((k for k, (a, b) in pairs if a != b), min(len(one), len(other)))


def fitting(text: str, width: float, size: float) -> str:
    """Return a text shortened to a width; width and font size are in points."""
    from matplotlib.textpath import TextPath

    longest = len(text)
    if longest * size * 0.75 <= width:
        return shortened(text, longest)
    while longest > 4:
        short = shortened(text, longest)
        if TextPath((0, 0), short.replace(r"\$", "S"), size=size).get_extents().width <= width:
            return short
        longest -= 1 + longest // 12
    return shortened(text, 4)


def plain(text: str) -> str:
    """Return a text without line breaks or formulas for matplotlib."""
    return text.replace("\n", " ").replace("$", r"\$")


def fits(text: str, width: float, size: float) -> bool:
    """Whether a text fits a width; width and font size are in points."""
    from matplotlib.textpath import TextPath

    if len(text) * size * 0.75 <= width:
        return True
    if len(text) * size * 0.2 > width:
        return False
    drawn = TextPath((0, 0), text.replace("$", "S").replace("\n", " "), size=size)
    return float(drawn.get_extents().width) <= width


def number(value: float, digits: int = 3) -> str:
    """Return a number as short text, with few digits and a typographic minus sign."""
    if value != value:
        return "missing"
    size = abs(value)
    if not size:
        return "0"
    if size >= 10 ** (digits + 2) or 0 < size < 10**-digits:
        text = f"{value:.{digits - 1}e}"
    elif size >= 10**digits:
        text = f"{value:,.0f}"
    else:
        text = f"{value:.{digits}g}"
    return text.replace("-", "−")


def points_wide(ax: Axes) -> float:
    """Return the width of the axes in points."""
    return float(ax.get_window_extent().width) / ax.figure.dpi * 72.0


def letters_beside(ax: Axes) -> int:
    """Return the number of letters of tick labels that leave half of the width for the axes."""
    return int(min(_LONGEST, max(8, points_wide(ax) * 0.5 / (SMALL * 0.6))))


def points_high(ax: Axes) -> float:
    """Return the height of the axes in points."""
    return float(ax.get_window_extent().height) / ax.figure.dpi * 72.0


def names_that_fit(ax: Any, most: int, share: float = 0.8) -> int:
    """Return how many tick labels fit into a share of the height of axes (None: all)."""
    if ax is None:
        return most
    one = ax.reshape(-1)[0] if hasattr(ax, "reshape") else ax[0] if isinstance(ax, list) else ax
    return max(2, min(most, int(points_high(one) * share / (SMALL * 1.2))))


def value_bar(ax: Axes, label: str, ends: tuple[str, str], beside: Any = None) -> None:
    """Draw a color bar of low and high values beside one or several axes."""
    from matplotlib.cm import ScalarMappable

    bar = ax.figure.colorbar(
        ScalarMappable(cmap=diverging()),
        ax=ax if beside is None else beside,
        aspect=30,
        pad=0.02,
        ticks=[0, 1],
    )
    bar.ax.set_yticklabels(ends)
    dress_bar(bar, label)


def dress_bar(bar: Any, label: str) -> None:
    """Apply the common style to a color bar."""
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=SMALL, length=0, which="both", colors=INK)
    bar.set_label(label, fontsize=TEXT, color=INK)
