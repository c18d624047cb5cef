"""Columns that share a column of codes: fewer bytes, the same codes, the same trees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ceiba
from ceiba import _core
from ceiba.testing.strategies import Case, cases


def one_hot(n_rows: int, n_columns: int, seed: int = 0) -> np.ndarray:
    X = np.zeros((n_rows, n_columns))
    X[np.arange(n_rows), np.random.default_rng(seed).integers(0, n_columns, n_rows)] = 1.0
    return X


def build(X: np.ndarray, n_threads: int = 1) -> _core.BinnedMatrix:
    columns = [[X[:, j]] for j in range(X.shape[1])]
    mapper = _core.BinMapper.find(columns, None, 64, 1, n_threads)
    return _core.BinnedMatrix.build(mapper, columns, n_threads)


def shared_columns() -> int:
    return _core.counters()["shared_columns"]


def test_a_one_hot_table_needs_one_byte_a_row() -> None:
    _core.reset_counters()
    X = one_hot(2000, 40)
    binned = build(X)
    assert shared_columns() == 39
    assert binned.n_bytes < 2000 * 42  # 40 columns, and one for all of them
    for j in range(40):
        np.testing.assert_array_equal(binned.column(j), X[:, j].astype(np.uint16))


def test_columns_that_meet_in_one_row_do_not_share() -> None:
    _core.reset_counters()
    X = np.zeros((1000, 2))
    X[:10, 0] = 1.0
    X[9:20, 1] = 1.0
    build(X)
    assert shared_columns() == 0


def test_a_full_byte_starts_another_column() -> None:
    _core.reset_counters()
    rows, values = np.arange(6000), np.arange(6000) % 50 + 1.0
    X = np.zeros((6000, 6))
    X[rows, rows // 1000] = values  # six columns of 51 codes: five fit into 256
    build(X)
    assert shared_columns() == 4


@pytest.mark.parametrize(
    ("n_codes", "n_saved"),
    [
        ([3, 3, 3, 3], 3),  # 81 codes
        ([3, 3, 3, 3, 3, 3], 4),  # 243 codes, and one column alone
        ([16, 16], 1),  # 256 codes: the byte is full
        ([16, 17], 0),
        ([60, 4, 1], 2),  # a constant column needs no room
        ([1, 1], 2),
        ([60], 0),
    ],
)
def test_columns_of_few_codes_are_digits(n_codes: list[int], n_saved: int) -> None:
    _core.reset_counters()
    _core.change_settings(digit_rows=0)
    n_rows = 3000
    random = np.random.default_rng(5)
    X = np.column_stack([np.resize(random.permutation(n), n_rows) for n in n_codes]).astype(float)
    for column in X.T:
        random.shuffle(column)
    binned = build(X)
    assert shared_columns() == n_saved
    for j in range(len(n_codes)):
        np.testing.assert_array_equal(binned.column(j), X[:, j].astype(np.uint16))


def test_small_tables_keep_columns_apart() -> None:
    _core.reset_counters()
    X = np.random.default_rng(0).integers(0, 3, (8191, 2)).astype(float)
    build(X)
    assert shared_columns() == 0
    build(np.vstack([X, X[:1]]))
    assert shared_columns() == 1


def test_one_hot_columns_can_be_a_digit() -> None:
    _core.reset_counters()
    _core.change_settings(digit_rows=0)
    build(np.column_stack([one_hot(2000, 4, 1), one_hot(2000, 40, 2)]))  # 5 codes and 41
    assert shared_columns() == 43


def test_columns_share_beside_one_of_wide_codes() -> None:
    _core.reset_counters()
    _core.change_settings(digit_rows=0)
    X = np.column_stack([one_hot(1000, 5), np.arange(1000.0)])
    columns = [[X[:, j]] for j in range(6)]
    binned = _core.BinnedMatrix.build(_core.BinMapper.find(columns, None, 1000, 1, 1), columns, 1)
    assert shared_columns() == 4
    for j in range(5):
        np.testing.assert_array_equal(binned.column(j), X[:, j].astype(np.uint16))


@st.composite
def seldom_unusual(draw: st.DrawFn, case: Case) -> Case:
    """The case with columns that leave their usual value seldom, and never two in one row, and
    with columns of few values."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows, n_columns = case.X.shape
    usual = random.choice([-1.0, 0.0, 2.0, np.nan], size=n_columns)
    X = np.tile(usual, (n_rows, 1))
    owner = random.integers(0, n_columns + 1, n_rows)  # the last: no column
    values = random.choice([-2.0, 0.5, 1.0, 3.0, np.nan], size=n_rows)
    owned = np.flatnonzero(owner < n_columns)
    X[owned, owner[owned]] = values[owned]
    for j in np.flatnonzero(random.random(n_columns) < 0.3):
        X[:, j] = case.X[:, j]
    for j in np.flatnonzero(random.random(n_columns) < 0.3):
        X[:, j] = random.choice([-1.0, 0.0, 4.0, np.nan][: random.integers(1, 5)], size=n_rows)
    return replace(case, X=X)


@given(cases(min_rows=20, max_rows=600, max_features=40, max_trees=2), st.data())
@settings(max_examples=80)
@pytest.mark.parametrize("cached_codes", [0, 1 << 40], ids=["wide groups", "narrow groups"])
def test_trees_are_those_of_the_reference(
    cached_codes: int, case: Case, data: st.DataObject
) -> None:
    sparse = data.draw(seldom_unusual(case))
    _core.change_settings(
        block_rows=64, chunk_rows=64, serial_below=0, digit_rows=0, cached_codes=cached_codes
    )
    for n_threads in (1, 2):
        mapper = sparse.bin_mapper(n_threads)
        found, expected = sparse.grow(mapper, n_threads).arrays(), sparse.grow_reference(mapper)
        for name, values in expected.items():
            np.testing.assert_array_equal(found[name], values, err_msg=name)


@pytest.mark.parametrize("n_rows", [300, 20_000])
@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
def test_rows_in_another_order_give_one_model(policy: str, n_rows: int) -> None:
    random = np.random.default_rng(1)
    X = np.column_stack([one_hot(n_rows, 30, 2), random.normal(size=(n_rows, 3))])
    y = X @ random.normal(size=33) + random.normal(size=n_rows)
    params = {"n_estimators": 5, "grow_policy": policy, "max_depth": 5, "max_bins": 64}

    def fingerprint(order: np.ndarray) -> str:
        return ceiba.train(params, ceiba.Dataset(X[order], y[order])).fingerprint()

    _core.reset_counters()
    first = fingerprint(np.arange(n_rows))
    assert shared_columns() == 29
    assert fingerprint(random.permutation(n_rows)) == first
