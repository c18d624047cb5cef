"""Read an explanation for the plots of SHAP values: values of one output, names, kinds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.messages import listed, shown
from ceiba.model.rule_text import date_text, duration_text
from ceiba.plot.style import number, shortened

__all__ = ["Explained", "explained", "n_outputs_of", "some_rows", "value_text"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Explained:
    """SHAP values of one output: [n, M], or interaction values [n, M, M]."""

    values: Floats
    base: Floats
    data: NDArray[Any]
    names: list[str]
    output: str
    #: Unit of the values: "log-odds of class yes".
    scale: str = "raw score"
    kinds: tuple[str, ...] = ()

    def kind(self, column: int) -> str:
        """Return the kind of a column: numeric, category, date or duration."""
        return self.kinds[column] if self.kinds else "numeric"

    def column(self, column: Any, called: str = "column") -> int:
        """Return the position of a column given by name or position."""
        if isinstance(column, str) and column in self.names:
            return self.names.index(column)
        is_position = isinstance(column, int | np.integer) and not isinstance(column, bool)
        if is_position and 0 <= column < len(self.names):
            return int(column)
        raise InvalidParameterError(
            f"{called} must be a column of the explanation: {listed(self.names)}. "
            f"Got {shown(column)}."
        )

    def numbers(self, column: int) -> Floats | None:
        """Return the values of a column as numbers, or None if it is a category."""
        if self.kind(column) == "category":
            return None
        try:
            numbers: Floats = np.asarray(self.data[:, column], dtype=np.float64)
        except (TypeError, ValueError):
            return None
        return numbers

    def scaled(self, column: int) -> Floats | None:
        """Return the values of a column scaled to 0 (low) … 1 (high); None for categories."""
        numbers = self.numbers(column)
        if numbers is None or not np.isfinite(numbers).any():
            return None
        low, high = np.nanpercentile(np.where(np.isfinite(numbers), numbers, np.nan), [5, 95])
        if low == high:
            low, high = np.nanmin(numbers), np.nanmax(numbers)
        width = high - low if high > low else 1.0
        scaled: Floats = np.clip((numbers - low) / width, 0.0, 1.0)
        return scaled

    def most_important(self, n: int) -> NDArray[np.int64]:
        """Return the columns with the largest mean |value|, the largest first."""
        sizes = np.abs(self.values).mean(axis=0)
        order: NDArray[np.int64] = np.argsort(-sizes, kind="stable")[:n]
        return order


def n_outputs_of(explanation: Any) -> int:
    """Return the number of outputs of an explanation of single columns."""
    values = np.asarray(getattr(explanation, "values", ()))
    return values.shape[2] if values.ndim == 3 else 1


def explained(explanation: Any, output: Any = None, *, pairs: bool = False) -> Explained:
    """Return the explanation of one output, given by number or name."""
    for name in ("values", "base_values", "feature_names"):
        if not hasattr(explanation, name):
            raise InvalidInputError(
                "A plot of SHAP values needs an explanation, the result of model.explain(X). "
                f"Got {shown(explanation)}."
            )
    values = np.asarray(explanation.values, dtype=np.float64)
    names = [str(name) for name in explanation.feature_names]
    is_pairs = bool(getattr(explanation, "interactions", False))
    if is_pairs != pairs:
        raise InvalidInputError(
            "This plot needs interaction values. Got SHAP values. Use model.explain(X, "
            "interactions=True)."
            if pairs
            else "This plot needs SHAP values. Got interaction values. Use model.explain(X)."
        )
    if not len(values):
        raise InvalidInputError("A plot of SHAP values needs at least one row. Got none.")
    base = np.asarray(explanation.base_values, dtype=np.float64)
    several = values.ndim == (4 if pairs else 3)
    label, k = "", 0
    if several:
        labels = list(getattr(explanation, "output_names", None) or range(values.shape[-1]))
        k = _place(output, labels)
        values, label = values[..., k], str(labels[k])
        base = base[..., k] if base.ndim and base.shape[-1] == len(labels) else base
    elif output not in (None, 0):
        raise InvalidParameterError(
            f"output must be 0 or None, because the explanation has one output. Got {output!r}."
        )
    data = getattr(explanation, "data", None)
    rows = np.full((len(values), len(names)), np.nan) if data is None else np.asarray(data)
    scales = list(getattr(explanation, "scales", None) or [])
    scale = scales[k] if k < len(scales) else f"raw score of {label}" if label else "raw score"
    kinds = tuple(getattr(explanation, "kinds", None) or ())
    base = np.broadcast_to(base, len(values))
    return Explained(values, base, rows, names, label, scale, kinds)


def _place(output: Any, labels: list[Any]) -> int:
    if output is None:
        return 0
    if output in labels:
        return labels.index(output)
    if isinstance(output, int | np.integer) and 0 <= output < len(labels):
        return int(output)
    raise InvalidParameterError(
        f"output must be one of {listed(labels)}, or its number. Got {output!r}."
    )


def value_text(value: Any, kind: str = "numeric") -> str:
    """Return the text of a value beside the name of its column."""
    if value is None:
        return "missing"
    if kind in ("date", "duration") and np.isfinite(value):
        return date_text(float(value)) if kind == "date" else duration_text(float(value))
    if kind == "category":
        return shortened(value, 16)
    if isinstance(value, int | float | np.number) and not isinstance(value, bool):
        return number(float(value), 4)
    return shortened(value, 16)


def some_rows(n_rows: int, most: int) -> NDArray[np.int64]:
    """Return up to ``most`` row numbers, evenly spaced."""
    if n_rows <= most:
        return np.arange(n_rows)
    return np.linspace(0, n_rows - 1, most).astype(np.int64)
