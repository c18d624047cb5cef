"""Calibration plot: observed frequency over predicted probability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.parameters.constraints import Integer, OneOf, check_value
from ceiba.plot._of_model import class_chances, label_indices, named_models
from ceiba.plot.style import (
    INK,
    MUTED,
    SMALL,
    TEXT,
    colour_of,
    dress,
    fitting,
    legend,
    new_axes,
    points_wide,
    shortened,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["calibration"]

Floats = NDArray[np.float64]
_BARS = 40


def calibration(
    models: Any,
    X: Any,
    y: Any,
    *,
    n_bins: int = 10,
    strategy: str = "quantile",
    ax: Axes | None = None,
) -> Axes:
    """Draw the observed frequency of a class over its predicted probability.

    The axes end at the largest prediction, so that rare classes are readable. A histogram below
    shows the distribution of the predicted probabilities.

    Parameters
    ----------
    models : model, list of models, or dict of name and model
        As in :func:`roc`. For two classes, the plot shows the probability of the second class; for
        more classes, the probability of the predicted class.
    X, y : table and labels
        Rows that no model was trained on.
    n_bins : int, default=10
        Number of groups of rows.
    strategy : {"quantile", "uniform"}, default="quantile"
        Groups with equal numbers of rows, or with equal widths in probability.
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
    >>> ax = ceiba.plot.calibration(model, X, y, n_bins=5)
    """
    n_bins = check_value("n_bins", Integer(1), n_bins)
    strategy = check_value("strategy", OneOf(("quantile", "uniform")), strategy)
    ax = new_axes(ax, (5.0, 5.2))
    named = named_models(models)
    said, reach, every = "predicted probability", 0.0, []
    for place, (name, model) in enumerate(named.items()):
        chance, happened, said = _asked(model, X, y)
        x, share, weights = _groups(chance, happened, n_bins, strategy)
        off = float((np.abs(x - share) * weights).sum())
        text = f"{shortened(name, 24)}, off by {off:.3f}"
        ax.plot(x, share, marker="o", markersize=4, linewidth=1.5, label=text, **colour_of(place))
        reach = max(reach, float(x.max(initial=0.0)), float(share.max(initial=0.0)))
        every.append(chance)
    reach = 1.0 if reach > 0.5 else max(reach * 1.15, 1e-6)
    ax.plot([0, reach], [0, reach], color=MUTED, linewidth=0.9, zorder=0, label="perfect")
    dress(ax, title="Calibration", y="share of rows of the class", grid="both")
    ax.set_xlim(-0.02 * reach, 1.02 * reach)
    ax.set_ylim(-0.02 * reach, 1.04 * reach)
    legend(ax, len(named) + 1, **({"loc": "best"} if len(named) < 6 else {}))
    below = _histogram(ax, every, reach, said)
    for axis in (ax.xaxis, ax.yaxis, below.xaxis):
        axis.set_major_locator(_round_ticks())
    return ax


def _asked(model: Any, X: Any, y: Any) -> tuple[Floats, NDArray[np.bool_], str]:
    """Return the probability of each row, whether the class occurred, and an axis label."""
    chances, classes = class_chances(model, X)
    truth = label_indices(y, classes)
    if len(classes) == 2:
        return chances[:, 1], truth == 1, f"predicted P(class = {shortened(classes[1], 20)})"
    right = chances.argmax(axis=1) == truth
    return chances.max(axis=1), right, "probability of the predicted class"


def _groups(
    chance: Floats, happened: NDArray[np.bool_], n_bins: int, strategy: str
) -> tuple[Floats, Floats, Floats]:
    """Return mean probability, share and weight of each group of rows."""
    order = np.argsort(chance, kind="stable")
    if strategy == "quantile":
        groups = np.array_split(order, n_bins)
    else:
        edges = np.arange(1, n_bins) / n_bins
        groups = np.split(order, np.searchsorted(chance[order], edges, side="left"))
    groups = [group for group in groups if len(group)]
    x = np.array([chance[group].mean() for group in groups])
    share = np.array([happened[group].mean() for group in groups])
    return x, share, np.array([len(group) for group in groups]) / max(1, len(order))


def _histogram(ax: Axes, every: list[Floats], reach: float, said: str) -> Axes:
    """Draw a histogram of the probabilities below the axes, with the same horizontal axis."""
    below = ax.inset_axes((0.0, -0.24, 1.0, 0.2), sharex=ax)
    edges = np.linspace(0.0, reach, _BARS + 1).tolist()
    for place, chance in enumerate(every):
        look = colour_of(place)
        below.hist(np.minimum(chance, reach), edges, histtype="step", linewidth=1.1, **look)
    ax.tick_params(axis="x", labelbottom=False)
    dress(below, grid=None)
    below.set_xlabel(fitting(said, points_wide(ax), TEXT), fontsize=TEXT, color=INK)
    below.set_ylabel("rows", fontsize=SMALL, color=INK)
    below.yaxis.set_major_locator(_few_ticks())
    return below


def _round_ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(6, steps=[1, 2, 5, 10])


def _few_ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(2, integer=True)
