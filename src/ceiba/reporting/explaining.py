"""SHAP values for a report, of as many rows as the time budget allows."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.reporting.clock import Clock
from ceiba.reporting.rows import Rows
from ceiba.reporting.subject import Subject

__all__ = ["Explained", "explain", "explain_first"]

Floats = NDArray[np.float64]

#: Points of a beeswarm plot; more would cover each other.
_MOST_ROWS = 2000
_LEAST_ROWS = 50
#: Rows that are explained to measure the time of one.
_TRIAL_ROWS = 8
#: Rows that supply the values of absent columns of a hybrid; time is proportional to their number.
_BACKGROUND_ROWS = 30


@dataclass(frozen=True, eq=False)
class Explained:
    """SHAP values of some rows, and the columns by their importance."""

    rows: Rows
    explanation: Any
    #: Mean absolute SHAP value of each column, summed over outputs.
    sizes: Floats

    @cached_property
    def order(self) -> list[int]:
        """Columns that are used, the most important first."""
        order = np.argsort(-self.sizes, kind="stable")
        return [int(j) for j in order if self.sizes[j] > 0]


def explain_first(subject: Subject, rows: Rows, clock: Clock) -> Explained:
    """Return SHAP values of the first rows, and the importance of each column."""
    trial = rows.first(_TRIAL_ROWS)
    explain(subject, trial, rows)  # the first one prepares the model
    begin = time.perf_counter()
    explain(subject, trial, rows)
    each = (time.perf_counter() - begin) / trial.n_rows
    chosen = rows.first(clock.rows(each, 0.15, _LEAST_ROWS, _MOST_ROWS))
    found = explain(subject, chosen, rows)
    sizes = np.abs(np.asarray(found.values, dtype=np.float64))
    sizes = sizes.sum(axis=2) if sizes.ndim == 3 else sizes
    return Explained(chosen, found, sizes.mean(axis=0))


def explain(subject: Subject, rows: Rows, others: Rows) -> Any:
    """Return the explanation of rows; that of a hybrid compares them with other rows."""
    if subject.is_hybrid:
        background = others.first(_BACKGROUND_ROWS).table
        found = subject.owner.explain(rows.table, background=background)
        scales = ["prediction"]
        if subject.classes is not None:
            labels = subject.classes[1:] if subject.task == "binary" else subject.classes
            scales = [f"probability of class {label}" for label in labels]
        return replace(found, scales=scales, kinds=list(subject.schema.kinds))
    found = subject.model.explain(rows.table)
    if not rows.target_names:
        return found
    names = [str(name) for name in rows.target_names]
    pairs = zip(found.scales, names, strict=True)
    scales = [f"{scale.partition(' of ')[0]} of {name}" for scale, name in pairs]
    return replace(found, output_names=names, scales=scales)
