"""Section "About": fingerprint, versions, parameters, and how the report was made."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from typing import Any

import numpy as np

from ceiba import __version__
from ceiba.messages import shown
from ceiba.reporting.blocks import Grid, Section
from ceiba.reporting.case import Case, plural

__all__ = ["section"]

_LONGEST = 120


def section(case: Case) -> Section:
    """Return the tables that identify the model and its software."""
    rows = case.rows
    facts = [
        ["Fingerprint of the model (SHA-256)", case.subject.owner.fingerprint()],
        ["ceiba", __version__],
        ["Python", platform.python_version()],
        ["numpy", np.__version__],
        ["Rows of the report", f"{rows.n_rows:,} of {rows.n_given:,}"],
        ["Rows of SHAP values", f"{case.explained.rows.n_rows:,}"],
        ["Time", f"{case.clock.spent:.1f} seconds"],
    ]
    if case.train is not None:
        facts.insert(5, ["Training rows", f"{case.train.n_rows:,} of {case.train.n_given:,}"])
    parameters = _parameters(case)
    cells = [[name, shown(value, _LONGEST)] for name, value in sorted(parameters.items())]
    both = frozenset({0, 1})
    note = f"{plural(len(cells), 'parameter')}, as resolved for the training."
    return Section(
        "about",
        "About this model",
        [
            Grid("Model and software", ["Fact", "Value"], facts, texts=both),
            Grid("Parameters", ["Parameter", "Value"], cells, texts=both, note=note),
        ],
    )


def _parameters(case: Case) -> Mapping[str, Any]:
    if case.subject.is_hybrid:
        found: Mapping[str, Any] = case.subject.owner.get_params(deep=False)
        return found
    parameters: Mapping[str, Any] = case.subject.model.parameters
    return parameters
