"""One model for every objective of the list, and for one given as a function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ceiba import _core
from ceiba.objectives import OBJECTIVES, find_objective
from ceiba.testing.targets import example_target

pytestmark = pytest.mark.threads

SMALL = {"block_rows": 64, "chunk_rows": 64, "serial_below": 0}
N_ROWS = 900


def pseudo_huber(y_true: Any, raw_score: Any) -> tuple[Any, Any]:
    residual = raw_score - y_true
    root = np.sqrt(1.0 + residual * residual)
    return residual / root, 1.0 / (root * root * root)


CASES: dict[str, tuple[str | Callable[..., Any], dict[str, Any]]] = {
    **{kind.name: (kind.name, {}) for kind in OBJECTIVES if kind.task != "ranking"},
    "softmax, Friedman's leaves": ("softmax", {"leaf_rule": "friedman"}),
    "logistic, leaves of several steps": ("logistic", {"leaf_iterations": 3}),
    "gamma, leaves of several steps": ("gamma", {"leaf_iterations": 3}),
    "poisson, as XGBoost": ("poisson", {"recipe": "xgboost"}),
    "pseudo_huber, as XGBoost": ("pseudo_huber", {"recipe": "xgboost", "huber_delta": 2.0}),
    "squared_log_error, as XGBoost": ("squared_log_error", {"recipe": "xgboost"}),
    "function": (pseudo_huber, {}),
}


@pytest.mark.parametrize("weights", [None, "whole", "real"])
@pytest.mark.parametrize("case", CASES)
def test_every_objective(make_problem: Any, case: str, weights: str | None) -> None:
    objective, params = CASES[case]
    target = example_target(find_objective(objective), N_ROWS)
    problem = replace(make_problem("friedman", N_ROWS), y=target, objective=objective)
    if weights is not None:
        problem = problem.with_weights(weights)
    problem = problem.with_missing()
    found = {"usual": problem.train(params).fingerprint()}
    found["2 threads"] = problem.train({**params, "n_jobs": 2}).fingerprint()
    _core.change_settings(**SMALL)
    for n_threads in (1, 3, 7):
        model = problem.train({**params, "n_jobs": n_threads})
        found[f"small sizes, {n_threads} threads"] = model.fingerprint()
    params = {**params, "n_jobs": 2}
    found["blocks"] = problem.train(params, n_blocks=7).fingerprint()
    found["other order"] = problem.permuted().train(params).fingerprint()
    _core.change_settings(shard_rows=100)
    _core.set_avx2(not _core.uses_avx2())
    found["other kernels, shards"] = problem.train(params).fingerprint()
    assert len(set(found.values())) == 1, found
