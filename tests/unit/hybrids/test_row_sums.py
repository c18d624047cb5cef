"""Predictions of hybrids do not depend on the other rows of the batch."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hybrid_cases import HYBRIDS, mixed_frame, mixed_target, target_for
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.base import clone

from ceiba.hybrids.row_sums import row_sums
from ceiba.hybrids.softmax import softmax

CASES = [(k, n) for k, one in enumerate(HYBRIDS) for n in ((2, 3) if hasattr(one, "C") else (0,))]
FINITE = st.floats(-1e6, 1e6)


def wide_rows(n_rows: int, n_columns: int, seed: int) -> np.ndarray:
    """Return enough columns for a BLAS to add their products in several ways."""
    return np.random.default_rng(seed).normal(size=(n_rows, n_columns)) * 100.0


@cache
def fitted(k: int, n_classes: int, wide: bool) -> tuple[Any, Any]:
    """Return a fitted hybrid, and rows to predict."""
    hybrid = clone(HYBRIDS[k])
    if wide:
        X = wide_rows(400, 23, seed=5)
        y = X @ np.linspace(-1.0, 1.0, 23) + 50.0 * np.abs(X[:, 0])
        later = wide_rows(300, 23, seed=6)
    else:
        X = mixed_frame()
        y = mixed_target(X)
        later = mixed_frame(seed=6)
    return hybrid.fit(X, target_for(hybrid, y, n_classes or 2)), later


def answers(hybrid: Any, X: Any) -> np.ndarray:
    return hybrid.predict_proba(X) if hasattr(hybrid, "predict_proba") else hybrid.predict(X)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{type(HYBRIDS[case[0]]).__name__}{case}")
@given(wide=st.booleans(), data=st.data())
@settings(max_examples=25, deadline=None)
def test_a_row_is_predicted_alike_in_every_batch(
    case: tuple[int, int], wide: bool, data: Any
) -> None:
    hybrid, rows = fitted(*case, wide)
    whole = answers(hybrid, rows)
    size = data.draw(st.integers(1, 40) | st.integers(1, len(rows)), label="rows of the batch")
    begin = data.draw(st.integers(0, len(rows) - size), label="first row")
    step = data.draw(st.integers(1, 3), label="step")
    chosen = slice(begin, begin + size, step)
    part = answers(hybrid, rows[chosen] if wide else rows.iloc[chosen])
    assert part.tobytes() == whole[chosen].tobytes()


@given(hnp.arrays(float, st.tuples(st.integers(1, 30), st.integers(1, 40)), elements=FINITE))
@settings(deadline=None)
def test_sums_of_rows_add_from_left_to_right(values: np.ndarray) -> None:
    for layout in (values, np.asfortranarray(values)):
        np.testing.assert_array_equal(row_sums(layout), [sum(row) for row in values.tolist()])
    shares = softmax(values)
    for i in range(len(values)):
        np.testing.assert_array_equal(softmax(values[i : i + 1])[0], shares[i])
