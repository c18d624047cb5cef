"""Rows outside of a sample come to the leaf that prediction sends them to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ceiba
from ceiba import _core

RANDOM = np.random.default_rng(0)
N = 3000
X = RANDOM.normal(size=(N, 5))
X[:, 1] = RANDOM.integers(0, 4, N)
X[RANDOM.random(X.shape) < 0.1] = np.nan
CODES = RANDOM.integers(0, 40, N)
Y = np.nan_to_num(X[:, 0] + X[:, 1] * X[:, 2]) + RANDOM.normal(size=40)[CODES]
TABLE = np.column_stack([X, CODES])
LARGE = {"max_leaves": 700, "min_samples_leaf": 1}
KINDS: dict[str, dict[str, Any]] = {
    "bytes": {},
    "numbers of 16 bits": {**LARGE, "max_leaves": 200},
    "large": LARGE,
    "wide codes": {"max_bins": 1000, "min_data_in_bin": 1},
    "ranks": {"split_method": "exact"},
    "ranks of a large tree": {"split_method": "exact", **LARGE},
    "approx": {"split_method": "approx"},
    "symmetric": {"grow_policy": "symmetric", "max_depth": 5},
    "one-hot": {"categorical": "onehot"},
    "pruned": {"min_split_gain": 2.0, "prune": "after"},
    "a leaf": {"min_split_gain": 1e9},
}


def trained(given: dict[str, Any], **more: Any) -> ceiba.Model:
    params = {
        "n_estimators": 4, "learning_rate": 0.5, "subsample": 0.3, "categorical_features": [5],
        **given, **more,
    }  # fmt: skip
    if params.get("categorical") != "onehot":
        params |= {"min_data_per_group": 5, "cat_l2": 0.0}
    return ceiba.train(params, ceiba.Dataset(TABLE, Y))


@pytest.mark.parametrize("avx2", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_those_of_prediction(kind: str, avx2: bool) -> None:
    """Rows whose scores were moved wrongly would have other gradients in the next round."""
    _core.set_avx2(avx2)
    model = trained(KINDS[kind])
    for round in range(1, 4):
        before = model.truncate(round)
        gradients = before.predict_raw(TABLE) - Y
        rows = np.flatnonzero(_core.hash_uniform(0, round, N) < 0.3)
        leaves = model.apply(TABLE)[rows, round]
        arrays = model.forest.slice(round, round + 1).arrays()
        for leaf in np.unique(leaves):
            own = gradients[rows[leaves == leaf]]
            value = -0.5 * own.sum() / (len(own) + 1.0)  # reg_lambda is 1
            assert arrays["value"][leaf] == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("kind", ["bytes", "large", "ranks of a large tree", "symmetric"])
@pytest.mark.parametrize("nodes", [0, 3])
def test_rows_walk_on_from_where_the_first_nodes_end(kind: str, nodes: int) -> None:
    whole = trained(KINDS[kind]).fingerprint()
    _core.change_settings(routed_nodes=nodes, chunk_rows=100, serial_below=1)
    assert trained(KINDS[kind], n_jobs=2).fingerprint() == whole


def test_eval_sets_are_routed_alike() -> None:
    rows, held = ceiba.Dataset(TABLE[:2000], Y[:2000]), ceiba.Dataset(TABLE[2000:], Y[2000:])
    given = {"n_estimators": 5, "categorical_features": [5], "min_data_per_group": 5}
    model = ceiba.train(given, rows, eval_sets={"held": held})
    errors = model.history["held"]["rmse"]
    for round in range(5):
        found = model.truncate(round + 1).predict(TABLE[2000:]) - Y[2000:]
        assert errors[round] == pytest.approx(np.sqrt((found**2).mean()))
