"""The fast grower and predictor against the plain reference: the same trees, bit for bit."""

from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np
import pytest
from agreement import check_grown, check_rounds, check_trees
from hypothesis import given, settings
from hypothesis import strategies as st

import ceiba
from ceiba import _core
from ceiba.parameters import BY_NAME
from ceiba.testing import reference
from ceiba.testing.rounding import levels
from ceiba.testing.strategies import (
    GRADIENT_KINDS,
    Case,
    cases,
    plans,
    tables,
    targets,
    weight_columns,
)


def check_case(case: Case, n_threads: int = 1) -> None:
    mapper = case.bin_mapper(n_threads)
    grown, expected = case.grow(mapper, n_threads), case.grow_reference(mapper)
    forest = check_grown(case, grown, expected, n_threads)
    leaves = forest.apply_matrix(case.X, 0, 1, n_threads)
    np.testing.assert_array_equal(leaves, reference.leaves_of(expected, case.X))

    others = other_rows(case.X)  # values, and missing ones, that training never saw
    n_trees = len(case.gradients)
    raw = reference.predict(expected, others, n_trees)
    scores = np.zeros((n_trees, len(others)))
    columns = [[others[:, j]] for j in range(others.shape[1])]
    grown.add_to_binned_scores(_core.BinnedMatrix.build(mapper, columns, n_threads), scores)
    np.testing.assert_array_equal(scores.T, raw, err_msg="scores of other rows")


def other_rows(X: np.ndarray) -> np.ndarray:
    random = np.random.default_rng(0)
    others = X.copy()
    others[random.random(X.shape) < 0.2] = np.nan
    shifted = random.random(X.shape) < 0.2
    others[shifted] += random.normal(size=shifted.sum())
    return others


@given(cases())
@settings(max_examples=350)
def test_small_trees(case: Case) -> None:
    check_case(case)


@pytest.mark.parametrize("avx2", [False, True])
@given(case=cases(ruled=True, max_features=8))
@settings(max_examples=250)
def test_rules_of_columns_and_pruning(avx2: bool, case: Case) -> None:
    _core.set_avx2(avx2)
    check_case(case)


@given(cases(max_rows=400, max_features=20, max_leaves=40, max_trees=5), st.sampled_from([2, 3]))
@settings(max_examples=60)
def test_small_trees_with_small_sizes_and_threads(case: Case, n_threads: int) -> None:
    _core.change_settings(block_rows=64, chunk_rows=64, serial_below=0, shard_rows=100)
    check_case(case, n_threads)


@pytest.mark.parametrize("avx2", [False, True])
@given(
    case=cases(ruled=True, max_features=8, with_hessians=True), n_threads=st.sampled_from([1, 2])
)
@settings(max_examples=250)
def test_estimated_row_counts(avx2: bool, case: Case, n_threads: int) -> None:
    """Minimums of rows apply to counts that hessians suggest."""
    _core.set_avx2(avx2)
    check_case(replace(case, plan=replace(case.plan, estimate_rows=True)), n_threads)


@given(cases(ruled=True, max_features=8), st.sampled_from([1, 2]))
@settings(max_examples=200)
def test_extra_trees(case: Case, n_threads: int) -> None:
    """Of the thresholds of a column one is drawn, for each node or each level."""
    check_case(replace(case, plan=replace(case.plan, extra_trees=True)), n_threads)


@pytest.mark.parametrize("avx2", [False, True])
@given(
    case=cases(
        ruled=True,
        max_rows=400,
        max_features=5,
        max_leaves=40,
        gradient_kinds=("lognormal", "cauchy"),
        with_hessians=False,
    ),
    extra_trees=st.booleans(),
    n_threads=st.sampled_from([1, 2]),
)
@settings(max_examples=250)
def test_heavy_tails_in_own_units(
    avx2: bool, case: Case, extra_trees: bool, n_threads: int
) -> None:
    """Nodes of small gradients are split as exactly as those of large ones."""
    _core.set_avx2(avx2)
    _core.change_settings(block_rows=64, chunk_rows=64, serial_below=0, shard_rows=100)
    plan = replace(
        case.plan, own_units=True, extra_trees=extra_trees, reg_lambda=0.0, reg_alpha=0.0
    )
    check_case(replace(case, plan=plan), n_threads)


@given(
    cases(min_rows=50, max_rows=5000, max_features=3, max_trees=1, with_hessians=True),
    st.lists(st.tuples(st.sampled_from(GRADIENT_KINDS), st.booleans()), min_size=2, max_size=4),
)
@settings(max_examples=25)
def test_rounds_of_one_grower(case: Case, rounds: list[tuple[str, bool]]) -> None:
    """Buffers that stay from round to round hold nothing of the round before."""
    mapper = case.bin_mapper()
    binned = _core.BinnedMatrix.build(mapper, case.columns(), 2)
    grower = _core.Grower(_core.GrowerTable(binned), case.plan.for_engine(), case.weights, 2)
    check_rounds(case, grower, lambda own: own.grow_reference(mapper), rounds)


@given(tables(min_rows=30, max_rows=200), plans(), st.data())
@settings(max_examples=40)
def test_whole_trainings(X: np.ndarray, plan: reference.Plan, data: st.DataObject) -> None:
    """Several rounds through ``ceiba.train`` are the rounds of the reference."""
    y = data.draw(targets(len(X)))
    weights = data.draw(weight_columns(len(X)))
    # What a plan has besides the parameters of a user is as they leave it.
    params = {
        name: value
        for name, value in asdict(plan).items()
        if name in BY_NAME and name not in ("sketch_eps", "approx_scope")
    }
    model = ceiba.train(
        {
            **params,
            "random_state": plan.seed,
            "n_estimators": 3,
            "learning_rate": 0.3,
            "subsample": 0.8,
            "max_bins": 256,
            "min_data_in_bin": 1,
            "n_jobs": 2,
        },
        ceiba.Dataset(X, y, weight=weights),
    )
    columns = [[X[:, j]] for j in range(X.shape[1])]
    mapper = _core.BinMapper.find(columns, weights, 256, 1, 1)
    codes = reference.bin_codes(mapper, X)
    scores = np.full((len(X), 1), model.start_scores[0])
    for iteration in range(3):
        lots = _core.hash_uniform(plan.seed, iteration, len(X))
        rows = np.flatnonzero(lots < 0.8).astype(np.int32)
        gradients = (scores[:, 0] - y)[None]
        expected = reference.grow(
            mapper, codes, gradients, None, 1.0, weights, rows, plan, iteration, 0.3
        )
        check_trees(model.forest.slice(iteration, iteration + 1).arrays(), expected)
        scores += reference.predict(expected, X, 1)
    np.testing.assert_array_equal(model.predict_raw(X), scores[:, 0])


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


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
def test_histograms_too_large_to_keep(policy: str) -> None:
    """38 MB for each histogram: the pool keeps few, and children are summed from their rows."""
    random = np.random.default_rng(4)
    n = 40_000
    X = random.normal(size=(n, 60))
    hessians = random.uniform(0.1, 1.0, size=(1, n))
    gradients = random.normal(size=(1, n)) + X[:, 0] * X[:, 1]
    plan = reference.Plan(grow_policy=policy, max_leaves=16)
    check_case(Case(X, gradients, hessians, 1.0, None, None, plan, 65_535, 0, 0.1), n_threads=2)


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


def test_a_heavy_tail_takes_the_finest_form_at_any_size() -> None:
    """With a constant hessian one word is as fine as a pair."""
    random = np.random.default_rng(1)
    n = 300
    X = random.normal(size=(n, 2))
    gradients = random.normal(size=(1, n))
    gradients[0, 0] = 1e12
    assert levels("single", n, True)[0] == levels("wide", n, True)[0]
    for hessians, form in ((None, "single"), (np.ones((1, n)), "wide")):
        case = Case(X, gradients, hessians, 1.0, None, None, reference.Plan(), 256, 0, 1.0)
        _core.reset_counters()
        check_case(case)
        assert _core.counters()[f"{form}_trees"] == 1


def test_a_heavy_tail_is_centered_where_gains_allow_it() -> None:
    random = np.random.default_rng(1)
    n = 300
    X = random.normal(size=(n, 2))
    gradients = np.exp(4 * random.normal(size=(1, n)))
    plan = reference.Plan(max_leaves=100, own_units=True)
    for own, form in (
        (plan, "wide"),
        (replace(plan, reg_lambda=1.0), "single"),
        (replace(plan, max_delta_step=1.0), "single"),
        (replace(plan, own_units=False), "single"),
    ):
        case = Case(X, gradients, None, 1.0, None, None, own, 256, 0, 1.0)
        _core.reset_counters()
        check_case(case)
        assert _core.counters()[f"{form}_trees"] == 1


def test_few_rows_without_a_penalty_take_the_finest_form() -> None:
    """A penalty above a sixteenth of the largest hessian hides how small ones are rounded."""
    random = np.random.default_rng(3)
    X = random.normal(size=(5000, 2))
    gradients, hessians = random.normal(size=(1, 5000)), random.gamma(0.3, size=(1, 5000))
    largest = hessians[0, :4096].max()
    for n, penalty, form in (
        (4096, 0.0, "wide"),
        (4096, 0.99 * largest / 16, "wide"),
        (4096, largest / 16, "single"),
        (4097, 0.0, "packed"),
    ):
        plan = reference.Plan(reg_lambda=penalty)
        case = Case(X[:n], gradients[:, :n], hessians[:, :n], 1.0, None, None, plan, 256, 0, 1.0)
        _core.reset_counters()
        check_case(case)
        assert _core.counters()[f"{form}_trees"] == 1, (n, penalty)


def test_whole_weights_of_any_size() -> None:
    """A sum of weights that no integer field holds is no error: such weights act as reals."""
    random = np.random.default_rng(2)
    n = 5000
    X, gradients = random.normal(size=(n, 2)), random.normal(size=(1, n))
    case = Case(X, gradients, None, 1.0, np.full(n, 1e6), None, reference.Plan(), 256, 0, 1.0)
    check_case(case)
