"""Rows with their target and weights."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba.data.read_table import read_table
from ceiba.errors import InvalidInputError
from ceiba.estimators.rows import check_lengths, read_rows


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
    with pytest.raises(InvalidInputError, match=r"^weights must contain"):
        read_rows(table, [1, 2, 3], [-1, 1, 1], "E", name_of_weights="weights")
