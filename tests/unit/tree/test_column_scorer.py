"""One-hot columns are scanned many at a time, whichever of them a node may still split."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import Dataset, _core, train


def one_hot(
    seed: int, n_rows: int, groups: int, levels: int, power: float
) -> tuple[scipy.sparse.csr_matrix, np.ndarray]:
    random = np.random.default_rng(seed)
    codes = (levels * random.random((n_rows, groups)) ** power).astype(np.int64)
    columns = (codes + levels * np.arange(groups)).ravel()
    rows = scipy.sparse.csr_matrix(
        (np.ones(columns.size), columns, np.arange(0, columns.size + 1, groups)),
        shape=(n_rows, groups * levels),
    )
    y = random.normal(size=(groups, levels))[np.arange(groups), codes].sum(axis=1)
    return rows, y + random.normal(size=n_rows)


def paired_columns(X: scipy.sparse.csr_matrix, y: np.ndarray, drop: bool) -> int:
    """Return how many columns one tree scans as pairs of bins."""
    before = _core.counters()["paired_columns"]
    train(
        {"n_estimators": 1, "drop_hopeless_columns": drop, "min_samples_leaf": 20, "n_jobs": 1},
        Dataset(X, y),
    )
    return int(_core.counters()["paired_columns"] - before)


@settings(deadline=None, max_examples=15)
@given(seed=st.integers(0, 1000), power=st.floats(0.5, 4.0))
def test_dropping_hopeless_columns_scans_fewer_pairs(seed: int, power: float) -> None:
    X, y = one_hot(seed, 600, 3, 20, power)
    everything, hopeful = paired_columns(X, y, False), paired_columns(X, y, True)
    assert 0 < hopeful <= everything


@pytest.mark.parametrize("leaf_model", ["constant", "linear"])
@settings(deadline=None, max_examples=10)
@given(seed=st.integers(0, 1000), power=st.floats(0.5, 4.0), min_gain=st.sampled_from([0.0, 1.0]))
def test_sparse_and_dense_one_hot_columns_give_one_model(
    leaf_model: str, seed: int, power: float, min_gain: float
) -> None:
    X, y = one_hot(seed, 400, 3, 15, power)
    # A column of many bins between them, and another order of columns.
    number = np.random.default_rng(seed).normal(size=(len(y), 1))
    X = scipy.sparse.hstack([X[:, :20], scipy.sparse.csr_matrix(number), X[:, 20:]]).tocsr()
    params = {
        "n_estimators": 3, "drop_hopeless_columns": True, "min_split_gain": min_gain,
        "leaf_model": leaf_model, "min_samples_leaf": 5,
    }  # fmt: skip
    models = [
        train({**params, "n_jobs": n_jobs}, Dataset(table, y)).fingerprint()
        for table in (X, X.toarray())
        for n_jobs in (1, 2)
    ]
    assert len(set(models)) == 1
