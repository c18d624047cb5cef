"""Metrics: how good predictions are, for eval sets and early stopping."""

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
#: Metrics of XGBoost that tell nothing that a deviance does not.
_INSTEAD = {f"{family}-nloglik": f"{family}_deviance" for family in ("poisson", "gamma", "tweedie")}


def metric_names() -> tuple[str, ...]:
    """Return the names of all metrics.

    >>> from ceiba.metrics import metric_names
    >>> metric_names()[:3]
    ('rmse', 'mse', 'mae')
    """
    return tuple(kind.name for kind in METRICS)


def wished_metrics(wished: Any, default: str | None) -> list[Any]:
    """What ``eval_metric`` asks for: names and functions.

    Nothing, or the word ``loss``, is the metric of the objective, ``default``, if it has one.
    """
    listed = wished if isinstance(wished, list) else ["loss" if wished is None else wished]
    named = [
        default if isinstance(entry, str) and entry.lower() == "loss" else entry for entry in listed
    ]
    return [entry for entry in named if entry]


def find_metric(
    metric: str | Callable[..., Any] | Metric, *, called: str = "metric", **options: Any
) -> Metric:
    """Return the metric of a name, an alias or a function.

    Parameters
    ----------
    metric : str, function or Metric
        A name or alias in any letter case, with a suffix where the metric takes one
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
        # Without a cutoff, precision is that of classes.
        scorer = find_scorer(metric)
        if scorer is not None or kind is None:
            return scorer or _refuse(metric, name, called)
    known = kind.option_names()
    suffixes = (suffix,) if kind.takes_suffix else ()
    return kind(*suffixes, **{name: value for name, value in options.items() if name in known})


def bound_metric(metric: Metric, objective: Objective, classes: NDArray[Any] | None) -> Metric:
    """The metric for models of an objective; of several targets, the mean over them.

    Functions of users get the targets and predictions of all of them at once.
    """
    if not isinstance(objective, Several) or isinstance(metric, CustomMetric | ScorerMetric):
        return metric.bound_to(objective, classes)
    return SeveralMetric(metric.bound_to(objective.of, None))


def is_metric(name: str) -> bool:
    """Whether there is a metric of this name, here or in scikit-learn."""
    plain, _ = _without_suffix(name.lower())
    return plain in (*_BY_NAME, "loss") or find_scorer(name) is not None


def _refuse(metric: Any, name: str, called: str) -> Metric:
    instead = _INSTEAD.get(name.split("@")[0].replace("_", "-"))
    if instead is not None:
        raise InvalidParameterError(
            f"{called} {metric!r} of XGBoost is half of {instead} but for what depends on the "
            f"target alone, and so judges models alike. Give {instead!r}."
        )
    known = {**dict.fromkeys(scorer_names(), 0.95), **dict.fromkeys(_BY_NAME, 1.0)}
    raise InvalidParameterError(
        f"{called} must be the name of a metric, of ceiba or of a scorer of scikit-learn, or a "
        f"function (y_true, y_pred) that returns a number. Got {shown(metric)}. "
        f"{nearest_words(str(metric), known, _NAMES)}"
    )


def _without_suffix(name: str) -> tuple[str, str]:
    """The name of a metric and what follows it; names that nothing may follow as they are."""
    plain = name.split("@")[0].rstrip("-")
    kind = _BY_NAME.get(plain)
    if kind is not None and kind.takes_suffix:
        return plain, name[len(plain) :]
    return name, ""
