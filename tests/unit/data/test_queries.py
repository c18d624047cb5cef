"""Queries: ids, sizes, weights, and the Dataset that holds them."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ceiba import Dataset
from ceiba.data.queries import Queries, join_ids, read_ids, read_queries, spread_weights
from ceiba.errors import InvalidInputError

IDS: list[Any] = [
    [7, 3, 7, 3, 9],
    np.array([7, 3, 7, 3, 9], dtype=np.uint8),
    np.array([2**64 - 1, 3, 2**64 - 1, 3, 2**64 - 1], dtype=np.uint64),
    np.array([7.0, 3.0, 7.0, 3.0, 9.0]),
    ["b", "a", "b", "a", "c"],
    np.array(["b", "a", "b", "a", "c"], dtype=object),
    np.array([7, 3, 7, 3, 9], dtype=object),
    pd.Series([7, 3, 7, 3, 9], index=[4, 3, 2, 1, 0]),
    pd.Series([7, 3, 7, 3, 9], dtype="Int64"),
    pd.Series(["b", "a", "b", "a", "c"], dtype="category"),
    pd.to_datetime(pd.Series(["2021", "2020", "2021", "2020", "2022"])),
    pl.Series([7, 3, 7, 3, 9]),
    pl.Series(["b", "a", "b", "a", "c"]),
    [True, False, True, False, True],
]


@pytest.mark.parametrize("qid", IDS, ids=lambda qid: f"{type(qid).__module__} {np.asarray(qid)[0]}")
def test_ids_of_every_kind(qid: Any) -> None:
    queries = read_queries(qid, None, 5)
    assert queries is not None
    last = queries.numbers[4]
    assert queries.numbers.tolist()[:4] == [1, 0, 1, 0]
    assert queries.n_queries == last + 1 or last == 1
    assert queries.rows.tolist()[:2] == [1, 3]
    assert queries.offsets.tolist()[:2] == [0, 2]
    assert queries.offsets[-1] == 5


def test_sizes_of_consecutive_queries() -> None:
    queries = read_queries(None, [2, 1, 3], 6)
    assert queries is not None
    assert queries.numbers.tolist() == [0, 0, 1, 2, 2, 2]
    assert queries.sizes.tolist() == [2, 1, 3]
    assert read_queries(None, None, 6) is None


@pytest.mark.parametrize(
    ("qid", "match"),
    [
        ([1, 2], r"each of the 3 rows\. Got shape \(2,\).*use group"),
        ([[1], [2], [3]], r"Got shape \(3, 1\)"),
        ([1.0, np.nan, 2.0], "Got nan in row 1"),
        ([1.0, np.inf, 2.0], "Got inf in row 1"),
        ([1.0, 2.5, 2.0], r"Got 2\.5 in row 1"),
        ([1.0, 2.0**60, 2.0], "in row 1"),
        (["a", None, "b"], "Got None in row 1"),
        (pd.Series([1, None, 2], dtype="Int64"), "in row 1"),
        (np.array(["2020", "NaT", "2021"], dtype="datetime64[D]"), "Got NaT in row 1"),
        (np.array(["a", 1, "b"], dtype=object), "of one type. Got int, str"),
        (np.array([1j, 2, 3]), "Got an array of complex128"),
    ],
)
def test_ids_that_are_none(qid: Any, match: str) -> None:
    with pytest.raises(InvalidInputError, match=match):
        read_ids(qid, 3)


@pytest.mark.parametrize(
    ("group", "match"),
    [
        ([2, 2], "add up to the number of rows, 3. Got a sum of 4"),
        ([3, 0], "at least 1. Got 0 at position 1"),
        ([4, -1], "Got -1 at position 1"),
        ([1.5, 1.5], r"Got 1\.5 at position 0"),
        ([np.nan, 3], "Got nan at position 0"),
        ([[3]], r"Got shape \(1, 1\)"),
        (3, r"Got shape \(\)"),
        (["3"], "sizes of the queries"),
        ([], "Got a sum of 0|of float64"),
    ],
)
def test_sizes_that_do_not_fit(group: Any, match: str) -> None:
    with pytest.raises(InvalidInputError, match=match):
        read_queries(None, group, 3)


def test_both_ways_at_once_are_an_error() -> None:
    with pytest.raises(InvalidInputError, match="Pass only one of them"):
        Dataset(np.ones((3, 1)), np.ones(3), qid=[1, 1, 2], group=[2, 1])


def test_weights_of_queries() -> None:
    queries = Queries.of_numbers(np.array([5, 2, 5, 2, 2]))
    assert queries.weights(None) is None
    weights = queries.weights(np.array([1.0, 2.0, 3.0, 4.0, 9.0]))
    assert weights is not None
    assert weights.tolist() == [5.0, 2.0]
    assert spread_weights([10.0, 20.0], queries).tolist() == [20.0, 10.0, 20.0, 10.0, 10.0]
    assert spread_weights(None, queries) is None
    rows = [1.0, 2.0, 3.0, 4.0, 5.0]
    assert spread_weights(rows, queries) is rows
    assert spread_weights(rows, None) is rows
    with pytest.raises(InvalidInputError, match=r"5 rows, or for each of the 2 queries\. .*\(3,\)"):
        spread_weights([1.0, 2.0, 3.0], queries)


def test_the_order_of_rows_leaves_the_numbers_alone() -> None:
    random = np.random.default_rng(0)
    qid, order = random.integers(0, 9, 50) * 11, random.permutation(50)
    first, second = Queries.of_numbers(qid), Queries.of_numbers(qid[order])
    np.testing.assert_array_equal(first.numbers[order], second.numbers)
    np.testing.assert_array_equal(first.offsets, second.offsets)


# ---- in a Dataset --------------------------------------------------------------------------------

X, Y = np.arange(12.0).reshape(6, 2), np.array([0.0, 1.0, 2.0, 0.0, 1.0, 0.0])


def test_rows_of_weight_zero_leave_their_query() -> None:
    dataset = Dataset(X, Y, qid=[1, 1, 2, 3, 3, 3], weight=[1.0, 0.0, 0.0, 1.0, 2.0, 1.0])
    assert dataset.queries is not None
    assert dataset.queries.numbers.tolist() == [0, 1, 1, 1]
    assert "queries" in repr(dataset)
    again = pickle.loads(pickle.dumps(dataset))
    assert again.queries.sizes.tolist() == [1, 3]


def test_a_weight_for_each_query() -> None:
    dataset = Dataset(X, Y, group=[2, 4], weight=[2.0, 5.0])
    assert dataset.weight is not None
    assert dataset.weight.tolist() == [2, 2, 5, 5, 5, 5]
    with pytest.raises(InvalidInputError, match="for each of the 2 queries"):
        Dataset(X, Y, group=[2, 4], weight=[2.0, 5.0, 1.0])
    with pytest.raises(InvalidInputError, match="weight must contain numbers of at least 0"):
        Dataset(X, Y, group=[2, 4], weight=[2.0, -5.0])


def test_blocks_with_queries() -> None:
    blocks = [(X[:2], Y[:2], None, [4, 9]), (X[2:], Y[2:], None, [9, 4, 1, 1])]
    dataset = Dataset.from_blocks(blocks)
    assert dataset.queries is not None
    assert dataset.queries.numbers.tolist() == [1, 2, 2, 1, 0, 0]
    with pytest.raises(
        InvalidInputError, match="Either all blocks or no block must have query ids"
    ):
        Dataset.from_blocks([blocks[0], (X[2:], Y[2:])])
    with pytest.raises(InvalidInputError, match="Block 1: qid must contain one query id"):
        Dataset.from_blocks([blocks[0], (X[2:], Y[2:], None, [1])])
    with pytest.raises(InvalidInputError, match="one type in all blocks"):
        Dataset.from_blocks([blocks[0], (X[2:], Y[2:], None, list("abcd"))])
    with pytest.raises(InvalidInputError, match="one type"):
        join_ids([np.array([1]), np.array([2**64 - 1], dtype=np.uint64)])
