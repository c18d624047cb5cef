"""One number for several outputs of a row."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba import _core
from ceiba.errors import InvalidInputError


@pytest.mark.threads
@pytest.mark.parametrize("n_rows", [0, 1, 1023, 100_003])
@pytest.mark.parametrize("n_outputs", [1, 7])
def test_outputs_are_added_in_their_order(n_rows: int, n_outputs: int) -> None:
    random = np.random.default_rng(0)
    values, factors = random.normal(size=(n_outputs, n_rows)), random.normal(size=n_outputs)
    expected = np.zeros(n_rows)
    for own, factor in zip(values, factors, strict=True):
        expected += own * factor
    for n_threads in (1, 3):
        found = np.full(n_rows, np.nan)
        _core.sum_outputs(values, factors, found, n_threads)
        np.testing.assert_array_equal(found, expected)


def test_there_is_a_factor_for_each_output() -> None:
    with pytest.raises(InvalidInputError, match="factors"):
        _core.sum_outputs(np.ones((2, 3)), np.ones(3), np.empty(3), 1)
