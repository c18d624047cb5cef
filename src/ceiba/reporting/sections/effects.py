"""Section "Effects": SHAP values of all columns, and how predictions depend on the first ones."""

from __future__ import annotations

from functools import partial
from typing import Any

from ceiba import plot
from ceiba.plot.style import shortened
from ceiba.reporting.blocks import Block, Picture, Pictures, Section, Words
from ceiba.reporting.case import Case, plural
from ceiba.reporting.drawing import HIGH, WIDE, drawn

__all__ = ["section"]

_MOST_COLUMNS = 12
_MOST_OUTPUTS = 4
_PREDICTIONS = 6
_CONTRIBUTIONS = 4
_GRID_POINTS = 30
_MOST_ROWS = 300
_LEAST_ROWS = 30


def section(case: Case) -> Section | None:
    """Return beeswarm and dependence plots; None if no column has an effect."""
    explained, subject = case.explained, case.subject
    if not explained.order:
        return None
    outputs = _outputs(case)
    high = 1.2 + 0.3 * min(_MOST_COLUMNS, len(explained.order))
    swarms = []
    for output in outputs:
        of = "" if output is None else f" of {_output_name(case, output)}"
        lead = "" if output is None else f"{_output_name(case, output)}. "
        swarms.append(
            drawn(
                partial(
                    plot.beeswarm, explained.explanation, output=output, max_columns=_MOST_COLUMNS
                ),
                f"Beeswarm plot of the SHAP values{of}. The table of importances has their means.",
                f"{lead}Each point is a row: to the right, the column raises its score. Red: high "
                "value of the column, blue: low; gray: category or missing.",
                (5.2, max(2.4, high)),
            )
        )
    blocks: list[Block] = [
        Words(
            f"SHAP values of {plural(explained.rows.n_rows, 'row')}: what each column adds to the "
            "score of a row, compared with the mean."
        ),
        Pictures(swarms),
    ]
    if not subject.is_hybrid:
        text = "Predictions if a column had the same value in all rows: the thick line or the "
        text += "points are the mean, the thin lines single rows."
        blocks += [Words(text), Pictures(_predictions(case))]
    text = "What a column adds to the score of each row (SHAP), over its value. The color is the "
    text += "column that interacts with it most."
    blocks += [Words(text), Pictures(_contributions(case))]
    return Section("effects", "Effects of the columns", blocks)


def _outputs(case: Case) -> list[int | None]:
    """Return the outputs to draw: None if there is one."""
    n = len(case.explained.explanation.output_names)
    if n < 2:
        return [None]
    return [1] if case.subject.task == "binary" else list(range(min(n, _MOST_OUTPUTS)))


def _output_name(case: Case, output: int) -> str:
    name = case.explained.explanation.output_names[output]
    if case.subject.classes is not None:
        return f"class {shortened(name, 24)}"
    if case.subject.task == "quantiles":
        return f"quantile {name:g}"
    return str(name)


def _predictions(case: Case) -> list[Picture]:
    """Return partial dependence plots of the most important columns."""
    explained, subject = case.explained, case.subject
    chosen = explained.order[:_PREDICTIONS]
    each = case.seconds_per_row * _GRID_POINTS * len(chosen)
    rows = case.rows.first(case.clock.rows(each, 0.1, _LEAST_ROWS, _MOST_ROWS))
    several = len(explained.explanation.output_names) > 1
    how: dict[str, Any] = {"output": 1} if subject.task == "binary" and several else {}
    pictures = []
    for j in chosen:
        name = case.schema.names[j]
        pictures.append(
            drawn(
                partial(
                    plot.partial_dependence,
                    subject.model,
                    rows.table,
                    j,
                    n_points=_GRID_POINTS,
                    **how,
                ),
                f"Partial dependence: mean prediction over the values of column {name}.",
                f"Predictions over {shortened(name, 40)}.",
                (WIDE, HIGH - 0.4),
            )
        )
    return pictures


def _contributions(case: Case) -> list[Picture]:
    """Return SHAP dependence plots of the most important columns."""
    explained, output = case.explained, _outputs(case)[0]
    of = "" if output is None else f" of {_output_name(case, output)}"
    pictures = []
    for j in explained.order[:_CONTRIBUTIONS]:
        name = case.schema.names[j]
        pictures.append(
            drawn(
                partial(plot.dependence, explained.explanation, j, output=output),
                f"SHAP values of column {name}{of} over its values.",
                f"What {shortened(name, 40)} adds to the score{of}.",
                (WIDE, HIGH - 0.2),
            )
        )
    return pictures
