"""What tests of reports share: a table, models of every task, and their cases."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ceiba.reporting.case import Case
from ceiba.reporting.clock import Clock
from ceiba.reporting.rows import read_rows
from ceiba.reporting.subject import subject_of
from ceiba.reporting.write import _case

N_ROWS, N_TRAIN = 600, 300
TASKS = ("regression", "quantiles", "targets", "binary", "multiclass", "multilabel", "ranking")
OTHERS = ("forest", "two_scores", "linear_tree", "boosted_linear", "one_quantile")


@cache
def table() -> Any:
    """Return numbers with gaps, a category, dates; the target depends on the first two."""
    import pandas as pd

    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": random.integers(18, 90, N_ROWS).astype(float),
            "city": random.choice(["Oslo", "Paris", "<b>Rome</b>"], N_ROWS, p=[0.3, 0.3, 0.4]),
            "since": pd.Timestamp("2024-01-01")
            + pd.to_timedelta(random.integers(0, 200, N_ROWS), "D"),
            "noise": random.normal(size=N_ROWS),
        }
    )
    frame.loc[random.random(N_ROWS) < 0.1, "noise"] = np.nan
    return frame


@cache
def score() -> Any:
    """Return a number per row, noisier in Oslo."""
    frame = table()
    spread = np.where(frame["city"] == "Oslo", 3.0, 0.3)
    noise = np.random.default_rng(1).normal(size=N_ROWS) * spread
    return ((frame["age"] - 54) / 15 + (frame["city"] == "Paris") + noise).to_numpy()


@cache
def target_of(kind: str) -> Any:
    """Return the target of a kind of model."""
    import pandas as pd

    found = score()
    if kind in ("binary", "forest", "boosted_linear"):
        return np.where(found > 0, "yes", "no")
    if kind == "two_scores":
        return (found > 0).astype(float)
    if kind == "multiclass":
        return np.array(["low", "middle", "high"])[np.digitize(found, [-1, 1])]
    if kind == "multilabel":
        return pd.DataFrame({"high": found > 0, "old": table()["age"] > 60}).astype(int)
    if kind == "targets":
        return np.column_stack([found, -found + table()["age"]])
    return np.digitize(found, [-1, 0, 1]) if kind == "ranking" else found


def rows_of_queries() -> dict[str, Any]:
    """Return the argument that names the query of each judged row."""
    return {"qid": [f"query {k // 15}" for k in range(N_ROWS - N_TRAIN)]}


@cache
def model_of(kind: str) -> Any:
    """Return a model of this kind, trained on the first rows."""
    import ceiba

    X, y = part(table(), True), part(target_of(kind), True)
    if kind == "two_scores":
        objective = {"objective": "softmax", "n_classes": 2, "n_estimators": 10}
        return ceiba.train(objective, ceiba.Dataset(X, y))
    if kind == "ranking":
        return ceiba.CeibaRanker(n_estimators=10).fit(X, y, qid=np.arange(N_TRAIN) // 15)
    quantiles = {"quantiles": [0.1, 0.5, 0.9], "one_quantile": 0.9}
    if kind in quantiles:
        how = {"objective": "quantile", "quantile": quantiles[kind]}
        return ceiba.CeibaRegressor(n_estimators=10, **how).fit(X, y)
    if kind == "forest":
        return ceiba.CeibaForestClassifier(n_estimators=10).fit(X, y)
    if kind == "linear_tree":
        return ceiba.LinearTreeRegressor(max_depth=2).fit(X, y)
    if kind == "boosted_linear":
        return ceiba.BoostedLinearClassifier(n_estimators=5).fit(X, y)
    classes = kind in ("binary", "multiclass", "multilabel")
    estimator = ceiba.CeibaClassifier if classes else ceiba.CeibaRegressor
    return estimator(n_estimators=10).fit(X, y)


def part(values: Any, is_train: bool) -> Any:
    """Return the rows to train on, or those to judge."""
    chosen = slice(0, N_TRAIN) if is_train else slice(N_TRAIN, None)
    return values.iloc[chosen].reset_index(drop=True) if hasattr(values, "iloc") else values[chosen]


def judged(kind: str) -> tuple[Any, Any]:
    """Return the rows to judge and their target."""
    return part(table(), False), part(target_of(kind), False)


@cache
def case_of(kind: str, with_train: bool = False) -> Case:
    """Return the case of a kind of model."""
    subject = subject_of(model_of(kind))
    X, y = judged(kind)
    rows = read_rows(subject, X, y, **(rows_of_queries() if kind == "ranking" else {}))
    train = None
    if with_train:
        own = part(table(), True), part(target_of(kind), True)
        train = read_rows(subject, *own, needs_target=False)
    return _case(subject, rows, train, Clock(60.0, 1, bar=False))
