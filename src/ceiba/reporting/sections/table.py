"""Section "Rows and columns": the task, the target and every column in numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ceiba.plot.style import shortened
from ceiba.reporting.blocks import Block, Cell, Finding, Grid, Section, Words
from ceiba.reporting.case import Case, measured, percent, plural
from ceiba.reporting.sections.worst import value_text

__all__ = ["section", "task_text"]

Floats = NDArray[np.float64]

_MOST_ROWS = 20_000
_MOST_COLUMNS = 40
_MOST_LEVELS = 3
_MOST_CLASSES = 20
_MOST_NAMES = 5
_MANY_MISSING = 0.5


def section(case: Case) -> Section:
    """Return the tables of the target and of the columns."""
    rows = case.rows
    blocks: list[Block] = [Words(task_text(case)), _target(case)]
    order = [*case.explained.order, *_unused(case)]
    few = rows.first(_MOST_ROWS)
    cells, empty = [], []
    for j in order[:_MOST_COLUMNS]:
        values = few.column(j)
        if np.isnan(values).mean() > _MANY_MISSING:
            empty.append(case.schema.names[j])
        cells.append(_column(case, j, values))
    note = f"Numbers of {plural(few.n_rows, 'row')}; the most important columns come first."
    if len(order) > _MOST_COLUMNS:
        note += f" {plural(len(order) - _MOST_COLUMNS, 'column')} left out."
    header = ["Column", "Kind", "Missing", "Distinct", "Low (5 %)", "Median", "High (95 %)"]
    header += ["Most frequent"]
    grid = Grid("Columns", header, cells, texts=frozenset({0, 1, 7}), note=note)
    findings = []
    if empty:
        text = f"Mostly missing: {', '.join(shortened(name, 24) for name in empty[:3])}"
        more = f" and {len(empty) - 3} more" if len(empty) > 3 else ""
        findings.append(Finding(f"{text}{more}.", "warning"))
    return Section("table", "Rows and columns", [*blocks, grid], findings)


def task_text(case: Case) -> str:
    """Return what the model predicts, from how many columns, for how many rows."""
    subject, rows = case.subject, case.rows
    classes = subject.classes
    names = [str(name) for name in rows.target_names]
    what = {
        "regression": "a number",
        "quantiles": f"the quantiles {', '.join(f'{level:g}' for level in subject.levels)}",
        "targets": f"{len(names)} numbers ({_first(names)})",
        "multilabel": f"{len(names)} labels ({_first(names)})",
        "ranking": "the order of the rows of each query",
    }
    if classes is not None:
        labels = [shortened(label, 30) for label in classes[: _MOST_NAMES + 1]]
        what["binary"] = f"the probability of class {labels[1]} against {labels[0]}"
        what["multiclass"] = f"one of {len(classes)} classes ({_first(labels)})"
    n_columns = plural(case.schema.n_features, "column")
    text = f"The model predicts {what[subject.task]} from {n_columns}."
    text += f" This report judges it on {plural(rows.n_given, 'row')}"
    if rows.queries is not None:
        text += f" of {plural(rows.n_given_queries, 'query', 'queries')}"
    text += "."
    if rows.n_rows < rows.n_given:
        text += (
            f" To keep to the time budget it uses {rows.n_rows:,} of them, chosen by a hash of "
            "their contents."
        )
    return text


def _first(names: list[str]) -> str:
    return ", ".join([*names[:_MOST_NAMES], *(["…"] if len(names) > _MOST_NAMES else [])])


def _target(case: Case) -> Grid:
    """Return the distribution of the target and of the predictions."""
    rows, classes = case.rows, case.subject.classes
    target = rows.known_target
    if classes is not None:
        counts = np.bincount(target.astype(np.int64), minlength=len(classes))
        chances = case.subject.chances(rows.predicted).mean(axis=0)
        order = np.argsort(-counts, kind="stable")[:_MOST_CLASSES]
        cells = [
            [
                shortened(classes[k], 30),
                f"{counts[k]:,}",
                percent(counts[k] / len(target)),
                percent(float(chances[k])),
            ]
            for k in order
        ]
        note = f"The {_MOST_CLASSES} most frequent classes." if len(classes) > len(order) else ""
        header = ["Class", "Rows", "Share", "Mean predicted probability"]
        return Grid("Target", header, cells, note=note)
    header = ["", "Mean", "Standard deviation", "Minimum", "5 %", "Median", "95 %", "Maximum"]
    cells = []
    for k, values in enumerate(np.atleast_2d(target.T)):
        name = str(rows.target_names[k]) if rows.target_names else "Target"
        cells.append([name, *_spread(values)])
    for k, values in enumerate(np.atleast_2d(rows.predicted.prediction.T)):
        name = "Prediction"
        if rows.target_names:
            name += f" of {rows.target_names[k]}"
        elif case.subject.task == "quantiles":
            name = f"Prediction of quantile {case.subject.levels[k]:g}"
        cells.append([name, *_spread(values)])
    return Grid("Target and predictions", header, cells)


def _spread(values: Floats) -> list[str]:
    points = np.quantile(values, (0.0, 0.05, 0.5, 0.95, 1.0))
    return [measured(float(one)) for one in (values.mean(), values.std(), *points)]


def _column(case: Case, j: int, values: Floats) -> list[Cell]:
    kind = case.schema.kinds[j]
    known = values[~np.isnan(values)]
    cells: list[Cell] = [case.schema.names[j], kind, percent(float(np.isnan(values).mean()))]
    levels, counts = np.unique(known, return_counts=True)
    cells.append(f"{len(levels):,}")
    if kind == "category" or not len(known):
        cells += ["–"] * 3
    else:
        points = np.quantile(known, (0.05, 0.5, 0.95), method="lower")
        cells += [value_text(case, j, float(point)) for point in points]
    often = [k for k in np.argsort(-counts, kind="stable")[:_MOST_LEVELS] if counts[k] > 1]
    if kind != "category":  # a single value that many rows have
        often = [k for k in often[:1] if counts[k] > 0.1 * len(values)]
    texts = [
        f"{value_text(case, j, levels[k])} ({percent(counts[k] / len(values), 0)})" for k in often
    ]
    return [*cells, ", ".join(texts) or "–"]


def _unused(case: Case) -> list[int]:
    used = set(case.explained.order)
    return [j for j in range(case.schema.n_features) if j not in used]
