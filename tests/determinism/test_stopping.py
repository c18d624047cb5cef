"""What training watches is free of order too: metrics, the best iteration, the model kept."""

from __future__ import annotations

from typing import Any

import pytest

import ceiba
from ceiba import _core

pytestmark = pytest.mark.threads


@pytest.mark.parametrize("name", ["friedman", "two classes", "five classes"])
def test_early_stopping(make_problem: Any, name: str) -> None:
    both = make_problem(name, 2400).with_weights("real").with_missing()
    params = {
        "objective": both.objective,
        "n_estimators": 60,
        "learning_rate": 0.5,
        "early_stopping_rounds": 3,
        "max_leaves": 8,
    }
    metrics = {
        "squared_error": ["r2", "mae", "rmse"],
        "logistic": ["auc", "accuracy", "logloss"],
        "softmax": ["error", "multi_logloss"],
    }
    params["eval_metric"] = metrics[both.objective]

    def run(n_jobs: int, *, moved: bool = False) -> Any:
        parts = []
        for rows in (slice(0, 1800), slice(1800, None)):
            assert both.weight is not None
            part = type(both)(both.X[rows], both.y[rows], both.objective, both.weight[rows])
            parts.append((part.permuted() if moved else part).dataset())
        return ceiba.train({**params, "n_jobs": n_jobs}, parts[0], eval_sets={"held out": parts[1]})

    usual = run(1)
    assert usual.best_iteration < 59
    _core.change_settings(block_rows=64, chunk_rows=64, serial_below=0)
    for other in (run(3), run(2, moved=True)):
        assert other.fingerprint() == usual.fingerprint()
        assert other.best_iteration == usual.best_iteration
        assert other.history == usual.history
