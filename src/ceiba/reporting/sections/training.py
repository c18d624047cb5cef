"""Section "Training": the size of the model, its learning curves, the decisions of recipe auto."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from ceiba import plot
from ceiba.errors import CeibaError
from ceiba.metrics import Metric
from ceiba.plot.style import colour_of, dress, legend
from ceiba.reporting.blocks import Block, Grid, Picture, Pictures, Section, Words
from ceiba.reporting.case import Case, measured, plural
from ceiba.reporting.drawing import drawn
from ceiba.reporting.rows import Rows
from ceiba.reporting.sections.scores import metrics_of

__all__ = ["section"]

_MOST_ROWS = 5000
_LEAST_ROWS = 100
_POINTS = 60
_MOST_METRICS = 3


def section(case: Case) -> Section:
    """Return facts of the training, curves and decisions."""
    blocks: list[Block] = [_facts(case)]
    if not case.subject.is_hybrid:
        pictures = _history(case)
        staged = _staged(case)
        pictures += [] if staged is None else [staged]
        if pictures:
            blocks.append(Pictures(pictures))
        blocks += _decisions(case)
    else:
        blocks.append(Words("Hybrid models have no boosting rounds, and so no learning curve."))
    return Section("training", "Training", blocks)


def _facts(case: Case) -> Grid:
    subject, model = case.subject, case.subject.model
    facts = [["Model", subject.name]]
    if not subject.is_hybrid:
        parameters = model.parameters
        trees = model.trees()
        n_leaves = trees.n_nodes - int(np.count_nonzero(trees.feature >= 0))
        facts += [
            ["Objective", subject.model.objective.label],
            ["Recipe", str(parameters.get("recipe", "auto"))],
            ["Iterations", f"{model.n_iterations:,}"],
            ["Trees", f"{model.n_trees:,}"],
            ["Leaves of a tree, mean", measured(n_leaves / max(1, model.n_trees), 3)],
        ]
        if parameters.get("learning_rate") is not None:
            facts.append(["Learning rate", _short(parameters["learning_rate"])])
        for name, metrics in model.best_score.items():
            text = ", ".join(f"{metric} {measured(value)}" for metric, value in metrics.items())
            facts.append([f"Best score, eval set {name}", text])
    facts += [["Columns", f"{case.schema.n_features:,}"]]
    n_categories = sum(kind == "category" for kind in case.schema.kinds)
    facts += [["Categorical columns", f"{n_categories:,}"]]
    return Grid("The model", ["Fact", "Value"], facts, texts=frozenset({0, 1}))


def _short(value: Any) -> str:
    return measured(float(value)) if isinstance(value, int | float) else "changes by iteration"


def _history(case: Case) -> list[Picture]:
    """Return the metrics of the eval sets over the iterations."""
    model = case.subject.model
    names = list(dict.fromkeys(name for metrics in model.history.values() for name in metrics))
    sets = ", ".join(model.history)
    return [
        drawn(
            partial(_training, model, name),
            f"Metric {name} of {sets} over the iterations of the training.",
            f"{name} of {plural(len(model.history), 'eval set')} during the training.",
        )
        for name in names[:_MOST_METRICS]
    ]


def _training(model: Any, name: str, ax: Any) -> None:
    plot.training(model, name, axes=ax)


def _staged(case: Case) -> Picture | None:
    """Return a metric of these rows (and the training rows) after 1, 2, … iterations."""
    subject, n = case.subject, case.subject.model.n_iterations
    metrics = metrics_of(subject, case.rows)
    # A loss shows overfitting earlier than an area or a share.
    lower = [own for own in metrics if not own.higher_is_better]
    metric = next(iter([*lower, *metrics]), None)
    if metric is None or n < 2:
        return None
    limit = case.clock.rows(4.0 * case.seconds_per_row, 0.1, _LEAST_ROWS, _MOST_ROWS)
    sets = {"these rows": case.rows.first(limit)}
    if case.train is not None and case.train.target is not None:
        sets["training rows"] = case.train.first(limit)
    wished = set(np.unique(np.linspace(0, n - 1, _POINTS).astype(int)).tolist())
    curves = {name: _curve(case, rows, metric, wished) for name, rows in sets.items()}
    points = sorted(wished)

    def draw(ax: Any) -> None:
        for place, (name, values) in enumerate(curves.items()):
            ax.plot(points, values, label=name, linewidth=1.7, **colour_of(place))
        title = f"{metric.name} after so many iterations"
        dress(ax, title=title, x="iteration (counted from 0)", y=metric.name)
        legend(ax, len(curves), loc="best")

    last = next(iter(curves.values()))[-1]
    return drawn(
        draw,
        f"{metric.name} of these rows after each iteration; {measured(last)} at the end.",
        "A curve that rises again at the end means too many iterations.",
    )


def _curve(case: Case, rows: Rows, metric: Metric, wished: set[int]) -> list[float]:
    bound = metric.for_queries(rows.queries)
    values = []
    for iteration, own in enumerate(case.subject.staged(rows.table)):
        if iteration not in wished:
            continue
        try:
            value = bound(rows.known_target, own.raw, own.prediction, rows.weights)
        except CeibaError:
            value = math.nan
        values.append(float(value))
    return values


def _decisions(case: Case) -> list[Block]:
    decisions = case.subject.model.decisions()
    if not len(decisions):
        return []
    cells = [
        [own.question, own.chosen, own.against or "–", own.evidence or "–", own.cost or "–"]
        for own in decisions
    ]
    header = ["Question", "Chosen", "Instead of", "Because", "Cost"]
    return [Grid("What recipe auto decided", header, cells, texts=frozenset(range(5)))]
