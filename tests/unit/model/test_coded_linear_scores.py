"""Scores of linear models depend on the row alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ceiba import _core
from ceiba.errors import InvalidInputError

FINITE = st.floats(-1e6, 1e6)


@given(
    columns=hnp.arrays(float, st.tuples(st.integers(0, 30), st.integers(0, 40)), elements=FINITE),
    n_outputs=st.integers(1, 9),
    fortran=st.booleans(),
)
@settings(deadline=None)
def test_terms_are_added_from_left_to_right(
    columns: np.ndarray, n_outputs: int, fortran: bool
) -> None:
    random = np.random.default_rng(1)
    coefficients = random.normal(size=(n_outputs, columns.shape[1]))
    centers = random.normal(size=n_outputs)
    given_columns = np.asfortranarray(columns) if fortran else columns
    scores = _core.linear_scores(given_columns, coefficients, centers)
    assert scores.shape == (len(columns), n_outputs)
    for i, row in enumerate(columns.tolist()):
        for k in range(n_outputs):
            terms = (x * slope for x, slope in zip(row, coefficients[k].tolist(), strict=True))
            assert scores[i, k] == centers[k] + sum(terms, start=0.0)


def test_shapes_must_agree() -> None:
    with pytest.raises(InvalidInputError, match="coefficients must have"):
        _core.linear_scores(np.zeros((2, 3)), np.zeros((1, 2)), np.zeros(1))
