"""Section "Scores": metrics with bootstrap intervals, beside those of a constant prediction."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import CeibaError
from ceiba.metrics import Metric, bound_metric, find_metric, is_metric
from ceiba.reporting.blocks import Finding, Grid, Section, Words
from ceiba.reporting.case import Case, measured, plural
from ceiba.reporting.rows import Rows
from ceiba.reporting.subject import Predicted, Subject

__all__ = ["Interval", "bootstrap", "constant_prediction", "metrics_of", "section"]

Floats = NDArray[np.float64]
Interval = tuple[float, float]

#: Metrics of each task, the most telling first.
_NAMES = {
    "regression": ("rmse", "mae", "r2"),
    "quantiles": ("quantile",),
    "targets": ("rmse", "mae", "r2"),
    "binary": ("auc", "average_precision", "logloss", "brier", "accuracy", "f1"),
    "multiclass": ("accuracy", "balanced_accuracy", "multi_logloss", "multi_auc", "brier"),
    "multilabel": ("auc", "average_precision", "logloss", "brier", "accuracy"),
    "ranking": ("ndcg", "ndcg@5", "ndcg@10", "map", "mrr"),
}
#: What a metric means to a reader who does not know its name.
_MEANING = {
    "rmse": "root mean squared error, in units of the target; large errors count most",
    "mae": "mean absolute error, in units of the target",
    "r2": "share of the variance that the model explains; 0 is a constant, 1 is perfect",
    "quantile": "quantile loss, mean over the levels",
    "auc": "chance that a random row of the second class has the higher score; 0.5 is guessing",
    "average_precision": "mean precision over all recalls; guessing gives the share of the class",
    "logloss": "mean of −log(probability of the true class); it punishes confident errors",
    "multi_logloss": "mean of −log(probability of the true class); it punishes confident errors",
    "brier": "mean squared error of the probabilities",
    "accuracy": "share of rows whose class is predicted",
    "balanced_accuracy": "mean over the classes of the share of their rows that is found",
    "f1": "harmonic mean of precision and recall of the second class, at threshold 0.5",
    "multi_auc": "AUC of each class against each other, averaged",
    "ndcg": "order of each query, top positions count most; 1 is perfect",
    "ndcg@5": "the same for the first 5 rows of each query",
    "ndcg@10": "the same for the first 10 rows of each query",
    "map": "mean over queries of the precision at every relevant row",
    "mrr": "mean over queries of 1 / position of the first relevant row",
}
_RESAMPLES = 300
_LEAST_RESAMPLES = 50
#: Rows of a resample; the width of the interval is scaled to all rows (m out of n bootstrap).
_MOST_ROWS = 20_000
#: A metric that fails in more resamples has no interval.
_MOST_FAILURES = 0.2


def section(case: Case) -> Section:
    """Return the scores of the model, of a constant prediction and of the training rows."""
    subject, rows = case.subject, case.rows
    metrics = metrics_of(subject, rows)
    points = [_score(metric, rows, rows.predicted) for metric in metrics]
    intervals, n_resamples, n_used = bootstrap(case, metrics)
    constant = constant_prediction(subject, rows)
    train = case.train if case.train is not None and case.train.target is not None else None
    header = ["Metric", "Score", "95 % interval"]
    header += ["Constant prediction"] if constant is not None else []
    header += ["Training rows"] if train is not None else []
    cells = []
    for metric, point, interval in zip(metrics, points, intervals, strict=True):
        own = [metric.name, measured(point), _range(interval)]
        own += [measured(_score(metric, rows, constant))] if constant is not None else []
        own += [measured(_score(metric, train, train.predicted))] if train is not None else []
        better = "higher is better" if metric.higher_is_better else "lower is better"
        meaning = _MEANING.get(metric.name, "")
        cells.append([*own, f"{meaning}; {better}" if meaning else better])
    what = plural(rows.n_rows, "row")
    if rows.queries is not None:
        what = f"{plural(rows.queries.n_queries, 'query', 'queries')} with {what}"
    unit = "queries" if rows.queries is not None else "rows"
    note = f"Scores of {what}. Intervals from {n_resamples} bootstrap samples of {n_used:,} {unit}."
    if constant is not None:
        note += (
            " The constant prediction is the best one for these rows that reads no column: what a"
            " model must beat."
        )
    grid = Grid("Scores", [*header, "Meaning"], cells, texts=frozenset({0, len(header)}), note=note)
    return Section(
        "scores", "Scores", [grid, *_per_target(case)], _findings(metrics, points, intervals, case)
    )


def metrics_of(subject: Subject, rows: Rows) -> list[Metric]:
    """Return the metrics of the task, then those of the training, as far as they have a value."""
    wished = [*_NAMES[subject.task], subject.objective.default_metric]
    if not subject.is_hybrid:
        given = subject.model.parameters.get("eval_metric")
        named = given if isinstance(given, list) else [given]
        wished += [name for name in named if isinstance(name, str) and is_metric(name)]
    metrics: dict[str, Metric] = {}
    for name in wished:
        try:
            metric = subject.metric(name)
            known = _score(metric, rows, rows.predicted)
        except CeibaError:
            continue
        if not math.isnan(known):
            metrics.setdefault(metric.name, metric)
    return list(metrics.values())


def _score(
    metric: Metric, rows: Rows, predicted: Predicted, weights: Floats | None = None
) -> float:
    """Return a metric of predictions for the rows; NaN if it has no value for them."""
    weights = rows.weights if weights is None else weights
    bound = metric.for_queries(rows.queries)
    try:
        return float(bound(rows.known_target, predicted.raw, predicted.prediction, weights))
    except CeibaError:  # for example AUC of rows of one class
        return math.nan


def constant_prediction(subject: Subject, rows: Rows) -> Predicted | None:
    """Return the best prediction for these rows that is the same for all of them."""
    target, weights, n = rows.known_target, rows.weights, rows.n_rows
    mean = np.average(target, axis=0, weights=weights)
    if subject.task == "ranking":
        return None
    if subject.task == "quantiles":
        values = np.tile(np.quantile(target, subject.levels), (n, 1))
        return Predicted(values, values if values.shape[1] > 1 else values[:, 0])
    if subject.task == "multiclass":
        assert subject.classes is not None
        counts = np.bincount(target.astype(int), weights=weights, minlength=len(subject.classes))
        shares = np.tile(counts / counts.sum(), (n, 1))
        return Predicted(np.log(np.maximum(shares, 1e-15)), shares)
    if subject.task in ("binary", "multilabel"):
        inner = np.clip(np.atleast_1d(mean), 1e-15, 1.0 - 1e-15)
        raw = np.tile(np.log(inner / (1.0 - inner)), (n, 1))
        chances = np.tile(np.atleast_1d(mean), (n, 1))
        return Predicted(raw, chances[:, 0] if subject.task == "binary" else chances)
    values = np.tile(np.atleast_1d(mean), (n, 1))
    return Predicted(values, values if subject.task == "targets" else values[:, 0])


def bootstrap(case: Case, metrics: Sequence[Metric]) -> tuple[list[Interval | None], int, int]:
    """Return an interval per metric, the number of resamples and their number of rows.

    Rows, or queries of a ranking model, are drawn with replacement.
    """
    rows = case.rows.first(_MOST_ROWS)
    n_all, queries = case.rows.n_rows, rows.queries
    n = rows.n_rows
    if queries is not None and case.rows.queries is not None:
        n, n_all = queries.n_queries, case.rows.queries.n_queries
    own = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    random = np.random.default_rng(case.seed)
    until = time.perf_counter() + case.clock.seconds(0.12)
    found: list[list[float]] = []
    while len(found) < _RESAMPLES and n > 1:
        if len(found) >= _LEAST_RESAMPLES and time.perf_counter() > until:
            break
        counts = np.bincount(random.integers(n, size=n), minlength=n).astype(np.float64)
        weights = own * (counts if queries is None else counts[queries.numbers])
        found.append([_score(metric, rows, rows.predicted, weights) for metric in metrics])
    values = np.array(found).reshape(len(found), len(metrics))
    narrower = math.sqrt(n / max(n, n_all))
    intervals: list[Interval | None] = []
    for k, metric in enumerate(metrics):
        known = values[:, k][~np.isnan(values[:, k])]
        if len(known) < max(2, (1.0 - _MOST_FAILURES) * len(values)):
            intervals.append(None)
            continue
        whole = _score(metric, case.rows, case.rows.predicted)
        center = _score(metric, rows, rows.predicted)
        low, high = np.quantile(known, (0.025, 0.975))
        intervals.append((whole + narrower * (low - center), whole + narrower * (high - center)))
    return intervals, len(found), n


def _range(interval: Interval | None) -> str:
    return "–" if interval is None else f"{measured(interval[0])} to {measured(interval[1])}"


def _per_target(case: Case) -> list[Grid | Words]:
    """Return the scores of each target or label, if there are several."""
    subject, rows = case.subject, case.rows
    if subject.task not in ("targets", "multilabel"):
        return []
    names = ["rmse", "mae", "r2"] if subject.task == "targets" else ["auc", "average_precision"]
    of_one = subject.objective.of  # type: ignore[attr-defined]
    cells = []
    for k, name in enumerate(rows.target_names):
        own = [name]
        for metric in (bound_metric(find_metric(one), of_one, None) for one in names):
            parts = [rows.known_target[:, k], rows.predicted.raw[:, k : k + 1]]
            arrays = [np.ascontiguousarray(part) for part in parts]
            try:
                last = np.ascontiguousarray(rows.predicted.prediction[:, k])
                own.append(measured(float(metric(arrays[0], arrays[1], last, rows.weights))))
            except CeibaError:
                own.append("–")
        cells.append(own)
    what = "target" if subject.task == "targets" else "label"
    return [Grid(f"Scores of each {what}", [what.capitalize(), *names], cells)]


def _findings(
    metrics: list[Metric], points: list[float], intervals: list[Interval | None], case: Case
) -> list[Finding]:
    if not metrics:
        return []
    metric, point, interval = metrics[0], points[0], intervals[0]
    text = f"{_called(metric.name)} is {measured(point)}"
    text += f" (95 % interval {_range(interval)})" if interval is not None else ""
    findings = []
    constant = constant_prediction(case.subject, case.rows)
    if constant is not None:
        other = _score(metric, case.rows, constant)
        text += f"; a constant prediction has {measured(other)}"
        if not (point > other if metric.higher_is_better else point < other):
            told = f"The model is no better than a constant prediction in {_called(metric.name)}."
            findings.append(Finding(told, "warning"))
    train = case.train
    if train is not None and train.target is not None:
        own = _score(metric, train, train.predicted)
        text += f", and on the training rows it is {measured(own)}"
    return [Finding(f"{text}."), *findings]


def _called(name: str) -> str:
    """Return the name of a metric as it is written in texts: AUC, RMSE, average precision."""
    return name.upper() if len(name) <= 4 else name.replace("_", " ").capitalize()
