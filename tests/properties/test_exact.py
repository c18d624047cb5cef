"""Exact splits against the plain reference, bit for bit, whatever bins help to find them."""

from __future__ import annotations

import pytest
from agreement import check_exact, check_rounds
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import _core
from ceiba.testing.strategies import GRADIENT_KINDS, Case, cases


@given(cases(max_bins=(2, 3, 5, 16, 256)))
@settings(max_examples=350)
def test_small_trees(case: Case) -> None:
    check_exact(case)


@given(
    cases(max_rows=400, max_features=20, max_leaves=40, max_trees=5, max_bins=(2, 8, 60, 256)),
    st.sampled_from([2, 3]),
)
@settings(max_examples=60)
def test_small_sizes_and_threads(case: Case, n_threads: int) -> None:
    _core.change_settings(block_rows=64, chunk_rows=64, serial_below=0)
    check_exact(case, n_threads)


@pytest.mark.parametrize("avx2", [False, True])
@given(case=cases(min_rows=100, max_rows=600, max_features=5, max_bins=(4, 20, 256, 300)))
@settings(max_examples=60)
def test_kernels(avx2: bool, case: Case) -> None:
    _core.set_avx2(avx2)
    check_exact(case)


@given(cases(min_rows=4500, max_rows=6000, max_features=3, max_trees=1, max_bins=(16, 256)))
@settings(max_examples=30)
def test_many_rows(case: Case) -> None:
    check_exact(case, n_threads=2)


@given(
    cases(min_rows=50, max_rows=2000, max_features=3, max_trees=1, with_hessians=True),
    st.lists(st.tuples(st.sampled_from(GRADIENT_KINDS), st.booleans()), min_size=2, max_size=4),
)
@settings(max_examples=25)
def test_rounds_of_one_grower(case: Case, rounds: list[tuple[str, bool]]) -> None:
    """Buffers that stay from round to round hold nothing of the round before."""
    binned = _core.BinnedMatrix.build(case.bin_mapper(), case.columns(), 2, lists=False)
    ranked = _core.RankedColumns.build(case.columns(), 2)
    grower = _core.Grower(
        _core.GrowerTable(binned, ranked), case.plan.for_engine(), case.weights, 2
    )
    check_rounds(case, grower, Case.grow_exact_reference, rounds)
