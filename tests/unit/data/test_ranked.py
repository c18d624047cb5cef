"""Sorted columns against numpy's own sorting, on every kind of column and every way into them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import Dataset, _core
from ceiba.errors import InvalidInputError
from ceiba.testing.strategies import tables

MISSING = 2**32 - 1


def ranked(X: np.ndarray, n_threads: int = 1) -> _core.RankedColumns:
    return _core.RankedColumns.build([X], n_threads)


def check_columns(X: np.ndarray, found: _core.RankedColumns) -> None:
    assert (found.n_rows, found.n_features) == X.shape
    for j in range(X.shape[1]):
        column = X[:, j].astype(np.float64) + 0.0
        present = np.flatnonzero(~np.isnan(column))
        values, places, counts = np.unique(column[present], return_inverse=True, return_counts=True)
        np.testing.assert_array_equal(found.values(j), values, strict=True)
        ranks = np.full(len(X), MISSING, dtype=np.uint32)
        ranks[present] = places
        np.testing.assert_array_equal(found.ranks(j), ranks, strict=True)
        order = present[np.argsort(column[present], kind="stable")]
        np.testing.assert_array_equal(found.order(j), order.astype(np.int32), strict=True)
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        np.testing.assert_array_equal(found.starts(j), starts, strict=True)


@given(tables(max_rows=400), st.sampled_from([1, 3]))
@settings(max_examples=150)
def test_small_tables(X: np.ndarray, n_threads: int) -> None:
    _core.change_settings(serial_below=0)
    check_columns(X, ranked(X, n_threads))


@pytest.mark.threads
def test_a_table_large_enough_for_threads() -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(50_000, 4))
    X[:, 1] = np.round(X[:, 1])
    X[:, 2] = np.where(X[:, 2] > 0, np.inf, X[:, 2])
    X[random.random(len(X)) < 0.3, 3] = np.nan
    check_columns(X, ranked(X, 3))


@pytest.mark.parametrize("dtype", ["f4", "f8", "i1", "i8", "u2", "?"])
def test_number_types_and_layouts(dtype: str) -> None:
    X = np.random.default_rng(1).integers(0, 9, size=(60, 3)).astype(dtype)
    check_columns(X, ranked(X))
    check_columns(X, ranked(np.asfortranarray(X)))
    blocks = [X[:7], X[7:40], X[40:]]
    check_columns(X, _core.RankedColumns.build(blocks, 1))
    columns = [[X[:, j]] for j in range(3)]
    check_columns(X, _core.RankedColumns.build(columns, 1))


def test_zero_has_one_sign() -> None:
    found = ranked(np.array([[0.0], [-0.0], [1.0]]))
    assert not np.signbit(found.values(0)).any()
    np.testing.assert_array_equal(found.ranks(0), [0, 0, 1])


def test_whole_numbers_that_have_no_float64_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="2\\^53"):
        ranked(np.array([[2**53 + 1], [0]]))


def test_a_column_that_is_not_there() -> None:
    with pytest.raises(IndexError, match="feature 3"):
        ranked(np.zeros((2, 1))).values(3)


def test_a_dataset_sorts_its_columns_once() -> None:
    X = np.random.default_rng(2).normal(size=(40, 2))
    dataset = Dataset(X, X[:, 0], weight=np.arange(40.0))
    found = dataset.ranked(1)
    check_columns(X[1:], found)
    assert dataset.ranked(2) is found
