"""One model also where leaves are order statistics of the residuals of their rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ceiba import _core

pytestmark = pytest.mark.threads

SMALL = {"block_rows": 64, "chunk_rows": 64, "serial_below": 0}
USUAL = {"block_rows": 4096, "chunk_rows": 16384, "serial_below": 32768, "shard_rows": 0}
LOSSES: dict[str, dict[str, Any]] = {
    "absolute_error": {"objective": "absolute_error"},
    "huber": {"objective": "huber"},
    "huber, fixed": {"objective": "huber", "huber_delta": 0.5},
    "huber, friedman": {"objective": "huber", "leaf_rule": "friedman"},
    "quantile": {"objective": "quantile", "quantile": 0.8},
    "quantiles": {"objective": "quantile", "quantile": [0.1, 0.5, 0.9]},
}


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("condition", ["plain", "whole", "real", "equal values", "sampled"])
@pytest.mark.parametrize("name", ["friedman", "heavy tail"])
def test_one_fingerprint(make_problem: Any, name: str, condition: str, loss: str) -> None:
    problem = make_problem(name, 700)
    params: dict[str, Any] = {**LOSSES[loss], "max_leaves": 8}
    if condition in ("whole", "real"):
        problem = problem.with_weights(condition).with_missing()
    if condition == "equal values":
        problem = replace(problem, y=np.round(problem.y.clip(-3, 3)) * 0.5)
    if condition == "sampled":
        params["subsample"] = 0.6
    found = {"usual": problem.train(params).fingerprint()}
    _core.change_settings(**SMALL)
    _core.reset_counters()
    for n_threads in (1, 2, 4, 8):
        found[f"{n_threads} threads"] = problem.train({**params, "n_jobs": n_threads}).fingerprint()
    assert _core.counters()["parallel_jobs"] > 0
    for n_blocks in (3, 10):
        model = problem.train({**params, "n_jobs": 2}, n_blocks=n_blocks)
        found[f"{n_blocks} blocks"] = model.fingerprint()
    if condition != "sampled":
        for seed in (9, 10):
            model = problem.permuted(seed).train({**params, "n_jobs": 4})
            found[f"order {seed}"] = model.fingerprint()
    found["float32"] = problem.train(params, dtype=np.float32).fingerprint()
    _core.change_settings(shard_rows=100)
    found["shards"] = problem.train(params).fingerprint()
    _core.set_avx2(not _core.uses_avx2())
    found["other kernels"] = problem.train({**params, "n_jobs": 2}).fingerprint()
    _core.change_settings(**USUAL)
    if condition == "whole":
        times = problem.weight.astype(int)
        repeated = replace(
            problem,
            X=np.repeat(problem.X, times, axis=0),
            y=np.repeat(problem.y, times),
            weight=None,
        )
        found["repeated rows"] = repeated.train(params).fingerprint()
    others = {how for how, fingerprint in found.items() if fingerprint != found["usual"]}
    assert not others


@pytest.mark.parametrize("loss", LOSSES)
def test_a_table_large_enough_for_usual_threads(make_problem: Any, loss: str) -> None:
    problem = make_problem("heavy tail", 60_000).with_weights("real")
    params: dict[str, Any] = {**LOSSES[loss], "n_estimators": 2}
    usual = problem.train(params).fingerprint()
    for n_threads in (2, 8):
        assert problem.train({**params, "n_jobs": n_threads}).fingerprint() == usual
    assert problem.permuted().train({**params, "n_jobs": 2}).fingerprint() == usual
