"""Section "Weak slices": groups of rows with a significantly higher loss.

1. Every column is cut into slices: its categories, its quantiles or few distinct values, and its
   missing values.
2. The mean loss of each slice is compared with that of all other rows (Welch's t-test).
3. The p-values are corrected for the number of slices (Holm): if no slice is weaker, the chance
   that any is listed is at most 5 %.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ceiba.data.queries import Queries
from ceiba.reporting.blocks import Bar, Block, Cell, Finding, Grid, Section, Words
from ceiba.reporting.case import Case, measured, percent
from ceiba.reporting.comparing import corrected, higher_mean, weighted_mean_and_error
from ceiba.reporting.sections.worst import value_text

__all__ = ["Slice", "section", "slices_of", "weak_slices"]

Floats = NDArray[np.float64]

#: A mean of fewer rows is not nearly normal.
_FEWEST_ROWS = 30
_QUANTILES = 5
#: A column of numbers with at most so many values is cut into its values.
_FEW_VALUES = 8
_MOST_LEVELS = 50
_SIGNIFICANT = 0.05
#: With many rows even differences without meaning are significant.
_LEAST_EXCESS = 0.1
_MOST_SHOWN = 15
_MOST_ROWS = 50_000


@dataclass(frozen=True, eq=False)
class Slice:
    """Rows with one value, or range of values, of a column, and their mean loss."""

    name: str
    members: NDArray[np.bool_]
    loss: float
    loss_elsewhere: float
    p_value: float


def section(case: Case) -> Section:
    """Return the table of the slices in which the model is weak."""
    found, n_tested, n_columns = weak_slices(case)
    of, n_all = case.subject.loss_name, case.schema.n_features
    what = "queries" if case.subject.task == "ranking" else "rows"
    lead = (
        f"{n_tested:,} slices of {n_columns} columns were compared with the other {what} by their "
        f"mean {of}. Listed are those at least {percent(_LEAST_EXCESS, 0)} worse, with a p-value "
        f"below {_SIGNIFICANT:g} after correction for the number of slices (Holm)."
    )
    if n_columns < n_all:
        lead += f" {n_all - n_columns} columns had no slice that is large enough, or no time left."
    blocks: list[Block] = [Words(lead)]
    if not found:
        blocks.append(Words("No slice is significantly weaker than the rest."))
        return Section(
            "slices",
            "Weak slices",
            blocks,
            [Finding("No slice of the rows is significantly weaker than the rest.")],
        )
    blocks.append(_grid(case, found))
    if len(found) > _MOST_SHOWN:
        blocks.append(Words(f"{len(found) - _MOST_SHOWN} more slices are significantly weaker."))
    worst = found[0]
    number = f"{len(found)} slices are" if len(found) > 1 else "1 slice is"
    text = (
        f"{number} significantly weaker than the rest. Most of the excess is where {worst.name}: "
        f"mean {of} {measured(worst.loss, 3)}, elsewhere {measured(worst.loss_elsewhere, 3)}."
    )
    return Section("slices", "Weak slices", blocks, [Finding(text, "warning")])


def weak_slices(case: Case) -> tuple[list[Slice], int, int]:
    """Return the weak slices, the numbers of slices tested and of columns with any."""
    rows = case.rows.first(_MOST_ROWS)
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    if rows.queries is not None:
        weights = np.ones(rows.queries.n_queries)
    until = time.perf_counter() + case.clock.seconds(0.1)
    tested: list[Slice] = []
    n_columns = 0
    for j in [*case.explained.order, *_others(case)]:
        if time.perf_counter() > until:
            break
        values = rows.column(j)
        if rows.queries is not None:
            values = _of_queries(values, rows.queries, case.schema.kinds[j] == "category")
        before = len(tested)
        for name, members in slices_of(case, j, values):
            if min(np.count_nonzero(members), np.count_nonzero(~members)) < _FEWEST_ROWS:
                continue
            inside = weighted_mean_and_error(rows.losses[members], weights[members])
            outside = weighted_mean_and_error(rows.losses[~members], weights[~members])
            p_value = higher_mean(inside, outside)
            tested.append(Slice(name, members, inside[0], outside[0], p_value))
        n_columns += len(tested) > before
    p_values = corrected(np.array([own.p_value for own in tested]))
    weak = [
        Slice(own.name, own.members, own.loss, own.loss_elsewhere, float(p_value))
        for own, p_value in zip(tested, p_values, strict=True)
        if p_value < _SIGNIFICANT and own.loss > (1.0 + _LEAST_EXCESS) * own.loss_elsewhere
    ]
    weak.sort(key=lambda own: -(own.loss - own.loss_elsewhere) * np.count_nonzero(own.members))
    return weak, len(tested), n_columns


def _others(case: Case) -> list[int]:
    used = set(case.explained.order)
    return [j for j in range(case.schema.n_features) if j not in used]


def slices_of(case: Case, j: int, values: Floats) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield names and rows of the slices of a column."""
    name, kind = case.schema.names[j], case.schema.kinds[j]
    missing = np.isnan(values)
    known = values[~missing]
    if kind == "category":
        levels = case.schema.levels_of(j)
        counts = np.bincount(known[known >= 0].astype(np.int64), minlength=len(levels))
        for k in np.argsort(-counts, kind="stable")[:_MOST_LEVELS]:
            if counts[k] and k < len(levels):
                yield f"{name} is {levels[k]}", values == k
    elif len(known):
        distinct = np.unique(known)
        if len(distinct) <= _FEW_VALUES:
            for value in distinct:
                yield f"{name} = {value_text(case, j, value)}", values == value
        else:
            yield from _ranges(case, j, values, known)
    if missing.any():
        yield f"{name} is missing" + (" or unseen" if kind == "category" else ""), missing


def _ranges(
    case: Case, j: int, values: Floats, known: Floats
) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    edges = np.unique(np.quantile(known, np.arange(1, _QUANTILES) / _QUANTILES, method="lower"))
    name, texts = case.schema.names[j], [value_text(case, j, float(edge)) for edge in edges]
    for k, edge in enumerate([*edges, np.inf]):
        with np.errstate(invalid="ignore"):
            below = values <= edge
            members = below if k == 0 else below & (values > edges[k - 1])
        if k == 0:
            yield f"{name} ≤ {texts[k]}", members
        elif k == len(edges):
            yield f"{name} > {texts[-1]}", members
        else:
            yield f"{texts[k - 1]} < {name} ≤ {texts[k]}", members


def _of_queries(values: Floats, queries: Queries, is_category: bool) -> Floats:
    """Return a value per query: the mean, or the category of all its rows (-1 if they differ)."""
    n = queries.n_queries
    first = values[queries.rows[queries.offsets[:-1]]]
    if is_category:
        differs = np.zeros(n, dtype=bool)
        np.logical_or.at(differs, queries.numbers, values != first[queries.numbers])
        return np.where(differs & ~np.isnan(first), -1.0, first)
    return np.bincount(queries.numbers, weights=values, minlength=n) / queries.sizes


def _grid(case: Case, found: list[Slice]) -> Grid:
    rows, task = case.rows.first(_MOST_ROWS), case.subject.task
    total = float(rows.losses.sum())
    n = len(rows.losses)
    header = ["Slice", "Queries" if rows.queries is not None else "Rows", "Mean loss"]
    header += ["Mean loss elsewhere", "Share of all loss", "p-value"]
    shows_means = task in ("regression", "binary")
    header += ["Observed mean", "Predicted mean"] if shows_means else []
    cells: list[list[Cell]] = []
    for own in found[:_MOST_SHOWN]:
        count = int(np.count_nonzero(own.members))
        share = float(rows.losses[own.members].sum()) / total if total else 0.0
        row: list[Cell] = [own.name, f"{count:,} ({percent(count / n)})"]
        row += [measured(own.loss, 3), measured(own.loss_elsewhere, 3)]
        row += [Bar(percent(share), share), _p_text(own.p_value)]
        if shows_means:
            means = rows.known_target[own.members], rows.predicted.prediction[own.members]
            row += [measured(float(values.mean()), 3) for values in means]
        cells.append(row)
    return Grid(
        f"Slices with a higher {case.subject.loss_name}",
        header,
        cells,
        note="The slices with the largest excess of loss come first. Slices overlap.",
    )


def _p_text(p_value: float) -> str:
    return "< 0.0001" if p_value < 1e-4 else f"{p_value:.4f}"
