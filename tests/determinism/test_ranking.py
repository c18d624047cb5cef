"""One model of rankings: rows of a query anywhere, any order, threads and blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ceiba
from ceiba import _core

pytestmark = pytest.mark.threads

SMALL = {"block_rows": 64, "chunk_rows": 64, "serial_below": 0}
RANDOM = np.random.default_rng(0)
QID = np.repeat(np.arange(80), RANDOM.integers(1, 40, 80))
X = RANDOM.normal(size=(len(QID), 6))
X[:, 1] = np.round(X[:, 1])
Y = np.digitize(np.sin(2 * X[:, 0]) + X[:, 1] + RANDOM.normal(size=len(QID)), [0.5, 1.5, 2.5]) * 1.0
WEIGHTS = {
    "plain": None,
    "whole": RANDOM.integers(1, 4, len(QID)).astype(float),
    "real": RANDOM.gamma(1.0, size=len(QID)),
}


def fingerprint(rows: Any, weights: Any, n_blocks: int = 1, **params: Any) -> str:
    weight = None if weights is None else weights[rows]
    if n_blocks == 1:
        dataset = ceiba.Dataset(X[rows], Y[rows], weight=weight, qid=QID[rows])
    else:
        dataset = ceiba.Dataset.from_blocks(
            (X[part], Y[part], None if weights is None else weights[part], QID[part])
            for part in np.array_split(rows, n_blocks)
        )
    given = {"n_estimators": 8, "min_samples_leaf": 5, "n_jobs": 1, **params}
    # Early stopping reads the metric, so that must be one value too.
    model = ceiba.train({**given, "early_stopping_rounds": 8}, dataset, eval_sets=[dataset])
    history = {name: values[-1] for name, values in model.history["validation_0"].items()}
    return f"{model.fingerprint()} {history}"


@pytest.mark.parametrize("condition", WEIGHTS)
@pytest.mark.parametrize("norm", [True, False])
@pytest.mark.parametrize("objective", ["pairwise", "lambdarank_ndcg", "lambdarank_map"])
def test_one_model(objective: str, norm: bool, condition: str) -> None:
    params = {"objective": objective, "lambdarank_norm": norm, "eval_metric": ["map@5", "ndcg"]}
    weights, rows = WEIGHTS[condition], np.arange(len(QID))
    expected = fingerprint(rows, weights, **params)
    found = {}
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(rows)
        found[f"order {seed}"] = fingerprint(order, weights, **params)
        found[f"order {seed}, blocks"] = fingerprint(order, weights, 7, **params)
    _core.change_settings(**SMALL)
    for n_threads in (1, 2, 3, 7):
        found[f"{n_threads} threads"] = fingerprint(rows, weights, **params, n_jobs=n_threads)
    _core.change_settings(shard_rows=100)
    _core.set_avx2(not _core.uses_avx2())
    found["shards, other kernels"] = fingerprint(rows, weights, 3, **params, n_jobs=2)
    assert {how for how, one in found.items() if one != expected} == set()
