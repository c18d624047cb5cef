"""Section "Curves and calibration": pictures of predictions against the target."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import plot
from ceiba.plot.style import MAIN, dress, shortened
from ceiba.reporting.blocks import Block, Finding, Grid, Picture, Pictures, Section
from ceiba.reporting.case import Case, measured, percent
from ceiba.reporting.drawing import drawn
from ceiba.reporting.rows import Rows

__all__ = ["FixedChances", "FixedValues", "section"]

Floats = NDArray[np.float64]

#: Rows of a curve; more do not change its shape.
_MOST_ROWS = 50_000
_MOST_TARGETS = 6
_GROUPS = 10
#: Mean distance between predicted probabilities and observed shares that is worth a warning.
_FAR_OFF = 0.05
_MOST_POSITIONS = 20


class FixedChances:
    """A classifier whose probabilities are known; the plots take it as a model."""

    def __init__(self, classes: Any, chances: Floats) -> None:
        self.classes_ = np.asarray(classes)
        self._chances = chances

    def predict_proba(self, X: Any) -> Floats:
        """Return the known probabilities."""
        return self._chances


class FixedValues:
    """A regressor whose predictions are known; the plots take it as a model."""

    def __init__(self, values: Floats) -> None:
        self._values = values

    def predict(self, X: Any) -> Floats:
        """Return the known predictions."""
        return self._values


def section(case: Case) -> Section:
    """Return the curves of the task."""
    rows = case.rows.first(_MOST_ROWS)
    makers: dict[str, Callable[[Case, Rows], list[Picture]]] = {
        "binary": _of_classes,
        "multiclass": _of_classes,
        "multilabel": _of_labels,
        "quantiles": _of_quantiles,
        "targets": _of_targets,
        "ranking": _of_queries,
        "regression": _of_numbers,
    }
    blocks: list[Block] = [Pictures(makers[case.subject.task](case, rows))]
    findings: list[Finding] = []
    if case.subject.task in ("binary", "regression"):
        grid, off = _groups(case)
        blocks.append(grid)
        if case.subject.task == "binary":
            level = f"Predicted probabilities are off by {measured(off, 2)} on average over groups"
            findings.append(Finding(f"{level} of rows.", "warning" if off > _FAR_OFF else "note"))
    if case.subject.task == "quantiles":
        blocks.append(_covered(case))
    return Section("curves", "Curves and calibration", blocks, findings)


# ---- classes -------------------------------------------------------------------------------------


def _of_classes(case: Case, rows: Rows) -> list[Picture]:
    subject, classes = case.subject, case.subject.classes
    assert classes is not None
    target = rows.known_target.astype(int)
    model = {"model": FixedChances(classes, subject.chances(rows.predicted))}
    labels, weights = classes[target], rows.weights
    pictures = []
    if len(np.unique(target)) > 1:
        pictures += [
            drawn(
                partial(plot.roc, model, None, labels, sample_weight=weights),
                "ROC curve: true positive rate over false positive rate. The scores table has the "
                "area under it.",
                "How many rows of the class are found, for each share of false alarms.",
            ),
            drawn(
                partial(plot.precision_recall, model, None, labels, sample_weight=weights),
                "Precision-recall curve.",
                "Precision: share of the alarms that are right. Recall: share of the rows of the "
                "class that are found.",
            ),
        ]
    told = "the predicted class" if len(classes) > 2 else f"class {shortened(classes[1], 20)}"
    pictures.append(
        drawn(
            partial(plot.calibration, model, None, labels),
            f"Calibration curve: observed share of {told} over its predicted probability.",
            "Calibrated probabilities lie on the diagonal.",
        )
    )
    wide = 2.2 + 0.32 * min(len(classes), 12)
    pictures.append(
        drawn(
            partial(
                plot.confusion,
                model["model"],
                None,
                labels,
                normalize="true" if len(classes) > 2 else None,
                sample_weight=weights,
            ),
            "Confusion matrix of true and predicted classes.",
            "Shares of each true class." if len(classes) > 2 else "Rows, at threshold 0.5.",
            (max(4.6, wide + 1.0), max(3.3, wide)),
        )
    )
    return pictures


def _of_labels(case: Case, rows: Rows) -> list[Picture]:
    model, target = case.subject.model, rows.known_target
    pictures = [
        drawn(
            partial(plot.roc, model, rows.table, _named(rows)),
            "ROC curves, one per label.",
            "How many rows of a label are found, for each share of false alarms.",
        ),
        drawn(
            partial(plot.precision_recall, model, rows.table, _named(rows)),
            "Precision-recall curves, one per label.",
            "Precision: share of the alarms that are right. Recall: share of rows that are found.",
        ),
    ]
    for k, name in enumerate(rows.target_names[:_MOST_TARGETS]):
        chance = rows.predicted.prediction[:, k]
        own = {shortened(name, 20): FixedChances([0, 1], np.column_stack([1 - chance, chance]))}
        pictures.append(
            drawn(
                partial(plot.calibration, own, None, target[:, k].astype(int)),
                f"Calibration curve of label {name}.",
                f"Label {name}: calibrated probabilities lie on the diagonal.",
            )
        )
    return pictures


class _named:  # noqa: N801  (reads like a function in the calls above)
    """A target with the names of its columns, as the plots read it."""

    def __init__(self, rows: Rows) -> None:
        self.columns = list(rows.target_names)
        self._values = rows.known_target

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self._values if dtype is None else self._values.astype(dtype)


# ---- numbers -------------------------------------------------------------------------------------


def _of_numbers(_: Case, rows: Rows) -> list[Picture]:
    return _of_values(rows.predicted.prediction, rows.known_target)


def _of_values(values: Floats, target: Floats, name: str = "") -> list[Picture]:
    model, said = FixedValues(values), f" of {name}" if name else ""
    return [
        drawn(
            partial(plot.observed, model, None, target),
            f"Predicted over observed values{said}.",
            f"{name}: perfect predictions lie on the line."
            if name
            else "Perfect predictions lie on the line.",
        ),
        drawn(
            partial(plot.residuals, model, None, target),
            f"Residuals{said}, observed minus predicted, over the prediction.",
            "A median away from 0 means that predictions of this size are biased.",
        ),
    ]


def _of_targets(_: Case, rows: Rows) -> list[Picture]:
    pictures = []
    for k, name in enumerate(rows.target_names[:_MOST_TARGETS]):
        values, target = rows.predicted.prediction[:, k], rows.known_target[:, k]
        n_of_each = 2 if len(rows.target_names) <= 3 else 1
        pictures += _of_values(values, target, str(name))[:n_of_each]
    return pictures


def _of_quantiles(case: Case, rows: Rows) -> list[Picture]:
    model, levels = case.subject.model, np.asarray(case.subject.levels)
    middle = int(np.argmin(np.abs(levels - 0.5)))
    values = rows.predicted.prediction.reshape(rows.n_rows, -1)[:, middle]
    return [
        drawn(
            partial(plot.coverage, {"model": model}, rows.table, rows.known_target),
            "Share of rows below each predicted quantile, over its level.",
            "Points on the diagonal: a quantile of level 0.9 has 90 % of the rows below it.",
        ),
        _of_values(values, rows.known_target, f"quantile {levels[middle]:g}")[0],
    ]


def _covered(case: Case) -> Grid:
    rows = case.rows
    values = rows.predicted.prediction.reshape(rows.n_rows, -1)
    cells = []
    for level, own in zip(case.subject.levels, values.T, strict=True):
        below = np.average(rows.known_target <= own, weights=rows.weights)
        cells.append([f"{level:g}", percent(float(below)), measured(float(own.mean()))])
    return Grid(
        "Coverage of the quantiles",
        ["Level", "Rows below the prediction", "Mean prediction"],
        cells,
    )


def _groups(case: Case) -> tuple[Grid, float]:
    """Return the predicted and observed means of groups of rows, and their mean distance."""
    rows = case.rows
    prediction, target = rows.predicted.prediction, rows.known_target
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    order = np.argsort(prediction, kind="stable")
    groups = [own for own in np.array_split(order, _GROUPS) if len(own)]
    text = percent if case.subject.task == "binary" else measured
    cells, off = [], 0.0
    for group in groups:
        expected = float(np.average(prediction[group], weights=weights[group]))
        happened = float(np.average(target[group], weights=weights[group]))
        means = [text(one) for one in (expected, happened)]
        off += abs(expected - happened) * float(weights[group].sum())
        ends = " to ".join(text(float(prediction[group[k]])) for k in (0, -1))
        cells.append([ends, f"{len(group):,}", *means])
    what = "Share of the class" if case.subject.task == "binary" else "Observed mean"
    grid = Grid(
        "Predicted and observed means",
        ["Predictions from", "Rows", "Predicted mean", what],
        cells,
        note="Rows in the order of their prediction, in groups of the same size.",
    )
    return grid, off / float(weights.sum())


# ---- queries -------------------------------------------------------------------------------------


def _of_queries(case: Case, rows: Rows) -> list[Picture]:
    assert rows.queries is not None
    longest = int(min(_MOST_POSITIONS, rows.queries.sizes.max()))
    positions = np.arange(1, longest + 1)
    scores = [
        case.subject.metric(f"ndcg@{k}").for_queries(rows.queries)(
            rows.known_target, rows.predicted.raw, rows.predicted.prediction, rows.weights
        )
        for k in positions
    ]

    def draw_positions(ax: Any) -> None:
        ax.plot(positions, scores, marker="o", markersize=4, color=MAIN, linewidth=1.6)
        dress(ax, title="NDCG of the first positions", x="positions", y="NDCG", grid="both")

    def draw_queries(ax: Any) -> None:
        ax.hist(1.0 - rows.losses, bins=np.linspace(0.0, 1.0, 21).tolist(), color=MAIN)
        dress(ax, title="NDCG of single queries", x="NDCG of a query", y="queries")

    return [
        drawn(
            draw_positions,
            f"NDCG of the first k positions, from {scores[0]:.3f} for 1 to {scores[-1]:.3f} for "
            f"{longest}.",
            "How good the order is if only the first positions are seen.",
        ),
        drawn(
            draw_queries,
            f"Histogram of the NDCG of single queries; the median is "
            f"{float(np.median(1.0 - rows.losses)):.3f}.",
            "Queries at the left are those that the model orders badly.",
        ),
    ]
