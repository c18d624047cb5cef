"""Section "Importances": which columns the predictions depend on."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from ceiba.data.block import ColumnsBlock, SparseColumn, joined_values
from ceiba.data.table import Table
from ceiba.reporting.blocks import Bar, Cell, Finding, Grid, Section
from ceiba.reporting.case import Case, measured, percent, plural
from ceiba.reporting.rows import Rows

__all__ = ["permutation_losses", "section"]

Floats = NDArray[np.float64]

_MOST_COLUMNS = 25
_REPEATS = 3
_MOST_ROWS = 5000
_LEAST_ROWS = 200


def section(case: Case) -> Section:
    """Return the table of importances, the most important column first."""
    explained = case.explained
    order = explained.order[:_MOST_COLUMNS]
    losses, rows, before = permutation_losses(case, order)
    total = float(explained.sizes.sum()) or 1.0
    gains = None
    if not case.subject.is_hybrid:
        gains = case.subject.model.feature_importances("gain")
        gains = gains / (float(gains.sum()) or 1.0)
    header = [
        "Column",
        "Share of mean |SHAP|",
        f"{_first_up(case.subject.loss_name)} when shuffled",
    ]
    header += ["Share of gain"] if gains is not None else []
    cells: list[list[Cell]] = []
    for place, j in enumerate(order):
        share = float(explained.sizes[j]) / total
        shuffled = "–"
        if not np.isnan(losses[place]).all():
            mean, spread = float(np.nanmean(losses[place])), float(np.nanstd(losses[place]))
            shuffled = f"{'+' if mean >= 0 else ''}{measured(mean, 3)} ± {measured(spread, 2)}"
        row: list[Cell] = [case.schema.names[j], Bar(percent(share), share), shuffled]
        cells.append([*row, *([percent(float(gains[j]))] if gains is not None else [])])
    left, unused = len(explained.order) - len(order), _n_unused(case)
    note = (
        f"SHAP values of {plural(explained.rows.n_rows, 'row')}. Shuffling a column of "
        f"{plural(rows.n_rows, 'row')} breaks its relation to the target; before, the "
        f"{case.subject.loss_name} is {measured(before)}."
    )
    note += f" {plural(left, 'less important column')} left out." if left else ""
    note += f" {plural(unused, 'column')} without any effect." if unused else ""
    grid = Grid("Importance of the columns", header, cells, note=note)
    return Section("importances", "Importances", [grid], _findings(case, order, total))


def permutation_losses(case: Case, order: list[int]) -> tuple[Floats, Rows, float]:
    """Return by how much the mean loss rises if a column is shuffled, [columns, repeats].

    Columns for which there is no time left have NaN.
    """
    affordable = case.seconds_per_row * max(1, len(order)) * _REPEATS
    rows = case.rows.first(case.clock.rows(affordable, 0.12, _LEAST_ROWS, _MOST_ROWS))
    columns = [joined_values(chunks) for chunks in rows.table.columns]
    before = float(np.average(rows.losses, weights=_weights(rows)))
    found = np.full((len(order), _REPEATS), np.nan)
    random = np.random.default_rng(case.seed)
    until = time.perf_counter() + case.clock.seconds(0.15)
    for repeat in range(_REPEATS):
        shuffle = random.permutation(rows.n_rows)
        for place, j in enumerate(order):
            if time.perf_counter() > until:
                break
            own = columns[j]
            new = own.ordered(shuffle) if isinstance(own, SparseColumn) else own[shuffle]
            block = ColumnsBlock([*columns[:j], new, *columns[j + 1 :]])
            predicted = case.subject.predicted(Table((block,), rows.table.schema))
            losses = case.subject.losses(rows.known_target, predicted, rows.queries)
            found[place, repeat] = float(np.average(losses, weights=_weights(rows))) - before
    return found, rows, before


def _weights(rows: Rows) -> Floats | None:
    return rows.weights if rows.queries is None else rows.queries.weights(rows.weights)


def _n_unused(case: Case) -> int:
    return case.schema.n_features - len(case.explained.order)


def _findings(case: Case, order: list[int], total: float) -> list[Finding]:
    if not order:
        return [Finding("No column has an effect on the predictions.", "warning")]
    sizes = case.explained.sizes
    names = [case.schema.names[j] for j in order[:3]]
    share = float(sizes[order[:3]].sum()) / total
    if len(order) == 1:
        return [Finding(f"Predictions depend on column {names[0]} alone.")]
    told = f"{', '.join(names[:-1])} and {names[-1]}"
    findings = [
        Finding(f"The most important columns are {told}: {percent(share, 0)} of the importance.")
    ]
    first = float(sizes[order[0]]) / total
    if first > 0.8 and len(case.schema.names) > 2:
        findings.append(
            Finding(
                f"Column {names[0]} has {percent(first, 0)} of the importance. Check that it is "
                "known at the time of a prediction and does not leak the target.",
                "warning",
            )
        )
    return findings


def _first_up(text: str) -> str:
    return text[0].upper() + text[1:]
