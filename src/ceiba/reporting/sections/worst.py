"""Section "Worst errors": the rows with the highest loss, with the columns that explain them."""

from __future__ import annotations

import numpy as np

from ceiba.model.rule_text import date_text, duration_text
from ceiba.plot.style import shortened
from ceiba.reporting.blocks import Grid, Section
from ceiba.reporting.case import Case, measured, percent
from ceiba.reporting.explaining import explain
from ceiba.reporting.rows import Rows

__all__ = ["section", "value_text"]

_MOST_SHOWN = 10
_MOST_COLUMNS = 5
_REASONS = 3
_POSITIONS = 5


def section(case: Case) -> Section:
    """Return the table of the worst rows, or queries."""
    grid = _of_queries(case) if case.subject.task == "ranking" else _of_rows(case)
    return Section("worst", "Worst errors", [grid])


def _of_rows(case: Case) -> Grid:
    rows = case.rows
    worst = np.argsort(-rows.losses, kind="stable")[:_MOST_SHOWN]
    own = rows.ordered(worst)
    columns = case.explained.order[:_MOST_COLUMNS]
    reasons = _reasons(case, own)
    values = [own.column(j) for j in columns]
    cells = []
    for i in range(own.n_rows):
        observed, predicted = _told(case, own, i)
        shown = [value_text(case, j, column[i]) for j, column in zip(columns, values, strict=True)]
        cells.append([str(own.numbers[i]), observed, predicted, reasons[i], *shown])
    names = [shortened(case.schema.names[j], 24) for j in columns]
    header = ["Row", "Observed", "Predicted", "Main reasons (SHAP)", *names]
    texts = {0, 3, *(4 + k for k, j in enumerate(columns) if case.schema.kinds[j] == "category")}
    if case.subject.task not in ("regression", "quantiles"):
        texts |= {1, 2}
    return Grid(
        f"Rows with the highest {case.subject.loss_name}",
        header,
        cells,
        texts=frozenset(texts),
        note="Rows are counted from 0 in the order of X. Reasons: the columns with the largest "
        "SHAP values of the row. Values: the most important columns. Errors in the target are "
        "often found here.",
    )


def _told(case: Case, rows: Rows, i: int) -> tuple[str, str]:
    """Return the observed and the predicted value of a row."""
    subject, target = case.subject, rows.known_target[i]
    prediction = rows.predicted.prediction[i]
    if subject.classes is not None:
        chances = subject.chances(rows.predicted)[i]
        k = int(chances.argmax())
        said = f"{shortened(subject.classes[k], 20)} ({percent(float(chances[k]))})"
        return shortened(subject.classes[int(target)], 20), said
    if np.ndim(target) or np.ndim(prediction):
        told = ", ".join(measured(float(one), 3) for one in np.atleast_1d(prediction)[:_POSITIONS])
        seen = ", ".join(measured(float(one), 3) for one in np.atleast_1d(target)[:_POSITIONS])
        return seen, told
    return measured(float(target)), measured(float(prediction))


def _reasons(case: Case, rows: Rows) -> list[str]:
    values = np.asarray(explain(case.subject, rows, case.rows).values, dtype=np.float64)
    if values.ndim == 3:  # the output that is wrong: of the class that was predicted
        chosen = np.abs(values).sum(axis=1).argmax(axis=1)
        if case.subject.classes is not None:
            chosen = case.subject.chances(rows.predicted).argmax(axis=1)
        values = values[np.arange(rows.n_rows), :, chosen]
    texts = []
    for own in values:
        order = np.argsort(-np.abs(own), kind="stable")[:_REASONS]
        parts = [
            f"{shortened(case.schema.names[j], 24)} {'+' if own[j] >= 0 else ''}"
            f"{measured(float(own[j]), 2)}"
            for j in order
            if own[j] != 0
        ]
        texts.append(", ".join(parts) or "–")
    return texts


def value_text(case: Case, j: int, value: float) -> str:
    """Return a value of a column: a level, a date or a number."""
    kind = case.schema.kinds[j]
    if np.isnan(value):
        return "missing"
    if kind == "category":
        levels = case.schema.levels_of(j)
        return shortened(levels[int(value)], 24) if int(value) < len(levels) else "unseen"
    if kind == "date":
        return date_text(float(value))
    return duration_text(float(value)) if kind == "duration" else measured(float(value))


def _of_queries(case: Case) -> Grid:
    rows = case.rows
    assert rows.queries is not None
    assert rows.query_labels is not None
    queries = rows.queries
    worst = np.argsort(-rows.losses, kind="stable")[:_MOST_SHOWN]
    cells = []
    for q in worst:
        members = queries.rows[queries.offsets[q] : queries.offsets[q + 1]]
        scores, truth = rows.predicted.raw[members, 0], rows.known_target[members]
        ranked = truth[np.argsort(-scores, kind="stable")]
        best = int(np.argmax(ranked)) + 1
        cells.append(
            [
                str(rows.query_labels[members[0]]),
                f"{len(members):,}",
                measured(1.0 - float(rows.losses[q]), 3),
                ", ".join(f"{one:g}" for one in ranked[:_POSITIONS]),
                ", ".join(f"{one:g}" for one in np.sort(truth)[::-1][:_POSITIONS]),
                f"{best:,}",
            ]
        )
    return Grid(
        "Queries with the lowest NDCG",
        ["Query", "Rows", "NDCG", "Relevance as ranked", "Best possible", "Position of the best"],
        cells,
        texts=frozenset({0, 3, 4}),
        note=f"Relevance of the first {_POSITIONS} rows.",
    )
