"""Random numbers keyed by row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba.errors import InvalidParameterError
from ceiba.random import seed_of, unit_numbers


def test_numbers_are_a_function_of_seed_round_and_row() -> None:
    numbers = unit_numbers(3, 5, 1000)
    np.testing.assert_array_equal(numbers, unit_numbers(3, 5, 1000))
    # More rows do not change the numbers of those before them.
    np.testing.assert_array_equal(numbers[:100], unit_numbers(3, 5, 100))
    assert (numbers != unit_numbers(4, 5, 1000)).all()
    assert (numbers != unit_numbers(3, 6, 1000)).all()


def test_numbers_look_uniform_and_independent() -> None:
    first, second = unit_numbers(0, 0, 100_000), unit_numbers(0, 1, 100_000)
    assert first.min() >= 0.0
    assert first.max() < 1.0
    counts = np.histogram(first, bins=20, range=(0.0, 1.0))[0]
    assert np.abs(counts - 5000).max() < 5 * np.sqrt(5000)
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.02
    assert abs(np.corrcoef(first[1:], first[:-1])[0, 1]) < 0.02


def test_seed_of_what_scikit_learn_accepts() -> None:
    assert seed_of(None) == 0
    assert seed_of(7) == 7
    assert seed_of(np.int64(7)) == 7
    assert seed_of(np.random.RandomState(1)) == seed_of(np.random.RandomState(1))
    assert seed_of(np.random.default_rng(1)) == seed_of(np.random.default_rng(1))


@pytest.mark.parametrize("wrong", [-1, 2**63, 1.5, "seed", True])
def test_other_seeds_are_errors(wrong: Any) -> None:
    with pytest.raises(InvalidParameterError, match="random_state must be"):
        seed_of(wrong)
