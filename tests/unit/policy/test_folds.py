"""Held-out rows: a function of row contents, whole queries and groups, every class."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import TimeSeriesSplit

from ceiba import Dataset
from ceiba.errors import InvalidInputError
from ceiba.objectives import Objective, find_objective
from ceiba.parameters.resolving import resolve
from ceiba.policy.folds import deal_every_row, fold_numbers, held_out_rows
from ceiba.policy.plan import Facts, make_plan

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(120, 2))
Y = (X[:, 0] > 0.5).astype(float)


def objective(name: str) -> Objective:
    return find_objective(name)


def masks(dataset: Dataset, name: str = "squared_error", n_folds: int = 5, **more: Any) -> Any:
    return held_out_rows(dataset, objective(name), n_folds, 0.2, 0, **more)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1000), n_folds=st.sampled_from([1, 2, 5]), task=st.booleans())
def test_the_order_of_rows_does_not_matter(seed: int, n_folds: int, task: bool) -> None:
    name = "logistic" if task else "squared_error"
    order = np.random.default_rng(seed).permutation(len(X))
    found = masks(Dataset(X, Y), name, n_folds)
    other = masks(Dataset(X[order], Y[order]), name, n_folds)
    for mask, again in zip(found, other, strict=True):
        np.testing.assert_array_equal(mask[order], again)


def test_every_row_is_held_out_once_and_classes_are_dealt_evenly() -> None:
    found = masks(Dataset(X, Y), "logistic")
    np.testing.assert_array_equal(np.sum(found, axis=0), 1)
    positives = [Y[mask].sum() for mask in found]
    assert max(positives) - min(positives) <= 1
    assert max(map(np.sum, found)) - min(map(np.sum, found)) <= 2


def test_equal_rows_are_in_one_fold() -> None:
    twice = Dataset(np.concatenate([X, X]), np.concatenate([Y, Y]))
    for mask in masks(twice):
        np.testing.assert_array_equal(mask[: len(X)], mask[len(X) :])


def test_one_fold_holds_out_about_the_fraction() -> None:
    large = RANDOM.normal(size=(20_000, 2))
    (mask,) = masks(Dataset(large, large[:, 0]), n_folds=1)
    assert 0.19 < mask.mean() < 0.21


def test_groups_and_queries_stay_together() -> None:
    groups = np.arange(120) // 6
    queries = Dataset(X, np.zeros(120), qid=groups)
    for found in (masks(Dataset(X, Y), groups=groups), masks(queries, "lambdarank_ndcg")):
        for mask in found:
            shares = np.bincount(groups, weights=mask) / 6
            assert set(shares) == {0.0, 1.0}
    pairs = groups // 2
    for mask in masks(queries, "lambdarank_ndcg", groups=pairs):
        assert set(np.bincount(pairs, weights=mask) / 12) == {0.0, 1.0}


def test_a_query_in_two_groups_is_refused() -> None:
    queries = Dataset(X, np.zeros(120), qid=np.arange(120) // 6)
    with pytest.raises(InvalidInputError, match=r"Query number 1 \(from 0\) is in several values"):
        masks(queries, "lambdarank_ndcg", groups=np.arange(120) // 9)


def test_too_few_groups_are_refused() -> None:
    with pytest.raises(InvalidInputError, match=r"at least 5 different values.*Got 3"):
        masks(Dataset(X, Y), groups=np.arange(120) // 40)


def test_splitters_of_the_user() -> None:
    plan = make_plan(resolve({}), Facts(120, 1), objective("squared_error"))
    numbers = fold_numbers(
        Dataset(X, Y), objective("squared_error"), plan, 0, TimeSeriesSplit(3), None
    )
    assert [len(held) for _, held in numbers] == [30, 30, 30]
    assert not deal_every_row(numbers, 120)
    numbers = fold_numbers(Dataset(X, Y), objective("squared_error"), plan, 0, 3, None)
    assert len(numbers) == 3
    assert deal_every_row(numbers, 120)
