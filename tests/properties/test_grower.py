"""The fast grower and predictor against the plain reference: the same trees, bit for bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import _core
from ceiba.testing import reference
from ceiba.testing.strategies import Case, cases

EXACT = ("tree_offsets", "feature", "threshold", "left", "right", "missing_left", "count")
BIT_FOR_BIT = ("value", "gain", "cover")


def check_case(case: Case, n_threads: int = 1) -> None:
    mapper = case.bin_mapper(n_threads)
    grown = case.grow(mapper, n_threads)
    found, expected = grown.arrays(), case.grow_reference(mapper)
    for name in EXACT + BIT_FOR_BIT:
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
    leaves = forest.apply_matrix(case.X, 0, 1, n_threads)
    np.testing.assert_array_equal(leaves, reference.leaves_of(expected, case.X))


@given(cases())
@settings(max_examples=350)
def test_small_trees(case: Case) -> None:
    check_case(case)


@given(cases(max_rows=400, max_features=20, max_leaves=40))
@settings(max_examples=60)
def test_small_trees_with_small_sizes_and_threads(case: Case) -> None:
    _core.change_settings(block_rows=64, chunk_rows=64, serial_below=0, shard_rows=100)
    check_case(case, n_threads=3)


@given(cases(max_rows=600, max_features=3, max_bins=(300, 500, 2000), max_trees=1), st.booleans())
@settings(max_examples=60)
def test_many_bins(case: Case, avx2: bool) -> None:
    _core.set_avx2(avx2)
    check_case(case)


@given(
    cases(
        min_rows=4500,
        max_rows=6000,
        max_features=4,
        max_trees=1,
        with_hessians=True,
        weight_kinds=("none", "none", "whole", "large whole", "real"),
    )
)
@settings(max_examples=40)
def test_packed_and_wide_sums(case: Case) -> None:
    check_case(case, n_threads=2)


@pytest.mark.parametrize("avx2", [False, True])
@given(case=cases(max_rows=300, max_features=5))
@settings(max_examples=40)
def test_kernels(avx2: bool, case: Case) -> None:
    _core.set_avx2(avx2)
    check_case(case)


def test_every_form_is_met() -> None:
    """The generated cases above meet each form of the sums; this shows which takes which."""
    random = np.random.default_rng(0)
    n = 5000
    X = random.normal(size=(n, 3))
    gradients = random.normal(size=(1, n))
    plan = reference.Plan(max_leaves=8)
    tail = gradients * np.exp(8 * random.normal(size=(1, n)))
    for form, g, h, weights in (
        ("single", gradients, None, None),
        ("packed", gradients, np.ones((1, n)), None),
        ("packed", gradients, np.ones((1, n)), np.full(n, 3.0)),
        ("wide", gradients, np.ones((1, n)), np.full(n, 30.0)),
        ("packed", gradients, np.ones((1, n)), np.full(n, 0.3)),
        ("packed", gradients, None, np.full(n, 0.3)),
        ("wide", tail, np.ones((1, n)), None),
    ):
        case = Case(X, g, h, 1.0, weights, None, plan, 256, 0, 0.1)
        _core.reset_counters()
        check_case(case)
        counters = _core.counters()
        assert counters[f"{form}_trees"] == 1, (form, counters)


def test_a_heavy_tail_takes_the_wide_form_at_any_size() -> None:
    random = np.random.default_rng(1)
    n = 300
    X = random.normal(size=(n, 2))
    gradients = random.normal(size=(1, n))
    gradients[0, 0] = 1e12
    for hessians in (None, np.ones((1, n))):
        case = Case(X, gradients, hessians, 1.0, None, None, reference.Plan(), 256, 0, 1.0)
        _core.reset_counters()
        check_case(case)
        assert _core.counters()["wide_trees"] == 1


def test_whole_weights_of_any_size() -> None:
    """A sum of weights that no integer field holds is no error: such weights act as reals."""
    random = np.random.default_rng(2)
    n = 5000
    X, gradients = random.normal(size=(n, 2)), random.normal(size=(1, n))
    case = Case(X, gradients, None, 1.0, np.full(n, 1e6), None, reference.Plan(), 256, 0, 1.0)
    check_case(case)
