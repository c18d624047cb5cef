"""Learning curves of a training, and boosting step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ceiba.errors import InvalidInputError, InvalidParameterError, InvalidTypeError
from ceiba.messages import listed
from ceiba.metrics import find_metric, is_metric
from ceiba.parameters.constraints import Integer, check_value
from ceiba.plot._of_model import model_of
from ceiba.plot._rows import rows_along
from ceiba.plot.style import (
    ACCENT,
    INK,
    MAIN,
    MUTED,
    colour_of,
    dress,
    legend,
    new_column_of_axes,
    number,
    shortened,
)
from ceiba.plot.ticks import axis_values, unit_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["steps", "training"]


def training(model: Any, metric: str | Sequence[str] | None = None, *, axes: Any = None) -> Any:
    """Draw the metrics of the eval sets over the iterations, and mark the best iteration.

    Iterations count from 0, as in ``best_iteration`` and ``history``.

    Parameters
    ----------
    model : Model or fitted estimator
        A model that was trained with eval sets.
    metric : str or list of str, default=None
        Metrics to draw, one panel each. None draws all.
    axes : axes or list of axes, default=None
        One for each metric. None makes a new figure.

    Returns
    -------
    axes, or list of axes
        A list if there are several metrics.

    Examples
    --------
    >>> import ceiba
    >>> import numpy as np
    >>> from ceiba import CeibaRegressor
    >>> X = np.random.default_rng(0).normal(size=(200, 3))
    >>> y = X[:, 0]
    >>> model = CeibaRegressor(n_estimators=20).fit(X, y, eval_set=[(X, y)])
    >>> ax = ceiba.plot.training(model, "rmse")
    """
    owner = model_of(model)
    if not hasattr(owner, "history"):
        raise InvalidTypeError(
            "plot.training needs a boosted model that was trained with an eval set. Got a "
            f"{type(model).__name__}, which has no boosting rounds."
        )
    known = list(dict.fromkeys(name for metrics in owner.history.values() for name in metrics))
    if not known:
        raise InvalidInputError(
            "plot.training needs a model that was trained with an eval set. Got a model without. "
            "Give eval_set to fit, or eval_sets to train."
        )
    wished = known if metric is None else [metric] if isinstance(metric, str) else list(metric)
    for name in wished:
        if name not in known:
            raise InvalidParameterError(
                f"metric must be a metric of the training: {listed(known)}. Got {name!r}."
            )
    given = axes if axes is None or isinstance(axes, list | tuple | np.ndarray) else [axes]
    size = (1.2 + 4.4 * len(wished), 3.6)
    every = new_column_of_axes(given, 1, len(wished), size)
    for ax, name in zip(every, wished, strict=True):
        _curves(ax, owner, name)
    return every[0] if len(wished) == 1 else every


def _curves(ax: Axes, model: Any, metric: str) -> None:
    from matplotlib.ticker import MaxNLocator

    best, place = _best_iteration(model, metric), 0
    for name, metrics in model.history.items():
        if metric not in metrics:
            continue
        values = np.asarray(metrics[metric], dtype=np.float64)
        look = colour_of(place)
        label = shortened(name, 20)
        rounds = np.arange(len(values))
        marker = "o" if len(values) == 1 else None
        if best < len(values):
            label += f", {number(float(values[best]), 4)}"
            ax.plot(best, values[best], "o", markersize=5, color=look["color"], zorder=3)
        ax.plot(rounds, values, linewidth=1.7, label=label, marker=marker, **look)
        place += 1
    ax.axvline(best, color=MUTED, linewidth=0.9, linestyle=":", zorder=0)
    said = "best_iteration" if _was_chosen(model, metric) else "best at iteration"
    dress(ax, title=f"{metric}   ({said} {best})", x="iteration (counted from 0)", y=metric)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6, steps=[1, 2, 5, 10]))
    legend(ax, place)


def _was_chosen(model: Any, metric: str) -> bool:
    """Whether early stopping chose the best iteration, or the metric has no known direction."""
    return bool(model.parameters.get("early_stopping_rounds")) or not is_metric(metric)


def _best_iteration(model: Any, metric: str) -> int:
    """Return ``best_iteration`` of early stopping, or the best iteration on the last eval set."""
    if _was_chosen(model, metric):
        return int(model.best_iteration)
    values = next(m[metric] for m in reversed(list(model.history.values())) if metric in m)
    pick = np.nanargmax if find_metric(metric).higher_is_better else np.nanargmin
    return int(pick(values))


def steps(
    model: Any,
    X: Any,
    y: Any,
    column: Any = 0,
    *,
    rounds: Sequence[int] | None = None,
    axes: Any = None,
) -> list[Axes]:
    """Draw boosting step by step on one column: the fit above, the residuals below.

    Parameters
    ----------
    model : Model or fitted estimator
        A regression model or a model of two classes. Other columns are held at their median, so a
        model of one column works best.
    X, y : table and target
        Rows.
    column : str or int, default=0
        Column of the horizontal axis.
    rounds : list of int, default=None
        Numbers of rounds to draw. None draws 1, 3, 10 and all rounds.
    axes : list of axes, default=None
        Two rows of axes, with one column per number of rounds. None makes a new figure.

    Returns
    -------
    list of axes
        The upper axes, then the lower axes.

    Examples
    --------
    >>> import ceiba
    >>> import numpy as np
    >>> from ceiba import CeibaRegressor
    >>> x = np.linspace(0, 10, 200)[:, None]
    >>> y = np.sin(x[:, 0])
    >>> model = CeibaRegressor(n_estimators=20, max_leaves=4).fit(x, y)
    >>> axes = ceiba.plot.steps(model, x, y, rounds=[0, 1, 5, 20])
    """
    owner = model_of(model)
    n_rounds = owner.n_iterations
    if rounds is None:
        rounds = sorted({min(k, n_rounds) for k in (1, 3, 10, n_rounds)})
    wished = [
        check_value("rounds", Integer(0, n_rounds), k, "The model has no more.") for k in rounds
    ]
    if not wished or owner.n_outputs > 1:
        raise InvalidInputError(
            "plot.steps needs a model with one output and at least one number in `rounds`. Got "
            f"{owner.n_outputs} outputs and rounds={list(rounds)}."
        )
    rows = owner.known_rows(X, y)
    target = np.asarray(rows.target)
    line = rows_along(owner, rows.table, column, 400)
    kind = owner.schema.kinds[line.position]
    own, points = axis_values(line.own, kind), axis_values(line.points, kind)
    n = len(wished)
    every = new_column_of_axes(axes, 2, n, (1.0 + 2.5 * n, 4.6), sharex=True, sharey="row")
    some = np.linspace(0, len(target) - 1, min(len(target), 1500)).astype(np.int64)
    for place, k in enumerate(wished):
        fit = owner.predict(line.table, iteration_range=(0, k))
        at_rows = owner.predict(rows.table, iteration_range=(0, k))
        above, below = every[place], every[n + place]
        dots: dict[str, Any] = {
            "s": 6,
            "color": MUTED,
            "alpha": 0.45,
            "linewidths": 0,
            "rasterized": True,
        }
        above.scatter(own[some], target[some], **dots)
        above.plot(points, fit, color=ACCENT, linewidth=2.0)
        below.scatter(own[some], (target - at_rows)[some], **dots)
        below.axhline(0, color=INK, linewidth=0.8)
        if k < n_rounds:
            later = owner.predict(line.table, iteration_range=(0, k + 1)) - fit
            below.plot(points, later, color=MAIN, linewidth=1.6)
        dress(above, title=f"after {k} round{'' if k == 1 else 's'}", grid="y")
        dress(below, x=shortened(line.name, 24) + unit_of(kind), grid="y")
    every[0].set_ylabel("target and fit", fontsize=9, color=INK)
    every[n].set_ylabel("residuals, next step", fontsize=9, color=INK)
    return every
