"""Plots of classifiers: ROC, precision-recall, confusion matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ceiba.parameters.constraints import OneOf, check_value
from ceiba.plot._of_model import class_chances, label_indices, named_models, questions
from ceiba.plot.style import (
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
from ceiba.plot.ticks import every_nth

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["confusion", "precision_recall", "roc"]

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
