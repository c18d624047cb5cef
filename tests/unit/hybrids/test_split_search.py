"""Thresholds of linear trees are as fine as the values of the column."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ceiba import LinearTreeClassifier, LinearTreeRegressor
from ceiba.hybrids.split_search import finer_edges

NUMBERS = hnp.arrays(float, st.integers(3, 200), elements=st.floats(-1e3, 1e3, width=16))


@given(
    step=st.floats(-0.7, 0.7),
    n_rows=st.sampled_from([200, 3000]),
    seed=st.integers(0, 100),
    missing=st.booleans(),
)
@settings(max_examples=20, deadline=None)
def test_a_step_is_found_between_its_neighbors(
    step: float, n_rows: int, seed: int, missing: bool
) -> None:
    random = np.random.default_rng(seed)
    X = random.uniform(-1, 1, size=(n_rows, 2))
    y = 2.0 * X[:, 1] + 10.0 * (X[:, 0] > step)
    if missing:
        X[:: n_rows // 20, 0] = np.nan
    tree = LinearTreeRegressor(max_depth=1, linear_features=[1]).fit(X, y)
    (condition,) = tree.model_.rules[0].conditions
    known = X[~np.isnan(X[:, 0]), 0]
    below, above = known[known <= step].max(), known[known > step].min()
    assert condition.column == 0
    assert below <= condition.threshold < above


def test_a_step_at_fifty() -> None:
    x = np.linspace(0.0, 100.0, 1001)
    y = np.where(x > 50.0, 30.0 - x, x)
    tree = LinearTreeRegressor(max_depth=1).fit(x[:, None], y)
    assert tree.leaves_.rule[1] == "f0 > 50.05"
    labels = (x > 50.0) ^ (np.sin(40.0 * x) > 0.95)
    both = np.column_stack([x, np.sin(x)])
    classes = LinearTreeClassifier(max_depth=1, linear_features=[1]).fit(both, labels)
    (condition,) = classes.model_.rules[0].conditions
    assert condition.threshold == pytest.approx(50.05, abs=0.5)


@given(values=NUMBERS, data=st.data())
@settings(deadline=None)
def test_finer_edges_keep_the_chosen_parting(values: np.ndarray, data: st.DataObject) -> None:
    low, threshold, high = sorted(
        data.draw(st.lists(st.floats(-1.1e3, 1.1e3), min_size=3, max_size=3), label="window")
    )
    finer = finer_edges(values, low, threshold, high)
    within = np.unique(values[(values > low) & (values <= high)])
    if finer is None:
        gaps = len(within) - 1
        assert gaps < 2 or threshold < within[0] or threshold >= within[-1]
        return
    assert (np.diff(finer) > 0).all()
    assert len(finer) <= 33
    assert finer[0] >= within[0]
    assert finer[-1] < within[-1]
    partings = [(values <= edge).tobytes() for edge in finer]
    assert len(set(partings)) == len(partings)
    assert (values <= threshold).tobytes() in partings
