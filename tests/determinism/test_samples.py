"""One model in every sampling: for any threads, blocks and shards, and however training is cut."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sharded import Workers, sharded_training

import ceiba
from ceiba import Checkpoint, Dataset, Round, _core, train

N_ROWS = 400
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(N_ROWS, 4))
X[RANDOM.random(X.shape) < 0.1] = np.nan
SCORE = np.nan_to_num(X[:, 0] + X[:, 1] * X[:, 2]) + 0.5 * RANDOM.normal(size=N_ROWS)
WEIGHT = RANDOM.integers(1, 4, N_ROWS).astype(float)
TARGETS = {
    "squared_error": SCORE,
    "logistic": (SCORE > 0).astype(float),
    "softmax": np.digitize(SCORE, [-0.7, 0.7]).astype(float),
    "quantile": SCORE,
    "lambdarank_ndcg": np.digitize(SCORE, [-0.7, 0.7]).astype(float),
}
SAMPLES: dict[str, dict[str, Any]] = {
    "bernoulli": {"subsample": 0.6, "subsample_freq": 2},
    "uniform": {"sampling": "uniform", "subsample": 0.6},
    "goss": {"sampling": "goss", "learning_rate": 0.5},
    "mvs": {"sampling": "mvs", "subsample": 0.5},
    "bayesian": {"sampling": "bayesian"},
    "bootstrap": {"sampling": "bootstrap"},
}
BY_CLASS = {"neg_subsample": 0.4, "sampling": "uniform"}
BY_QUERY = {"sampling": "bootstrap", "sampling_unit": "query"}
SHAPES: list[dict[str, Any]] = [
    {},
    {"grow_policy": "depthwise", "split_method": "approx", "max_depth": 4},
    {"grow_policy": "symmetric", "max_depth": 4},
    {"split_method": "exact", "max_leaves": 6},
]


def rows_of(objective: str, weighted: bool = True) -> Dataset:
    qid = np.arange(N_ROWS) // 10 if objective.startswith("lambda") else None
    return Dataset(X, TARGETS[objective], weight=WEIGHT if weighted else None, qid=qid)


def params_of(objective: str, **given: Any) -> dict[str, Any]:
    params: dict[str, Any] = {"objective": objective, "n_estimators": 6, "min_samples_leaf": 5}
    if objective == "quantile":
        params |= {"quantile": [0.2, 0.5, 0.8], "calibration_folds": 0}
    return {**params, "n_jobs": 1, **given}


CASES = [
    *((objective, sample) for objective in TARGETS for sample in SAMPLES.values()),
    ("logistic", BY_CLASS),
    ("lambdarank_ndcg", BY_QUERY),
]


@pytest.mark.threads
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize(("objective", "sample"), CASES, ids=str)
def test_threads_and_blocks(objective: str, sample: dict[str, Any], shape: dict[str, Any]) -> None:
    given = params_of(objective, **sample, **shape)
    alone = train(given, rows_of(objective)).fingerprint()
    _core.change_settings(chunk_rows=32, serial_below=1, block_rows=16, shard_rows=150)
    if shape.get("split_method", "hist") != "hist":
        _core.change_settings(shard_rows=0)
    again = train({**given, "n_jobs": 3}, rows_of(objective))
    assert again.fingerprint() == alone


@pytest.mark.parametrize("sample", SAMPLES)
def test_rows_that_come_in_blocks(sample: str) -> None:
    given = params_of("logistic", **SAMPLES[sample])
    cuts = [0, 37, 200, N_ROWS]
    pieces = [slice(*cut) for cut in pairwise(cuts)]
    blocks = Dataset.from_blocks((X[piece], TARGETS["logistic"][piece]) for piece in pieces)
    whole = train(given, rows_of("logistic", weighted=False))
    assert train(given, blocks).fingerprint() == whole.fingerprint()


@pytest.mark.parametrize(("objective", "sample"), CASES, ids=str)
def test_in_two_pieces_and_resumed(objective: str, sample: dict[str, Any], tmp_path: Path) -> None:
    given, rows = params_of(objective, **sample), rows_of(objective)
    whole = train(given, rows)
    some = train({**given, "n_estimators": 4}, rows)
    both = train({**given, "n_estimators": 2}, rows, init_model=some)
    assert both.fingerprint() == whole.fingerprint()

    def crash(round: Round) -> None:
        if round.iteration == 3:
            raise RuntimeError("the lights went out")

    path = tmp_path / "training.ceiba"
    with pytest.raises(RuntimeError, match="lights"):
        train(given, rows, callbacks=[Checkpoint(path, every=1), crash])
    assert train(given, rows, resume_from=path).fingerprint() == whole.fingerprint()


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    made = Workers()
    yield made
    made.close()


@pytest.mark.parametrize(("objective", "sample"), CASES, ids=str)
def test_shards_in_other_processes(
    objective: str, sample: dict[str, Any], workers: Workers
) -> None:
    given = params_of(objective, **sample)
    one = ceiba.train(given, rows_of(objective))
    with sharded_training(workers) as (train_sharded, made):
        assert train_sharded(given, rows_of(objective)).fingerprint() == one.fingerprint()
        assert made


@pytest.mark.parametrize("sample", SAMPLES)
def test_seeds_and_samplings_differ(sample: str) -> None:
    """A sample that took no part would leave the model as it is."""
    given = params_of("logistic", **SAMPLES[sample])
    model = train(given, rows_of("logistic")).fingerprint()
    assert train({**given, "seed": 1}, rows_of("logistic")).fingerprint() != model
    rate = {name: given[name] for name in ("learning_rate",) if name in given}
    plain = params_of("logistic", **rate)
    assert train(plain, rows_of("logistic")).fingerprint() != model
