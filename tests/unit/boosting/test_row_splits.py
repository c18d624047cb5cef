"""Rows are split the same way whatever their order, and every row is used once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import LeaveOneGroupOut

from ceiba import Dataset
from ceiba.boosting.row_splits import (
    FoldRequest,
    fold_rows,
    hashed_fraction,
    hold_out,
    row_hashes,
    sampled_rows,
)
from ceiba.errors import InvalidInputError
from ceiba.objectives import Objective, find_objective

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(300, 4))
Y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.5 * RANDOM.normal(size=300)
THREE = np.digitize(Y, [-1.0, 1.5]).astype(float)
GROUPS = np.arange(300) // 7
ROWS = Dataset(X, Y)
REGRESSION, CLASSES = find_objective("squared_error"), find_objective("softmax")


def of(rows: Dataset) -> np.ndarray:
    assert rows.target is not None
    return rows.target


def rows_of(target: np.ndarray, weights: np.ndarray | None = None) -> Dataset:
    numbers = np.arange(float(len(target)))[:, None]
    return Dataset(numbers, target, weight=weights)


def numbers_of(rows: Dataset) -> list[float]:
    ((numbers,),) = rows.table.columns
    return numbers.tolist()  # type: ignore[no-any-return]


def test_rows_are_held_out_of_every_class() -> None:
    target = np.repeat([0.0, 1.0, 2.0], [80, 19, 1])
    kept, held = hold_out(rows_of(target), 0.25, seed=1, n_classes=3)
    assert np.bincount(of(held).astype(int)).tolist() == [20, 5]
    assert sorted([*numbers_of(kept), *numbers_of(held)]) == list(range(100))
    again = hold_out(rows_of(target), 0.25, seed=1, n_classes=3)[1]
    other = hold_out(rows_of(target), 0.25, seed=2, n_classes=3)[1]
    assert numbers_of(again) == numbers_of(held) != numbers_of(other)


def test_rows_of_weight_zero_are_not_held_out() -> None:
    weights = np.where(np.arange(100) % 2, 1.0, 0.0)
    kept, held = hold_out(rows_of(np.arange(100.0), weights), 0.1, seed=0)
    assert (len(of(kept)), len(of(held))) == (45, 5)
    assert held.weight is None  # all are 1
    assert all(number % 2 == 1 for number in numbers_of(held))


@pytest.mark.parametrize("n_classes", [0, 2])
def test_a_row_is_held_out_of_few(n_classes: int) -> None:
    target = np.array([0.0, 1.0, 1.0])
    kept, held = hold_out(rows_of(target), 0.1, seed=0, n_classes=n_classes)
    assert (len(of(kept)), len(of(held))) == (2, 1)
    with pytest.raises(InvalidInputError, match="early_stopping_rounds=0"):
        hold_out(rows_of(target[:1]), 0.1, seed=0, n_classes=n_classes)
    if n_classes:
        with pytest.raises(InvalidInputError, match="every class has only one"):
            hold_out(rows_of(target[:2]), 0.1, seed=0, n_classes=n_classes)


def test_hashes_depend_on_the_values_of_a_row_alone() -> None:
    X = np.round(np.random.default_rng(1).normal(size=(200, 3)) * 64) / 64
    y = np.arange(200.0)
    X[::7, 1] = np.nan
    X[::5, 2] = 0.0
    usual = row_hashes(Dataset(X, y))
    assert len(np.unique(usual)) == 200
    order = np.random.default_rng(0).permutation(200)
    assert (row_hashes(Dataset(X[order], y[order])) == usual[order]).all()
    assert (row_hashes(Dataset(X.astype(np.float32), y)) == usual).all()
    blocks = [(X[rows], y[rows]) for rows in np.array_split(np.arange(200), 3)]
    assert (row_hashes(Dataset.from_blocks(blocks)) == usual).all()
    assert (row_hashes(Dataset(np.where(X == 0.0, -0.0, X), y)) == usual).all()


def folds_of(dataset: Dataset, objective: Objective, *folds: Any, **given: Any) -> Any:
    return fold_rows(dataset, objective, FoldRequest(*folds, **given))


def scored(dataset: Dataset, objective: Objective, *folds: Any, **given: Any) -> list[np.ndarray]:
    return [rows for _, rows in folds_of(dataset, objective, *folds, **given)]


def test_every_row_is_scored_once() -> None:
    for given in ({}, {"groups": GROUPS}, {"shuffle": False}):
        for dataset, objective in ((ROWS, REGRESSION), (Dataset(X, THREE), CLASSES)):
            folds = folds_of(dataset, objective, 4, **given)
            assert len(folds) == 4
            together = np.concatenate([rows for _, rows in folds])
            assert sorted(together) == list(range(300))
            for learned, rows in folds:
                assert sorted([*learned, *rows]) == list(range(300))


def test_classes_have_their_share_of_every_fold() -> None:
    dataset = Dataset(X, THREE)
    shares = [np.bincount(THREE[rows].astype(int)) for rows in scored(dataset, CLASSES, 3)]
    assert np.ptp(shares, axis=0).max() <= 1
    plain = scored(dataset, CLASSES, 3, stratified=False)
    assert np.ptp([np.bincount(THREE[rows].astype(int)) for rows in plain], axis=0).max() > 1


@pytest.mark.parametrize("factor", [1.0, -3.0, 1e300])
def test_whole_numbers_are_stratified_too(factor: float) -> None:
    counts = Dataset(X, THREE * factor)
    folds = scored(counts, REGRESSION, 3, stratified=True)
    shares = [np.bincount(THREE[rows].astype(int)) for rows in folds]
    assert np.ptp(shares, axis=0).max() <= 1
    if factor == 1.0:
        expected = scored(Dataset(X, THREE), CLASSES, 3)
        assert [rows.tolist() for rows in folds] == [rows.tolist() for rows in expected]


def test_groups_stay_together() -> None:
    for stratified in (True, False):
        dataset = Dataset(X, THREE)
        for learned, rows in folds_of(dataset, CLASSES, 3, groups=GROUPS, stratified=stratified):
            assert not set(GROUPS[learned]) & set(GROUPS[rows])
    words = np.array([f"patient {number}" for number in GROUPS])
    assert len(folds_of(ROWS, REGRESSION, LeaveOneGroupOut(), groups=words)) == 43


def test_rows_of_equal_contents_are_chosen_together() -> None:
    rows = Dataset(np.vstack([X, X]), np.concatenate([Y, Y]))
    chosen = hashed_fraction(row_hashes(rows), 0.3, seed=1)
    np.testing.assert_array_equal(chosen[:300], chosen[300:])
    order = np.random.default_rng(0).permutation(600)
    shuffled = row_hashes(rows)[order]
    np.testing.assert_array_equal(hashed_fraction(shuffled, 0.3, seed=1), chosen[order])
    assert 0.2 < chosen.mean() < 0.4
    assert (hashed_fraction(shuffled, 0.3, seed=2) != chosen[order]).any()
    assert hashed_fraction(shuffled, 1.0, seed=1).all()
    assert not hashed_fraction(shuffled, 0.0, seed=1).any()


def test_a_sample_has_about_so_many_rows() -> None:
    assert sampled_rows(ROWS, 300, seed=0) is ROWS
    assert 100 < sampled_rows(ROWS, 150, seed=0).n_rows < 200
