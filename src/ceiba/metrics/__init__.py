"""Metrics: how good predictions are, for eval sets and early stopping."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from typing import Any

from ceiba.errors import InvalidParameterError
from ceiba.metrics._base import Metric
from ceiba.metrics._list import METRICS
from ceiba.metrics._ranking import RankingMetric
from ceiba.metrics.custom import CustomMetric

__all__ = ["METRICS", "CustomMetric", "Metric", "find_metric", "metric_names"]

_BY_NAME: dict[str, type[Metric]] = {
    name.lower(): kind for kind in METRICS for name in (kind.name, *kind.aliases)
}


def metric_names() -> tuple[str, ...]:
    """Canonical names, in the order of the list."""
    return tuple(kind.name for kind in METRICS)


def find_metric(metric: str | Callable[..., Any] | Metric, **options: Any) -> Metric:
    """The metric of this name or alias (letter case does not matter), or of this function.

    Names of ranking metrics may have a suffix such as @10. Options that the metric does not have
    are left aside.
    """
    if isinstance(metric, Metric):
        return metric
    if callable(metric):
        return CustomMetric.of(metric)
    name, suffix = _without_suffix(metric.lower()) if isinstance(metric, str) else ("", "")
    kind = _BY_NAME.get(name)
    if kind is not None and issubclass(kind, RankingMetric):
        return kind(suffix, ndcg_exp_gain=options.get("ndcg_exp_gain", True))
    if kind is None:
        near = get_close_matches(str(metric).lower(), list(_BY_NAME), n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise InvalidParameterError(
            f"metric must be one of {', '.join(metric_names())} (or an alias), or a "
            f"function (y_true, y_pred) that returns a number. Got {metric!r}.{hint}"
        )
    known: list[str] = [field.name for field in fields(kind)] if is_dataclass(kind) else []
    return kind(**{name: value for name, value in options.items() if name in known})


def _without_suffix(name: str) -> tuple[str, str]:
    """The name of a ranking metric and what follows it; other names as they are."""
    plain = name.split("@")[0].rstrip("-")
    kind = _BY_NAME.get(plain)
    if kind is not None and issubclass(kind, RankingMetric):
        return plain, name[len(plain) :]
    return name, ""
