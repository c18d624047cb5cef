"""Approx splits against the plain reference, bit for bit, with candidates of trees and of nodes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from agreement import check_exact, check_rounds
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import _core
from ceiba.testing.strategies import GRADIENT_KINDS, Case, cases

SCOPES = ("tree", "node")
EPS = (0.5, 0.3, 0.1, 1 / 20, 1 / 256, 1 / 300)


def approx(case: Case, eps: float, scope: str) -> Case:
    return replace(case, plan=replace(case.plan, sketch_eps=eps, approx_scope=scope))


@pytest.mark.parametrize("scope", SCOPES)
@given(case=cases(max_bins=(16,)), eps=st.sampled_from(EPS))
@settings(max_examples=200)
def test_small_trees(scope: str, case: Case, eps: float) -> None:
    check_exact(approx(case, eps, scope))


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
    check_exact(approx(case, eps, scope), n_threads)


@pytest.mark.parametrize("avx2", [False, True])
@pytest.mark.parametrize("scope", SCOPES)
@given(
    case=cases(min_rows=100, max_rows=600, max_features=5, max_bins=(16,)),
    eps=st.sampled_from(EPS),
)
@settings(max_examples=30)
def test_kernels(avx2: bool, scope: str, case: Case, eps: float) -> None:
    _core.set_avx2(avx2)
    check_exact(approx(case, eps, scope))


@pytest.mark.parametrize("scope", SCOPES)
@given(
    case=cases(min_rows=4500, max_rows=6000, max_features=3, max_trees=1, max_bins=(16,)),
    eps=st.sampled_from(EPS),
)
@settings(max_examples=15)
def test_many_rows(scope: str, case: Case, eps: float) -> None:
    check_exact(approx(case, eps, scope), n_threads=2)


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
    grower = _core.Grower(
        _core.GrowerTable(binned, ranked), case.plan.for_engine(), case.weights, 2
    )
    check_rounds(case, grower, Case.grow_exact_reference, rounds)
