"""What must not change a tree, and what must change it in a known way."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import _core
from ceiba.testing.strategies import Case, cases

TREE = ("feature", "threshold", "left", "right", "missing_left", "value", "gain", "cover", "count")


def grow(case: Case, n_threads: int = 1) -> dict[str, np.ndarray]:
    return case.grow(case.bin_mapper(), n_threads).arrays()


def assert_same(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> None:
    for name in ("tree_offsets", *TREE):
        np.testing.assert_array_equal(a[name], b[name], err_msg=name, strict=True)


def take(case: Case, rows: np.ndarray, weights: np.ndarray | None) -> Case:
    return replace(
        case,
        X=case.X[rows],
        gradients=np.ascontiguousarray(case.gradients[:, rows]),
        hessians=None if case.hessians is None else np.ascontiguousarray(case.hessians[:, rows]),
        weights=weights,
        rows=None,
    )


@given(cases(weight_kinds=("whole", "large whole")))
@settings(max_examples=80)
def test_weight_k_is_a_row_that_stands_k_times(case: Case) -> None:
    assert case.weights is not None
    case = replace(case, rows=None, plan=replace(case.plan, weighted_counts=True))
    repeated = take(case, np.repeat(np.arange(len(case.X)), case.weights.astype(int)), None)
    assert_same(grow(case), grow(repeated))


@given(cases(min_rows=1500, max_rows=2500, max_features=3, weight_kinds=("whole", "large whole")))
@settings(max_examples=15)
def test_weight_k_is_a_row_that_stands_k_times_in_packed_sums(case: Case) -> None:
    assert case.weights is not None
    case = replace(case, rows=None, plan=replace(case.plan, weighted_counts=True))
    repeated = take(case, np.repeat(np.arange(len(case.X)), case.weights.astype(int)), None)
    assert_same(grow(case), grow(repeated))


@given(cases(), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_order_of_rows(case: Case, random) -> None:
    case = replace(case, rows=None)
    order = np.array(random.sample(range(len(case.X)), len(case.X)))
    moved = take(case, order, None if case.weights is None else case.weights[order])
    assert_same(grow(case), grow(moved))


# Whole weights: of others, those selected could happen to be whole, and so act as repeats.
@given(cases(sampled=True, weight_kinds=("none", "whole", "large whole")))
@settings(max_examples=40)
def test_selected_rows_are_as_good_as_a_table_of_them(case: Case) -> None:
    assert case.rows is not None
    mapper = case.bin_mapper()
    part = take(case, case.rows, None if case.weights is None else case.weights[case.rows])
    assert_same(case.grow(mapper).arrays(), part.grow(mapper).arrays())


@given(cases(gradient_kinds=("normal", "few", "integers", "lognormal")), st.sampled_from([-30, 40]))
@settings(max_examples=40)
def test_powers_of_two(case: Case, exponent: int) -> None:
    """Gradients and hessians times 2**k: the same splits and values."""
    plan = replace(
        case.plan, reg_lambda=0.0, reg_alpha=0.0, min_child_weight=0.0, min_split_gain=0.0
    )
    case = replace(case, plan=plan)
    factor = 2.0**exponent
    scaled = replace(
        case,
        gradients=case.gradients * factor,
        hessians=None if case.hessians is None else case.hessians * factor,
        constant_hessian=case.constant_hessian * factor,
    )
    a, b = grow(case), grow(scaled)
    for name in ("feature", "threshold", "left", "right", "missing_left", "value", "count"):
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)
    np.testing.assert_array_equal(a["cover"] * factor, b["cover"])


@given(cases(gradient_kinds=("normal", "lognormal", "integers")))
@settings(max_examples=40)
def test_the_sign_of_gradients(case: Case) -> None:
    a, b = grow(case), grow(replace(case, gradients=-case.gradients))
    np.testing.assert_array_equal(a["value"], -b["value"])
    for name in ("feature", "threshold", "left", "right", "missing_left", "gain", "count"):
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


@given(cases(max_features=4))
@settings(max_examples=40)
def test_a_column_that_says_nothing(case: Case) -> None:
    """Constant columns behind the others are never used."""
    plan = replace(case.plan, colsample_bytree=1.0, colsample_bylevel=1.0, colsample_bynode=1.0)
    case = replace(case, plan=plan)
    wider = replace(case, X=np.hstack([case.X, np.full((len(case.X), 18), 3.0)]))
    assert_same(grow(case), grow(wider))


@given(cases(max_features=3))
@settings(max_examples=40)
def test_ties_go_to_the_first_column(case: Case) -> None:
    plan = replace(case.plan, colsample_bytree=1.0, colsample_bylevel=1.0, colsample_bynode=1.0)
    case = replace(case, plan=plan)
    doubled = replace(case, X=np.hstack([case.X, case.X]))
    assert_same(grow(case), grow(doubled))


@given(cases(max_features=3))
@settings(max_examples=40)
def test_rising_functions_of_columns(case: Case) -> None:
    """Only the order of values matters: the same partition of rows, the same values."""
    X = case.X.copy()
    X[~np.isfinite(X) & ~np.isnan(X)] = 0.0
    X = np.clip(X, -1e6, 1e6)
    case = replace(case, X=X)
    ranks = np.empty_like(X)
    for j in range(X.shape[1]):
        ranks[:, j] = np.searchsorted(np.unique(X[:, j]), X[:, j])
    ranks[np.isnan(X)] = np.nan
    a, b = grow(case), grow(replace(case, X=ranks))
    for name in ("feature", "left", "right", "missing_left", "value", "gain", "cover", "count"):
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


@given(cases(max_rows=200), st.sampled_from([2, 3, 5]), st.booleans(), st.integers(0, 60))
@settings(max_examples=60)
def test_threads_kernels_and_shards(
    case: Case, n_threads: int, avx2: bool, shard_rows: int
) -> None:
    plain = grow(case)
    _core.set_avx2(avx2)
    _core.change_settings(block_rows=16, chunk_rows=16, serial_below=0, shard_rows=shard_rows)
    changed = grow(case, n_threads)
    _core.change_settings(block_rows=4096, chunk_rows=16384, serial_below=32768, shard_rows=0)
    assert_same(plain, changed)


@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
@given(case=cases(max_rows=300, max_leaves=12))
@settings(max_examples=40)
def test_limits_hold(policy: str, case: Case) -> None:
    plan = replace(case.plan, grow_policy=policy, max_depth=max(1, case.plan.max_depth))
    case = replace(case, plan=plan)
    arrays = grow(case)
    offsets = arrays["tree_offsets"]
    for first, last in pairwise(offsets):
        feature, count = arrays["feature"][first:last], arrays["count"][first:last]
        left, right = arrays["left"][first:last], arrays["right"][first:last]
        assert plan.max_leaves == 0 or (feature < 0).sum() <= plan.max_leaves
        depth = np.zeros(last - first, dtype=int)
        for node in np.flatnonzero(feature >= 0):
            depth[[left[node], right[node]]] = depth[node] + 1
            assert count[left[node]] + count[right[node]] == count[node]
            if policy != "symmetric":
                assert count[[left[node], right[node]]].min() >= plan.min_samples_leaf
                assert arrays["gain"][first + node] >= plan.min_split_gain
        assert depth.max() <= plan.max_depth
        if policy == "symmetric":
            assert len(set(depth[feature < 0])) == 1
