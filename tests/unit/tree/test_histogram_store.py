"""Histograms by sums and by subtraction, and lists of sparse columns, give one tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import Dataset, _core, train


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 1000),
    policy=st.sampled_from(["leafwise", "depthwise", "symmetric"]),
    colsample=st.sampled_from([1.0, 0.3]),
)
def test_lists_follow_the_nodes(seed: int, policy: str, colsample: float) -> None:
    random = np.random.default_rng(seed)
    X = scipy.sparse.random(500, 40, 0.03, "csr", random_state=random)
    y = X @ random.normal(size=40)
    given = {
        "n_estimators": 3, "grow_policy": policy, "max_depth": 5, "min_samples_leaf": 2,
        "colsample_bytree": colsample, "random_state": seed, "n_jobs": 1,
    }  # fmt: skip
    sparse, dense = (train(given, Dataset(rows, y)) for rows in (X, X.toarray()))
    assert sparse.fingerprint() == dense.fingerprint()


@pytest.mark.threads
@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
def test_shards_and_threads_sum_the_same_histograms(policy: str) -> None:
    random = np.random.default_rng(2)
    X = random.normal(size=(3000, 20))
    settings: dict[str, Any] = {"n_estimators": 2, "grow_policy": policy, "max_depth": 6}
    expected = train({**settings, "n_jobs": 1}, Dataset(X, X[:, 0] * X[:, 1])).fingerprint()
    _core.change_settings(shard_rows=700, serial_below=0, chunk_rows=128)
    found = train({**settings, "n_jobs": 2}, Dataset(X, X[:, 0] * X[:, 1])).fingerprint()
    assert found == expected
