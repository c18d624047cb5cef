"""Shards in this process: any division of the rows gives the model of one table."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import ceiba
from ceiba.boosting.shards.exchange import ShardExchange
from ceiba.boosting.shards.input import ShardInput, divided_eval_set

N_ROWS = 150
RANDOM = np.random.default_rng(5)
X = RANDOM.normal(size=(N_ROWS, 3))
X[RANDOM.random(X.shape) < 0.1] = np.nan
SCORE = np.nan_to_num(X[:, 0] * 2.0 - X[:, 1]) + RANDOM.normal(size=N_ROWS)
WEIGHT = np.exp(RANDOM.normal(size=N_ROWS))
DIVISIONS = {
    "one": [np.arange(N_ROWS)],
    "two": [np.arange(40), np.arange(40, N_ROWS)],
    "alternating": [np.arange(place, N_ROWS, 3) for place in range(3)],
    "one of them empty": [np.arange(60), np.arange(0), np.arange(60, N_ROWS)],
}
CASES: dict[str, dict[str, Any]] = {
    "squared_error": {},
    "logistic": {"objective": "logistic"},
    "medians": {"objective": "absolute_error"},
    "huber": {"objective": "huber"},
    "goss": {"sampling": "goss", "learning_rate": 0.9},
    "mvs": {"sampling": "mvs", "subsample": 0.5},
    "bootstrap": {"sampling": "bootstrap"},
    "dart": {"boosting": "dart", "skip_drop": 0.0, "drop_rate": 0.5},
    "several steps": {"objective": "poisson", "leaf_iterations": 3},
}


class HereExchange(ShardExchange):
    """Shards in this process, whose calls are pickled as if they went elsewhere."""

    def __init__(self, given: ShardInput, groups: list[Any]) -> None:
        super().__init__()
        self.groups = groups
        self.shards = [part.make() for part in given.divided(groups)]

    def ask_all(self, method: str, *given: Any) -> list[Any]:
        message = pickle.dumps(given)
        return [getattr(shard, method)(*pickle.loads(message)) for shard in self.shards]

    def watch(self, entry: Any, schema: Any) -> None:
        parts = divided_eval_set(entry, self.groups)
        for shard, part in zip(self.shards, parts, strict=True):
            shard.watch(part, schema)


class HereDataset(ceiba.Dataset):
    """A dataset in several shards of this process."""

    is_sharded = True
    groups: list[Any]

    def exchange(self, given: ShardInput) -> HereExchange:
        return HereExchange(given, self.groups)

    def reduce(self, operation: Any, *columns: Any) -> Any:
        return operation(*columns)


def rows_of(params: dict[str, Any]) -> ceiba.Dataset:
    objective = params.get("objective")
    target = {"logistic": (SCORE > 0).astype(float), "poisson": np.exp(SCORE / 4.0)}
    return ceiba.Dataset(X, target.get(str(objective), SCORE), weight=WEIGHT)


@pytest.mark.parametrize("division", DIVISIONS)
@pytest.mark.parametrize("case", CASES)
def test_the_same_model(case: str, division: str) -> None:
    params = {"n_estimators": 4, "max_leaves": 6, "min_samples_leaf": 3, "n_jobs": 1, **CASES[case]}
    one = ceiba.train(params, rows_of(params), eval_sets=[rows_of(params)])
    shards, held = rows_of(params), rows_of(params)
    for rows in (shards, held):
        rows.__class__ = HereDataset
        rows.groups = DIVISIONS[division]  # type: ignore[attr-defined]
    two = ceiba.train(params, shards, eval_sets=[held])
    assert two.fingerprint() == one.fingerprint()
    assert two.history == one.history
