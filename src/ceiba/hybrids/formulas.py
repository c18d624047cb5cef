"""Show linear models as formulas and as tables of named coefficients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.hybrids.design_matrix import DesignMatrix
from ceiba.hybrids.linear_models import Linear

__all__ = ["INTERCEPT", "formula", "output_labels", "rounding_error", "term_columns"]

INTERCEPT = "(intercept)"
#: Relative rounding error of a coefficient that should be 0.
_ROUNDING = 2.0**-40


def formula(
    design: DesignMatrix, linear: Linear, classes: NDArray[Any] | None, *, most: int = 0
) -> str:
    """Return a linear model as text, with its ``most`` largest terms (0: all).

    Terms are ranked by the coefficient times the standard deviation of the column. Terms within
    rounding error of 0 are omitted, and such an intercept is shown as 0.
    """
    lines = []
    for k, left in enumerate(_left_sides(len(linear.centers), classes)):
        coefficients, center = linear.coefficients[k], linear.centers[k]
        sizes = np.abs(coefficients * design.scales)
        there = np.flatnonzero(sizes > rounding_error(center, *sizes))
        if most and len(there) > most:
            shown = there[np.sort(np.argsort(-sizes[there], kind="stable")[:most])]
        else:
            shown = there
        intercept = linear.intercepts(design.means)[k]
        if abs(intercept) <= rounding_error(center, *(coefficients * design.means)):
            intercept = 0.0
        text = f"{intercept:.6g}"
        for j in shown:
            sign = "-" if coefficients[j] < 0 else "+"
            text += f" {sign} {abs(coefficients[j]):.6g} * {design.names[j]}"
        if len(shown) < len(there):
            text += f" + {len(there) - len(shown)} smaller terms"
        lines.append(f"{left} = {text}")
    return "; ".join(lines)


def rounding_error(*summands: float) -> float:
    """Return the size below which a sum of these numbers cannot be distinguished from 0."""
    return _ROUNDING * max(abs(one) for one in summands)


def term_columns(
    design: DesignMatrix,
    models: Sequence[Linear],
    classes: NDArray[Any] | None,
    *,
    key: str = "",
) -> dict[str, list[Any]]:
    """Return coefficients as columns of a table; column ``key`` holds the index of the model."""
    table: dict[str, list[Any]] = {key: []} if key else {}
    labels = output_labels(len(models[0].centers), classes)
    if labels:
        table["class"] = []
    table |= {"column": [], "coefficient": []}
    for number, linear in enumerate(models):
        intercepts = linear.intercepts(design.means)
        for k in range(len(linear.centers)):
            names = [INTERCEPT, *design.names]
            if key:
                table[key] += [number] * len(names)
            if labels:
                table["class"] += [labels[k]] * len(names)
            table["column"] += names
            table["coefficient"] += [float(intercepts[k]), *linear.coefficients[k].tolist()]
    return table


def output_labels(n_outputs: int, classes: NDArray[Any] | None) -> list[Any]:
    """Return the class of each score. A single score belongs to the second class."""
    if classes is None:
        return []
    return list(classes[1:2] if n_outputs == 1 else classes)


def _left_sides(n_outputs: int, classes: NDArray[Any] | None) -> list[str]:
    if classes is None:
        return ["y"]
    return [f"score({label})" for label in output_labels(n_outputs, classes)]
