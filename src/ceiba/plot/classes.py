"""Plots of classifiers: ROC, precision-recall, confusion matrix, decision regions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidParameterError
from ceiba.model.predict import table_for
from ceiba.parameters.constraints import Integer, OneOf, check_value
from ceiba.plot._of_model import class_chances, label_indices, model_of, named_models, questions
from ceiba.plot._rows import rows_over
from ceiba.plot.style import (
    COLOURS,
    FAINT,
    INK,
    MUTED,
    SMALL,
    TEXT,
    colour_of,
    dress,
    dress_bar,
    legend,
    letters_beside,
    new_axes,
    number,
    points_high,
    sequential,
    shortened,
    unit_square,
)
from ceiba.plot.ticks import axis_values, every_nth, unit_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["confusion", "precision_recall", "regions", "roc"]

Floats = NDArray[np.float64]


def roc(models: Any, X: Any, y: Any, *, sample_weight: Any = None, ax: Axes | None = None) -> Axes:
    """Draw ROC curves of one or several models: true positive rate over false positive rate.

    Parameters
    ----------
    models : model, list of models, or dict of name and model
        Models of ceiba, or classifiers with ``predict_proba``. For two classes, the second class
        is the positive one. For more classes (or labels), a single model gets one curve per class
        against all others; several models get one curve each, the mean over classes.
    X, y : table and labels
        Rows; best are rows that no model was trained on.
    sample_weight : array, default=None
        Weights of the rows.
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
    >>> ax = ceiba.plot.roc(model, X, y)
    """
    from sklearn.metrics import auc, roc_curve

    common = np.linspace(0.0, 1.0, 501)

    def curve(truth: Any, chances: Floats) -> tuple[Floats, Floats, float]:
        false, true, _ = roc_curve(truth, chances, sample_weight=sample_weight)
        return false, true, float(auc(false, true))

    def mean(curves: list[tuple[Floats, Floats, float]]) -> tuple[Floats, Floats, float]:
        heights = np.mean([np.interp(common, false, true) for false, true, _ in curves], axis=0)
        heights[0] = 0.0
        return common, heights, float(np.mean([area for *_, area in curves]))

    ax = new_axes(ax, (5.0, 4.6))
    ax.plot([0, 1], [0, 1], color=FAINT, linewidth=1.0, zorder=0)
    n_lines = _curves_of(ax, models, X, y, curve, mean, "AUC")
    dress(ax, title="ROC", x="false positive rate", y="true positive rate", grid="both")
    return _finished(ax, n_lines, "lower right")


def precision_recall(
    models: Any, X: Any, y: Any, *, sample_weight: Any = None, ax: Axes | None = None
) -> Axes:
    """Draw precision-recall curves of one or several models, and the prevalence.

    The dotted line is the precision of a random classifier: the share of positive rows.

    Parameters
    ----------
    models : model, list of models, or dict of name and model
        As in :func:`roc`.
    X, y : table and labels
        Rows; best are rows that no model was trained on.
    sample_weight : array, default=None
        Weights of the rows.
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
    >>> ax = ceiba.plot.precision_recall(model, X, y)
    """
    from sklearn.metrics import average_precision_score, precision_recall_curve

    common = np.linspace(0.0, 1.0, 501)

    def curve(truth: Any, chances: Floats) -> tuple[Floats, Floats, float]:
        precision, recall, _ = precision_recall_curve(truth, chances, sample_weight=sample_weight)
        mean_precision = average_precision_score(truth, chances, sample_weight=sample_weight)
        return recall[::-1], precision[::-1], float(mean_precision)

    def mean(curves: list[tuple[Floats, Floats, float]]) -> tuple[Floats, Floats, float]:
        heights = np.mean([np.interp(common, r, p) for r, p, _ in curves], axis=0)
        return common, heights, float(np.mean([score for *_, score in curves]))

    ax = new_axes(ax, (5.0, 4.6))
    n_lines = _curves_of(ax, models, X, y, curve, mean, "AP", drawstyle="steps-pre")
    n_lines += _prevalence(ax, models, X, y, sample_weight)
    dress(ax, title="Precision and recall", x="recall", y="precision", grid="both")
    return _finished(ax, n_lines, "best")


def _curves_of(
    ax: Axes, models: Any, X: Any, y: Any, curve: Any, mean: Any, score: str, **how: Any
) -> int:
    """Draw one line per model, or per class or label of a single model; return their number."""
    named = named_models(models)
    place = 0
    for name, model in named.items():
        asked = questions(model, X, y)
        if len(asked) == 1:
            lines = [(name, curve(*asked[0][1:]))]
        else:
            every = [(one, curve(truth, chance)) for one, truth, chance in asked if _both(truth)]
            lines = every if len(named) == 1 else [(name, mean([own for _, own in every]))]
        for label, (x, heights, area) in lines:
            text = f"{shortened(label, 24)}, {score} {area:.3f}"
            ax.plot(x, heights, linewidth=1.7, label=text, **colour_of(place), **how)
            place += 1
    return place


def _prevalence(ax: Axes, models: Any, X: Any, y: Any, sample_weight: Any) -> int:
    """Draw the share of positive rows, for each class of a single model."""
    named = named_models(models)
    asked = questions(next(iter(named.values())), X, y)
    shares = [float(np.average(truth, weights=sample_weight)) for _, truth, _ in asked]
    look: dict[str, Any] = {"linewidth": 1.1, "linestyle": ":", "zorder": 0}
    if len(asked) == 1:
        text = f"prevalence {shares[0]:.3f}"
        ax.axhline(shares[0], color=MUTED, label=text, **look)
        return 1
    if len(named) > 1:
        ax.axhline(float(np.mean(shares)), color=MUTED, label="prevalence, mean", **look)
        return 1
    seen = [share for share, (_, truth, _) in zip(shares, asked, strict=True) if _both(truth)]
    for place, share in enumerate(seen):
        ax.axhline(share, **{**colour_of(place), **look})
    ax.plot([], [], color=MUTED, label="prevalence", **look)
    return 1


def _both(truth: NDArray[np.bool_]) -> bool:
    """Whether both values occur; otherwise there is no curve."""
    return bool(truth.any() and not truth.all())


def _finished(ax: Axes, n_lines: int, where: str) -> Axes:
    unit_square(ax)
    legend(ax, n_lines, **({"loc": where} if n_lines <= 6 else {}))
    return ax


def confusion(
    model: Any,
    X: Any,
    y: Any,
    *,
    normalize: str | None = None,
    sample_weight: Any = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the confusion matrix: row counts by true and predicted class.

    Parameters
    ----------
    model : model or classifier
        A model of ceiba, or a classifier with ``predict_proba``.
    X, y : table and labels
        Rows.
    normalize : {"true", "predicted", "all"}, default=None
        Show shares of each true class, of each predicted class, or of all rows. None shows counts.
    sample_weight : array, default=None
        Weights of the rows.
    ax : matplotlib axes, default=None
        Axes to draw on. None makes a new figure, larger for more classes.

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
    >>> ax = ceiba.plot.confusion(model, X, y)
    """
    chances, classes = class_chances(model, X)
    truth, found = label_indices(y, classes), chances.argmax(axis=1)
    n = len(classes)
    counts = np.zeros((n, n))
    np.add.at(counts, (truth, found), 1.0 if sample_weight is None else np.asarray(sample_weight))
    if normalize is not None:
        word = check_value("normalize", OneOf(("true", "predicted", "all")), normalize)
        axis = {"true": 1, "predicted": 0, "all": None}[word]
        total = counts.sum(axis=axis, keepdims=True)
        counts = counts / np.where(total > 0, total, 1.0)
    given = ax is not None
    side = 2.0 + max(0.32, 0.62 - 0.02 * n) * n
    ax = new_axes(ax, (side + 1.2, side + 0.2))
    image = ax.imshow(counts, cmap=sequential(), vmin=0.0)
    cell = (points_high(ax) * 0.7 if given else side * 72 * 0.72) / n
    step = max(1, int(np.ceil(SMALL * 1.2 / cell)))  # label fewer classes if there is no room
    names = [shortened(label, letters_beside(ax) * 2 // 3) for label in classes[::step]]
    upright = max(map(len, names)) * SMALL * 0.7 > cell * step
    ax.set_xticks(range(0, n, step), names, rotation=90 if upright else 0)
    ax.set_yticks(range(0, n, step), names)
    some = every_nth(n, step)
    dress(ax, title="Confusion", x=f"predicted{some}", y=f"true{some}", grid=None)
    for edge in ("left", "bottom"):
        ax.spines[edge].set_visible(False)
    ax.tick_params(length=0)
    texts = [[_cell(counts[i, j], normalize) for j in range(n)] for i in range(n)]
    longest = max(len(text) for row in texts for text in row)
    size = min(TEXT, cell / (0.66 * longest + 0.4))
    if size >= 4.0:
        dark = counts.max() * 0.55
        for i in range(n):
            for j in range(n):
                colour = "white" if counts[i, j] > dark else INK
                look: dict[str, Any] = {
                    "ha": "center",
                    "va": "center",
                    "fontsize": size,
                    "color": colour,
                }
                ax.text(j, i, texts[i][j], **look)
    bar = ax.figure.colorbar(image, ax=ax, shrink=0.7, pad=0.02)
    dress_bar(bar, "rows" if normalize is None else "share")
    return ax


def _cell(value: float, normalize: str | None) -> str:
    if normalize is not None:
        return f"{value:.2f}".lstrip("0") if 0 < value < 1 else f"{value:.0f}"
    return number(value, 4) if value != round(value) else f"{value:.0f}"


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
