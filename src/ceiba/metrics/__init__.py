"""Metrics: how good predictions are, for eval sets and early stopping."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from typing import Any

from ceiba.errors import InvalidParameterError
from ceiba.metrics._base import Metric
from ceiba.metrics._list import METRICS

__all__ = ["METRICS", "Metric", "find_metric", "metric_names"]

_BY_NAME: dict[str, type[Metric]] = {
    name.lower(): kind for kind in METRICS for name in (kind.name, *kind.aliases)
}


def metric_names() -> tuple[str, ...]:
    """Canonical names, in the order of the list."""
    return tuple(kind.name for kind in METRICS)


def find_metric(metric: str | Metric, **options: Any) -> Metric:
    """The metric of this name or alias (letter case does not matter).

    Options are those of the loss, such as a quantile level; a metric takes those that it has.
    """
    if isinstance(metric, Metric):
        return metric
    kind = _BY_NAME.get(metric.lower()) if isinstance(metric, str) else None
    if kind is None:
        near = get_close_matches(str(metric).lower(), list(_BY_NAME), n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise InvalidParameterError(
            f"metric must be one of {', '.join(metric_names())} (or an alias). "
            f"Got {metric!r}.{hint}"
        )
    known: list[str] = [field.name for field in fields(kind)] if is_dataclass(kind) else []
    return kind(**{name: value for name, value in options.items() if name in known})
