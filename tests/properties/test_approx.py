"""Approx splits against the plain reference, bit for bit, with candidates of trees and of nodes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import _core
from ceiba.testing import reference
from ceiba.testing.strategies import GRADIENT_KINDS, Case, cases, make_gradients

NAMES = (
    "tree_offsets", "feature", "threshold", "left", "right", "missing_left", "count", "value",
    "gain", "cover",
)  # fmt: skip
SCOPES = ("tree", "node")
EPS = (0.5, 0.3, 0.1, 1 / 20, 1 / 256, 1 / 300)


def approx(case: Case, eps: float, scope: str) -> Case:
    return replace(case, plan=replace(case.plan, sketch_eps=eps, approx_scope=scope))


def check_case(case: Case, n_threads: int = 1) -> None:
    grown = case.grow_exact(n_threads)
    found, expected = grown.arrays(), case.grow_exact_reference()
    for name in NAMES:
        np.testing.assert_array_equal(found[name], expected[name], err_msg=name, strict=True)
    n_trees, n_rows = case.gradients.shape
    raw = reference.predict(expected, case.X, n_trees)
    scores = np.zeros((n_trees, n_rows))
    grown.add_to_scores(scores)
    np.testing.assert_array_equal(scores.T, raw, err_msg="scores of training rows")
    forest = _core.Forest.from_grown([grown], case.X.shape[1], n_trees)
    predicted = np.zeros((n_rows, n_trees))
    forest.add_matrix(case.X, predicted, 0, 1, n_threads)
    np.testing.assert_array_equal(predicted, raw, err_msg="predictions")


@pytest.mark.parametrize("scope", SCOPES)
@given(case=cases(max_bins=(16,)), eps=st.sampled_from(EPS))
@settings(max_examples=200)
def test_small_trees(scope: str, case: Case, eps: float) -> None:
    check_case(approx(case, eps, scope))


@pytest.mark.threads
@pytest.mark.parametrize("scope", SCOPES)
@given(
    case=cases(max_rows=400, max_features=20, max_leaves=40, max_trees=5, max_bins=(16,)),
    eps=st.sampled_from(EPS),
    n_threads=st.sampled_from([2, 3]),
)
@settings(max_examples=40)
def test_small_sizes_and_threads(scope: str, case: Case, eps: float, n_threads: int) -> None:
    _core.change_settings(block_rows=64, chunk_rows=64, serial_below=0)
    check_case(approx(case, eps, scope), n_threads)


@pytest.mark.parametrize("avx2", [False, True])
@pytest.mark.parametrize("scope", SCOPES)
@given(
    case=cases(min_rows=100, max_rows=600, max_features=5, max_bins=(16,)),
    eps=st.sampled_from(EPS),
)
@settings(max_examples=30)
def test_kernels(avx2: bool, scope: str, case: Case, eps: float) -> None:
    _core.set_avx2(avx2)
    check_case(approx(case, eps, scope))


@pytest.mark.parametrize("scope", SCOPES)
@given(
    case=cases(min_rows=4500, max_rows=6000, max_features=3, max_trees=1, max_bins=(16,)),
    eps=st.sampled_from(EPS),
)
@settings(max_examples=15)
def test_many_rows(scope: str, case: Case, eps: float) -> None:
    check_case(approx(case, eps, scope), n_threads=2)


@pytest.mark.parametrize("scope", SCOPES)
@given(
    case=cases(min_rows=50, max_rows=1500, max_features=3, max_trees=1, with_hessians=True),
    eps=st.sampled_from(EPS),
    rounds=st.lists(
        st.tuples(st.sampled_from(GRADIENT_KINDS), st.booleans()), min_size=2, max_size=4
    ),
)
@settings(max_examples=15)
def test_rounds_of_one_grower(
    scope: str, case: Case, eps: float, rounds: list[tuple[str, bool]]
) -> None:
    """Buffers and codes that stay from round to round hold nothing of the round before."""
    case = approx(case, eps, scope)
    binned = _core.BinnedMatrix.build(case.bin_mapper(), case.columns(), 2)
    ranked = _core.RankedColumns.build(case.columns(), 2)
    grower = _core.Grower(binned, case.plan.for_engine(), case.weights, 2, ranked)
    mapper = _core.BinMapper.find(case.columns(), None, 65535, 1, 1)
    codes, values = reference.bin_codes(mapper, case.X), reference.distinct_values(case.X)
    for number, (kind, sampled) in enumerate(rounds):
        g = make_gradients(number, case.gradients.shape, kind)
        h = case.hessians if sampled else None
        rows = case.rows if sampled else None
        grown = grower.grow(g, h, 1.0, rows, number)
        _core.fit_constant_leaves(grown, g, h, 1.0, 0.1)
        expected = reference.grow(
            mapper, codes, g, h, 1.0, case.weights, rows, case.plan, number, 0.1, values
        )
        found = grown.arrays()
        for name in NAMES:
            np.testing.assert_array_equal(found[name], expected[name], err_msg=name, strict=True)
