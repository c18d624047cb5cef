"""Section "Thresholds": what a threshold on the probability, or the choice of a class, leads to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.plot.style import ACCENT, MAIN, colour_of, dress, legend, shortened
from ceiba.reporting.blocks import Block, Finding, Grid, Pictures, Section, Words
from ceiba.reporting.case import Case, measured, percent
from ceiba.reporting.drawing import drawn

__all__ = ["section"]

Floats = NDArray[np.float64]

_THRESHOLDS = (0.01, 0.02, 0.05, *(round(0.1 * k, 1) for k in range(1, 10)), 0.95, 0.99)
#: Shares of the rows with the highest probabilities.
_SELECTED = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
_MOST_CLASSES = 30


def section(case: Case) -> Section | None:
    """Return the tables of a classifier; None for other models."""
    if case.subject.task == "binary":
        return _of_two(case)
    if case.subject.task in ("multiclass", "multilabel"):
        return _of_each(case)
    return None


def _of_two(case: Case) -> Section:
    rows, classes = case.rows, case.subject.classes
    assert classes is not None
    happened = rows.known_target == 1
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    chances = rows.predicted.prediction
    order = np.argsort(-chances, kind="stable")
    found = np.cumsum((weights * happened)[order])
    alarms = np.cumsum(weights[order])
    sorted_chances = chances[order]
    total, positives = float(alarms[-1]), float(found[-1])

    def at(threshold: float) -> tuple[float, float, float, float, float]:
        n = int(np.searchsorted(-sorted_chances, -threshold, side="right"))
        hits, raised = (float(found[n - 1]), float(alarms[n - 1])) if n else (0.0, 0.0)
        precision = hits / raised if raised else np.nan
        recall = hits / positives if positives else np.nan
        false = (raised - hits) / (total - positives) if total > positives else np.nan
        f1 = 2 * hits / (raised + positives) if raised + positives else np.nan
        return raised / total, precision, recall, false, f1

    tried = np.unique(np.quantile(chances, np.linspace(0.0, 1.0, 201)))
    f1 = np.array([at(float(threshold))[4] for threshold in tried])
    best = float(tried[int(np.nanargmax(f1))]) if positives else 0.5
    cells = []
    for threshold in sorted({*_THRESHOLDS, round(best, 3)}):
        selected, precision, recall, false, own = at(threshold)
        mark = " (best F1)" if threshold == round(best, 3) else ""
        shares = [percent(one) if one == one else "–" for one in (precision, recall, false)]
        cells.append([f"{threshold:g}{mark}", percent(selected), *shares, measured(own, 3)])
    name = shortened(classes[1], 30)
    grid = Grid(
        f"Thresholds on the probability of class {name}",
        ["Threshold", "Rows above", "Precision", "Recall", "False positive rate", "F1"],
        cells,
        note="Precision: share of the rows above the threshold that are of the class. Recall: "
        "share of the rows of the class that are above it. False positive rate: share of the other "
        "rows that are above it.",
    )
    lift = _lift(found, alarms, positives, total, name)
    findings = (
        [Finding(f"F1 is highest, {measured(float(np.nanmax(f1)), 3)}, at threshold {best:.3g}.")]
        if positives
        else []
    )
    blocks: list[Block] = [grid, lift, Pictures([_drawn(at)])]
    return Section("thresholds", "Thresholds", blocks, findings)


def _lift(found: Floats, alarms: Floats, positives: float, total: float, name: str) -> Grid:
    cells = []
    for share in _SELECTED:
        n = int(np.searchsorted(alarms, share * total, side="left"))
        hits = float(found[min(n, len(found) - 1)])
        caught = hits / positives if positives else np.nan
        rate = hits / float(alarms[min(n, len(found) - 1)])
        lift = rate * total / positives if positives else np.nan
        known = [percent(caught) if caught == caught else "–", percent(rate), measured(lift, 3)]
        cells.append([f"{percent(share, 0)} of the rows", *known])
    return Grid(
        f"Rows with the highest probability of class {name}",
        ["Take the first", "Share of the class found", "Share that is of the class", "Lift"],
        cells,
        note="Lift: how many times as often these rows are of the class as rows in general.",
    )


def _drawn(at: Any) -> Any:
    thresholds = np.linspace(0.0, 1.0, 101)
    values = np.array([at(float(threshold)) for threshold in thresholds])

    def draw(ax: Any) -> None:
        named = ((1, "precision", MAIN), (2, "recall", ACCENT), (4, "F1", colour_of(2)["color"]))
        for place, name, color in named:
            ax.plot(thresholds, values[:, place], label=name, color=color, linewidth=1.7)
        dress(ax, title="Thresholds", x="threshold", y="share", grid="both")
        legend(ax, len(named), loc="best")

    return drawn(
        draw,
        "Precision, recall and F1 over the threshold; the table has the same numbers.",
        "A higher threshold raises fewer alarms: higher precision, lower recall.",
    )


def _of_each(case: Case) -> Section:
    subject, rows = case.subject, case.rows
    prediction, target = rows.predicted.prediction, rows.known_target
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    if subject.task == "multilabel":
        names = [str(name) for name in rows.target_names]
        truth, told = target == 1, prediction > 0.5
    else:
        assert subject.classes is not None
        names = [str(label) for label in subject.classes]
        truth = target[:, None] == np.arange(len(names))
        told = prediction.argmax(axis=1)[:, None] == np.arange(len(names))
    counts = (weights[:, None] * truth).sum(axis=0)
    order = np.argsort(-counts, kind="stable")[:_MOST_CLASSES]
    cells = []
    for k in order:
        hits = float((weights * (truth[:, k] & told[:, k])).sum())
        raised, known = float((weights * told[:, k]).sum()), float(counts[k])
        precision = percent(hits / raised) if raised else "–"
        recall = percent(hits / known) if known else "–"
        f1 = measured(2 * hits / (raised + known), 3) if raised + known else "–"
        share = percent(known / float(weights.sum()))
        cells.append([names[k], f"{int(truth[:, k].sum()):,}", share, precision, recall, f1])
    what = "label" if subject.task == "multilabel" else "class"
    grid = Grid(
        f"Each {what}",
        [what.capitalize(), "Rows", "Share of rows", "Precision", "Recall", "F1"],
        cells,
        note="Labels are predicted above probability 0.5."
        if what == "label"
        else "The predicted class is the most probable one.",
    )
    blocks: list[Block] = [grid]
    if len(names) > len(order):
        blocks.append(Words(f"The {len(names) - len(order)} rarest are left out."))
    return Section("thresholds", "Labels" if what == "label" else "Classes", blocks)
