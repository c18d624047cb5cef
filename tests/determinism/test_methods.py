"""One model for every objective under every split method, and under every constraint."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ceiba
from ceiba import _core
from ceiba.objectives import OBJECTIVES, find_objective
from ceiba.testing.targets import example_target

pytestmark = pytest.mark.threads

SMALL = {"block_rows": 64, "chunk_rows": 64, "serial_below": 0}
N_ROWS = 300
ALL_ROWS = np.arange(N_ROWS)
METHODS: dict[str, dict[str, Any]] = {
    "hist": {"split_method": "hist"},
    "exact": {"split_method": "exact"},
    "approx, by tree": {"split_method": "approx", "sketch_eps": 0.05},
    "approx, by node": {"split_method": "approx", "sketch_eps": 0.05, "approx_scope": "node"},
}
POLICIES = {
    "leafwise": {"grow_policy": "leafwise", "max_leaves": 8},
    "depthwise": {"grow_policy": "depthwise", "max_depth": 3},
    "symmetric": {"grow_policy": "symmetric", "max_depth": 3},
}
CONSTRAINTS: dict[str, dict[str, Any]] = {
    "monotone": {"monotone_constraints": [1, -1, 0, 1, 0]},
    "interactions": {"interaction_constraints": [[0, 1], [2, 3], [4]]},
    "feature weights": {"feature_weights": [3, 1, 1, 0, 2], "colsample_bynode": 0.6},
    "pruning": {"prune": "after", "min_split_gain": 0.5},
    "gbm": {"recipe": "gbm", "min_samples_split": 30, "max_features": 3},
    "penalties": {"max_delta_step": 0.3, "reg_alpha": 0.5, "min_child_weight": 2.0},
    "sampled": {"subsample": 0.7, "colsample_bytree": 0.8, "colsample_bylevel": 0.8},
}


def make_table() -> Any:
    """Return a column of few values, two with missing ones and two without, all of float32."""
    random = np.random.default_rng(3)
    X = random.normal(size=(N_ROWS, 5)).astype(np.float32).astype(np.float64)
    X[:, 1] = np.round(X[:, 1])
    X[random.random(X.shape) < [0.0, 0.1, 0.0, 0.3, 0.0]] = np.nan
    return X


X = make_table()
WEIGHTS = np.exp(np.random.default_rng(4).normal(size=N_ROWS))
QUERIES = np.random.default_rng(5).integers(0, 40, size=N_ROWS)


def target_of(name: str) -> Any:
    objective = find_objective(name)
    noise = example_target(objective, N_ROWS)
    if objective.task == "ranking":
        return np.clip(np.round(noise), 0.0, 4.0)
    # Sorting what the noise holds by a column gives trees something to find, in every domain.
    target = np.empty(N_ROWS)
    target[np.argsort(X[:, 0] + 0.5 * X[:, 2] * X[:, 4])] = np.sort(noise)
    moved = np.random.default_rng(6).random(N_ROWS) < 0.3
    target[moved] = np.random.default_rng(7).permutation(target[moved])
    return target


def train(target: Any, params: dict[str, Any], rows: Any, n_blocks: int, n_jobs: int) -> str:
    ranking = find_objective(params["objective"]).task == "ranking"
    if n_blocks == 1:
        qid = QUERIES[rows] if ranking else None
        dataset = ceiba.Dataset(X[rows], target[rows], weight=WEIGHTS[rows], qid=qid)
    else:
        dataset = ceiba.Dataset.from_blocks(
            (X[part], target[part], WEIGHTS[part], QUERIES[part] if ranking else None)
            for part in np.array_split(rows, n_blocks)
        )
    given = {"n_estimators": 2, "min_samples_leaf": 4, "n_jobs": n_jobs, **params}
    return ceiba.train(given, dataset).fingerprint()


def assert_one_fingerprint(params: dict[str, Any], order_matters: bool = False) -> str:
    """Train in many ways; a sample of rows depends on their order, and nothing else does."""
    target = target_of(params["objective"])
    order = ALL_ROWS if order_matters else np.random.default_rng(8).permutation(N_ROWS)
    found = {"usual": train(target, params, ALL_ROWS, 1, 1)}
    _core.change_settings(**SMALL)
    _core.reset_counters()
    found["3 threads"] = train(target, params, ALL_ROWS, 1, 3)
    assert _core.counters()["parallel_jobs"] > 0
    found["7 threads, 5 blocks"] = train(target, params, ALL_ROWS, 5, 7)
    found["other order"] = train(target, params, order, 1, 2)
    _core.set_avx2(not _core.uses_avx2())
    if params["split_method"] != "exact":  # which needs all rows in one shard
        _core.change_settings(shard_rows=100)
    found["other kernels, shards"] = train(target, params, ALL_ROWS, 3, 2)
    others = {how for how, fingerprint in found.items() if fingerprint != found["usual"]}
    assert not others
    return found["usual"]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("objective", [kind.name for kind in OBJECTIVES])
def test_every_objective(objective: str, method: str, policy: str) -> None:
    assert_one_fingerprint({"objective": objective, **METHODS[method], **POLICIES[policy]})


@pytest.mark.parametrize("constraint", CONSTRAINTS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("objective", [kind.name for kind in OBJECTIVES])
def test_every_constraint(objective: str, method: str, constraint: str) -> None:
    growth = {} if constraint == "gbm" else POLICIES["leafwise"]
    params = {"objective": objective, **growth, **CONSTRAINTS[constraint], **METHODS[method]}
    assert_one_fingerprint(params, order_matters=constraint == "sampled")


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("method", METHODS)
def test_all_constraints_together(method: str, policy: str) -> None:
    plain = {"objective": "logistic", **METHODS[method], **POLICIES[policy]}
    usual = train(target_of("logistic"), plain, ALL_ROWS, 1, 1)
    together = ("monotone", "interactions", "feature weights", "pruning", "penalties")
    params = {**plain, **{k: v for name in together for k, v in CONSTRAINTS[name].items()}}
    assert assert_one_fingerprint(params) != usual
