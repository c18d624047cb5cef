"""One model in every mode of boosting: threads, blocks and the order in which trees are grown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sharded import Workers, sharded_kind

import ceiba
from ceiba import _core

pytestmark = pytest.mark.threads

SMALL = {"block_rows": 64, "chunk_rows": 64, "serial_below": 0}
RANDOM = np.random.default_rng(8)
X = RANDOM.normal(size=(400, 5))
X[RANDOM.random(X.shape) < 0.1] = np.nan
NUMBERS = np.nan_to_num(X[:, 0] + X[:, 1] * X[:, 2]) + 0.3 * RANDOM.normal(size=400)
WEIGHTS = np.exp(RANDOM.normal(size=400))
MODES: dict[str, dict[str, Any]] = {
    "dart": {"boosting": "dart", "skip_drop": 0.0, "drop_rate": 0.4, "subsample": 0.8},
    "dart, as XGBoost": {"booster": "dart", "rate_drop": 0.5, "normalize_type": "forest"},
    "forest": {"boosting": "forest", "subsample": 0.6},
    "forest of extra trees": {"boosting": "forest", "extra_trees": True, "colsample_bynode": 0.6},
    "parallel": {"num_parallel_tree": 3, "subsample": 0.7, "grow_policy": "depthwise"},
    "parallel, symmetric": {
        "num_parallel_tree": 2, "extra_trees": True, "grow_policy": "symmetric", "max_depth": 3,
    },
    "forest of bootstraps": {"boosting": "forest", "sampling": "bootstrap"},
}  # fmt: skip
OBJECTIVES = ("squared_error", "softmax", "absolute_error")


def run(mode: str, objective: str, n_blocks: int = 1, n_jobs: int = 1, kind: Any = None) -> str:
    target = np.digitize(NUMBERS, [-0.5, 0.5]).astype(float) if objective == "softmax" else NUMBERS
    if n_blocks == 1:
        dataset = ceiba.Dataset(X, target, weight=WEIGHTS)
    else:
        parts = np.array_split(np.arange(400), n_blocks)
        dataset = ceiba.Dataset.from_blocks(
            (X[part], target[part], WEIGHTS[part]) for part in parts
        )
    if kind is not None:
        dataset.__class__ = kind
    given = {"objective": objective, "n_estimators": 5, "max_leaves": 8, "n_jobs": n_jobs}
    return ceiba.train({**given, **MODES[mode]}, dataset).fingerprint()


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("mode", MODES)
def test_threads_and_blocks(mode: str, objective: str) -> None:
    expected = run(mode, objective)
    _core.change_settings(**SMALL)
    assert {run(mode, objective, *how) for how in ((1, 2), (3, 3), (7, 1))} == {expected}


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    made = Workers()
    yield made
    made.close()


@pytest.mark.parametrize("mode", MODES)
def test_shards_in_other_processes(mode: str, workers: Workers) -> None:
    made: list[Any] = []
    objective = "softmax" if mode.startswith("parallel") else "squared_error"
    assert run(mode, objective, kind=sharded_kind(workers, made)) == run(mode, objective)
    assert made
    for exchange in made:
        exchange.close()
