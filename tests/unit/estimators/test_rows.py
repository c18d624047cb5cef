"""Rows with their target and weights, and rows held out."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba.data.table import read_table
from ceiba.errors import InvalidInputError
from ceiba.estimators.rows import Rows, check_lengths, hold_out, read_rows


def rows_of(target: np.ndarray, weights: np.ndarray | None = None) -> Rows:
    numbers = np.arange(float(len(target)))[:, None]
    return Rows(read_table(numbers), target, weights)


def numbers_of(rows: Rows) -> list[float]:
    ((numbers,),) = rows.table.columns
    return numbers.tolist()  # type: ignore[no-any-return]


def test_rows_are_held_out_of_every_class() -> None:
    target = np.repeat([0.0, 1.0, 2.0], [80, 19, 1])
    kept, held = hold_out(rows_of(target), 0.25, seed=1, n_classes=3)
    assert np.bincount(held.target.astype(int)).tolist() == [20, 5]
    assert sorted([*numbers_of(kept), *numbers_of(held)]) == list(range(100))
    again = hold_out(rows_of(target), 0.25, seed=1, n_classes=3)[1]
    other = hold_out(rows_of(target), 0.25, seed=2, n_classes=3)[1]
    assert numbers_of(again) == numbers_of(held) != numbers_of(other)


def test_rows_of_weight_zero_are_not_held_out() -> None:
    weights = np.where(np.arange(100) % 2, 1.0, 0.0)
    kept, held = hold_out(rows_of(np.arange(100.0), weights), 0.1, seed=0)
    assert (len(kept.target), len(held.target)) == (45, 5)
    assert held.weights is not None
    assert held.weights.all()
    assert all(number % 2 == 1 for number in numbers_of(held))


@pytest.mark.parametrize("n_classes", [0, 2])
def test_a_row_is_held_out_of_few(n_classes: int) -> None:
    target = np.array([0.0, 1.0, 1.0])
    kept, held = hold_out(rows_of(target), 0.1, seed=0, n_classes=n_classes)
    assert (len(kept.target), len(held.target)) == (2, 1)
    with pytest.raises(InvalidInputError, match="early_stopping_rounds=0"):
        hold_out(rows_of(target[:1]), 0.1, seed=0, n_classes=n_classes)
    if n_classes:
        with pytest.raises(InvalidInputError, match="every class has only one"):
            hold_out(rows_of(target[:2]), 0.1, seed=0, n_classes=n_classes)


def test_a_target_has_the_length_of_the_table() -> None:
    check_lengths(read_table(np.ones((3, 1))), np.ones(3))
    with pytest.raises(InvalidInputError, match="Got 3 rows of X and 2 of y"):
        check_lengths(read_table(np.ones((3, 1))), np.ones(2))


def test_targets_are_numbers_or_labels() -> None:
    table = read_table(np.ones((3, 1)))
    numbers = read_rows(table, [1, 2, 3], None, "E")
    assert (numbers.target.tolist(), numbers.weights) == ([1.0, 2.0, 3.0], None)
    labels = read_rows(table, ["b", "a", "b"], 2, "E", np.array(["a", "b"]))
    assert labels.target.tolist() == [1.0, 0.0, 1.0]
    assert labels.weights is not None
    assert labels.weights.tolist() == [2.0, 2.0, 2.0]
    with pytest.raises(InvalidInputError, match=r"^weights must hold"):
        read_rows(table, [1, 2, 3], [-1, 1, 1], "E", name_of_weights="weights")
