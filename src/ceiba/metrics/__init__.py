"""Metrics for eval sets and early stopping."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ceiba.errors import InvalidParameterError
from ceiba.messages import shown
from ceiba.metrics._base import Metric
from ceiba.metrics._list import METRICS
from ceiba.metrics.custom import CustomMetric
from ceiba.metrics.scorer import ScorerMetric, find_scorer, scorer_names
from ceiba.metrics.several import SeveralMetric
from ceiba.objectives.several import Several
from ceiba.parameters.nearest import nearest_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.objectives import Objective

__all__ = [
    "METRICS",
    "CustomMetric",
    "Metric",
    "ScorerMetric",
    "bound_metric",
    "find_metric",
    "is_metric",
    "metric_names",
    "wished_metrics",
]

_BY_NAME: dict[str, type[Metric]] = {
    name.lower(): kind for kind in METRICS for name in (kind.name, *kind.aliases)
}
_NAMES = {name: kind.name for name, kind in _BY_NAME.items()}
#: Metrics of XGBoost → equivalent metrics of ceiba.
_REPLACEMENTS = {
    f"{family}-nloglik": f"{family}_deviance" for family in ("poisson", "gamma", "tweedie")
}


def metric_names() -> tuple[str, ...]:
    """Return the names of all metrics.

    >>> from ceiba.metrics import metric_names
    >>> metric_names()[:3]
    ('rmse', 'mse', 'mae')
    """
    return tuple(kind.name for kind in METRICS)


def wished_metrics(wished: Any, default: str | None) -> list[Any]:
    """Return the names and functions in ``eval_metric``.

    None and ``"loss"`` mean ``default``, the metric of the objective, if it has one.
    """
    listed = wished if isinstance(wished, list) else ["loss" if wished is None else wished]
    named = [
        default if isinstance(entry, str) and entry.lower() == "loss" else entry for entry in listed
    ]
    return [entry for entry in named if entry]


def find_metric(
    metric: str | Callable[..., Any] | Metric, *, called: str = "metric", **options: Any
) -> Metric:
    """Return the metric for a name, an alias or a function.

    Parameters
    ----------
    metric : str, function or Metric
        A name or alias in any letter case, with an optional suffix for some metrics
        (``"ndcg@10"``); or a function of the user or of scikit-learn.
    called : str, default="metric"
        Name of the parameter in error messages.
    **options
        Options such as ``huber_delta=2.0``. Options of other metrics are ignored.

    Returns
    -------
    Metric

    Examples
    --------
    >>> from ceiba.metrics import find_metric
    >>> find_metric("roc_auc").name
    'auc'
    """
    if isinstance(metric, Metric):
        return metric
    if callable(metric):
        return find_scorer(metric) or CustomMetric.of(metric)
    name, suffix = _without_suffix(metric.lower()) if isinstance(metric, str) else ("", "")
    kind = _BY_NAME.get(name)
    if kind is None or (kind.needs_cutoff and not suffix):
        # Without a cutoff, "precision" is the classification metric of scikit-learn.
        scorer = find_scorer(metric)
        if scorer is not None or kind is None:
            return scorer or _refuse(metric, name, called)
    known = kind.option_names()
    suffixes = (suffix,) if kind.takes_suffix else ()
    return kind(*suffixes, **{name: value for name, value in options.items() if name in known})


def bound_metric(metric: Metric, objective: Objective, classes: NDArray[Any] | None) -> Metric:
    """Bind a metric to an objective. With several targets, the metric is the mean over targets.

    Custom functions and scorers receive all targets at once.
    """
    if not isinstance(objective, Several) or isinstance(metric, CustomMetric | ScorerMetric):
        return metric.bound_to(objective, classes)
    return SeveralMetric(metric.bound_to(objective.of, None))


def is_metric(name: str) -> bool:
    """Whether ``name`` is a metric of ceiba or a scorer of scikit-learn."""
    plain, _ = _without_suffix(name.lower())
    return plain in (*_BY_NAME, "loss") or find_scorer(name) is not None


def _refuse(metric: Any, name: str, called: str) -> Metric:
    replacement = _REPLACEMENTS.get(name.split("@")[0].replace("_", "-"))
    if replacement is not None:
        raise InvalidParameterError(
            f"{called} {metric!r} of XGBoost is not supported. Use {replacement!r}: it is twice "
            "that metric plus a term that depends only on the target, and ranks models equally."
        )
    known = {**dict.fromkeys(scorer_names(), 0.95), **dict.fromkeys(_BY_NAME, 1.0)}
    raise InvalidParameterError(
        f"{called} must be the name of a metric of ceiba or of a scorer of scikit-learn, or a "
        f"function (y_true, y_pred) that returns a number. Got {shown(metric)}. "
        f"{nearest_words(str(metric), known, _NAMES)}"
    )


def _without_suffix(name: str) -> tuple[str, str]:
    """Split a name into metric and suffix. The suffix is "" for metrics without suffixes."""
    plain = name.split("@")[0].rstrip("-")
    kind = _BY_NAME.get(plain)
    if kind is not None and kind.takes_suffix:
        return plain, name[len(plain) :]
    return name, ""
