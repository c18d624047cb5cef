"""Section "Drift": how these rows differ from the training rows."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ceiba.plot.style import shortened
from ceiba.reporting.blocks import Bar, Block, Cell, Finding, Grid, Section, Words
from ceiba.reporting.case import Case, measured, percent, plural
from ceiba.reporting.comparing import category_difference, corrected, number_difference
from ceiba.reporting.rows import Rows
from ceiba.reporting.sections.worst import value_text

__all__ = ["Difference", "differences", "section"]

Floats = NDArray[np.float64]

_MOST_ROWS = 20_000
_MOST_SHOWN = 15
_SIGNIFICANT = 0.01
#: Smaller differences of distributions are significant with many rows, and harmless.
_LEAST_DISTANCE = 0.1


@dataclass(frozen=True)
class Difference:
    """How a column differs between the training rows and these rows."""

    name: str
    #: Largest difference of the share of rows, 0 to 1.
    distance: float
    p_value: float
    change: str

    @property
    def has_drifted(self) -> bool:
        """Whether the difference is neither small nor due to chance."""
        return self.p_value < _SIGNIFICANT and self.distance >= _LEAST_DISTANCE


def section(case: Case) -> Section | None:
    """Return the comparison with the training rows; None without them."""
    if case.train is None:
        return None
    found = differences(case, case.train)
    moved = [own for own in found if own.has_drifted]
    shared = float(np.isin(case.rows.hashes, case.train.hashes).mean())
    blocks: list[Block] = [
        Words(
            "The distance is the largest difference between the shares of rows below a value "
            "(numbers; Kolmogorov-Smirnov), or the share of rows that would have to change their "
            "category (total variation). 0: equal distributions, 1: no value in common. P-values "
            f"are corrected for the number of columns (Holm). Drift: distance at least "
            f"{_LEAST_DISTANCE:g} and p-value below {_SIGNIFICANT:g}."
        )
    ]
    cells: list[list[Cell]] = [
        [
            own.name,
            Bar(f"{own.distance:.3f}", own.distance),
            "< 0.0001" if own.p_value < 1e-4 else f"{own.p_value:.4f}",
            "drift" if own.has_drifted else "–",
            own.change,
        ]
        for own in found[:_MOST_SHOWN]
    ]
    n = min(_MOST_ROWS, case.train.n_rows), min(_MOST_ROWS, case.rows.n_rows)
    blocks.append(
        Grid(
            "Training rows and these rows",
            ["Column", "Distance", "p-value", "Verdict", "Change from training to these rows"],
            cells,
            texts=frozenset({0, 3, 4}),
            note=f"{plural(n[0], 'training row')} against {plural(n[1], 'row')}; the largest "
            "distances come first.",
        )
    )
    findings = []
    if shared > 0:
        findings.append(
            Finding(
                f"{percent(shared)} of these rows are also in the training table (equal in every "
                "column). Scores of such rows are too good.",
                "warning",
            )
        )
        blocks.append(Words(findings[0].text))
    if moved:
        names = ", ".join(shortened(own.name, 24) for own in moved[:3])
        more = f" and {len(moved) - 3} more" if len(moved) > 3 else ""
        findings.append(Finding(f"Drift since the training: {names}{more}.", "warning"))
    else:
        findings.append(Finding("No column has drifted since the training."))
    return Section("drift", "Drift", blocks, findings)


def differences(case: Case, train: Rows) -> list[Difference]:
    """Return the differences of target, prediction and columns, the largest first."""
    old, new = train.first(_MOST_ROWS), case.rows.first(_MOST_ROWS)
    until = time.perf_counter() + case.clock.seconds(0.1)
    found = []
    for j in range(case.schema.n_features):
        if time.perf_counter() > until:
            break
        found.append(_of_column(case, j, old.column(j), new.column(j)))
    found += _of_outcomes(case, old, new)
    p_values = corrected(np.array([own.p_value for own in found]))
    judged = [
        Difference(own.name, own.distance, float(p_value), own.change)
        for own, p_value in zip(found, p_values, strict=True)
    ]
    return sorted(judged, key=lambda own: -own.distance)


def _of_column(case: Case, j: int, old: Floats, new: Floats) -> Difference:
    name = case.schema.names[j]
    gone, missing = np.isnan(old), np.isnan(new)
    share_old, share_new = float(gone.mean()), float(missing.mean())
    counts = [np.array([own.sum(), (~own).sum()], dtype=np.float64) for own in (gone, missing)]
    of_missing = category_difference(*counts)
    if case.schema.kinds[j] == "category":
        n_levels = len(case.schema.levels_of(j)) + 1
        tables = [
            np.bincount(np.nan_to_num(own, nan=n_levels - 1).astype(np.int64), minlength=n_levels)
            for own in (old, new)
        ]
        distance, p_value = category_difference(*(own.astype(np.float64) for own in tables))
        shares = [own / max(1, own.sum()) for own in tables]
        k = int(np.argmax(np.abs(shares[1] - shares[0])))
        level = "missing or unseen" if k == n_levels - 1 else value_text(case, j, k)
        change = f"{level}: {percent(shares[0][k])} → {percent(shares[1][k])}"
        return Difference(name, distance, p_value, change)
    of_values = number_difference(old[~gone], new[~missing])
    n_tests = 2 if gone.any() or missing.any() else 1  # of values and of missing values
    if of_missing[0] > of_values[0] or gone.all() or missing.all():
        change = f"missing: {percent(share_old)} → {percent(share_new)}"
        return Difference(name, of_missing[0], min(1.0, n_tests * of_missing[1]), change)
    known = old[~gone], new[~missing]
    middles = [float(np.quantile(own, 0.5, method="lower")) for own in known]
    texts = [value_text(case, j, middle) for middle in middles]
    p_value = min(1.0, n_tests * of_values[1])
    return Difference(name, of_values[0], p_value, f"median: {texts[0]} → {texts[1]}")


def _of_outcomes(case: Case, old: Rows, new: Rows) -> list[Difference]:
    """Return the differences of the target and the prediction, if they are single values."""
    found = []
    classes = case.subject.classes
    if old.target is not None and old.target.ndim == 1:
        if classes is not None:
            tables = [
                np.bincount(own.known_target.astype(np.int64), minlength=len(classes))
                for own in (old, new)
            ]
            distance, p_value = category_difference(*(own.astype(np.float64) for own in tables))
            shares = [own / max(1, own.sum()) for own in tables]
            k = int(np.argmax(np.abs(shares[1] - shares[0])))
            label = shortened(classes[k], 24)
            change = f"{label}: {percent(shares[0][k])} → {percent(shares[1][k])}"
        else:
            distance, p_value = number_difference(old.target, new.known_target)
            change = _means(old.target, new.known_target)
        found.append(Difference("(target)", distance, p_value, change))
    values = [own.predicted.prediction for own in (old, new)]
    if values[0].ndim == 1:
        distance, p_value = number_difference(*values)
        found.append(Difference("(prediction)", distance, p_value, _means(*values)))
    return found


def _means(old: Floats, new: Floats) -> str:
    return f"mean: {measured(float(old.mean()))} → {measured(float(new.mean()))}"
