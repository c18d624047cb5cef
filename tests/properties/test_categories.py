"""Sets of levels against the plain reference: grown, applied, predicted by both predictors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from agreement import check_trees
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import _core
from ceiba.testing import reference
from ceiba.testing.strategies import Case, cases
from ceiba.testing.trees import CategoryRule

KINDS = ("number", "onehot", "subset")
METHODS = ("hist", "exact", "tree", "node")


@st.composite
def rules(draw: st.DrawFn) -> CategoryRule:
    return CategoryRule(
        smooth=draw(st.sampled_from((0.0, 1.0, 10.0))),
        l2=draw(st.sampled_from((0.0, 10.0))),
        max_levels=draw(st.sampled_from((1, 4, 32))),
        halves=draw(st.booleans()),
        parted=draw(st.booleans()),
        min_group=draw(st.sampled_from((1.0, 5.0, 20.0))),
        support=draw(st.sampled_from((0.0, 3.0))),
        min_levels=draw(st.sampled_from((1, 2))),
        by_constant=draw(st.booleans()),
        missing=draw(st.sampled_from(("level", "right", "either"))),
    )


@st.composite
def category_cases(draw: st.DrawFn, **limits) -> tuple[Case, list[int]]:
    """A case some of whose columns are categories, with the number of their levels."""
    case = draw(cases(**limits))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_rows, n_features = case.X.shape
    kinds = [draw(st.sampled_from(KINDS)) for _ in range(n_features)]
    X, n_levels = case.X.copy(), []
    for j, kind in enumerate(kinds):
        if kind == "number":
            n_levels.append(0)
            continue
        missing = np.isnan(X[:, j])
        n_levels.append(draw(st.sampled_from((1, 2, 3, 9, 70, 300))))
        X[:, j] = random.integers(0, n_levels[j], size=n_rows)
        X[missing, j] = np.nan
    monotone = tuple(
        0 if kind != "number" else way for kind, way in zip(kinds, case.plan.monotone, strict=False)
    )
    plan = replace(case.plan, kinds=tuple(kinds), category=draw(rules()), monotone=monotone)
    return replace(case, X=X, plan=plan), n_levels


def mapper_of(case: Case, n_levels: list[int], max_bins: int) -> _core.BinMapper:
    return _core.BinMapper.find(case.columns(), case.weights, max_bins, 1, 1, n_levels)


def check(case: Case, n_levels: list[int], method: str, n_threads: int = 1) -> None:
    if method in ("tree", "node"):
        case = replace(case, plan=replace(case.plan, sketch_eps=0.1, approx_scope=method))
    mapper = mapper_of(case, n_levels, case.max_bins)
    lists = method == "hist"  # exact splits lie inside of bins, also where there is one
    binned = _core.BinnedMatrix.build(mapper, case.columns(), n_threads, lists)
    ranked = None if method == "hist" else _core.RankedColumns.build(case.columns(), n_threads)
    grower = _core.Grower(
        _core.GrowerTable(binned, ranked), case.plan.for_engine(), case.weights, n_threads
    )
    grown = case.trees_of(grower)
    if method == "hist":
        expected = case.grow_reference(mapper)
    else:
        fine = mapper_of(replace(case, weights=None), n_levels, 65535)
        expected = case._reference(fine, distinct(case, n_levels))
    found = grown.arrays()
    check_trees(found, expected)
    for name in ("set_of_node", "set_offsets", "set_words"):
        assert (name in found) == (name in expected)
    n_trees, n_rows = case.gradients.shape
    raw = reference.predict(expected, case.X, n_trees)
    scores = np.zeros((n_trees, n_rows))
    grown.add_to_scores(scores)
    np.testing.assert_array_equal(scores.T, raw, err_msg="scores of training rows")
    forest = _core.Forest.from_grown([grown], case.X.shape[1], n_trees)
    for some in (case.X, case.X[:2]):  # many rows and few
        predicted = np.zeros((len(some), n_trees))
        forest.add_matrix(np.ascontiguousarray(some), predicted, 0, 1, n_threads)
        np.testing.assert_array_equal(predicted, raw[: len(some)], err_msg="predictions")


def distinct(case: Case, n_levels: list[int]) -> list[np.ndarray]:
    """Return the values of each column; those of a category are all of its levels."""
    values = reference.distinct_values(case.X)
    return [np.arange(float(n)) if n else own for n, own in zip(n_levels, values, strict=True)]


@pytest.mark.parametrize("method", METHODS)
@given(drawn=category_cases(max_bins=(16,)))
@settings(max_examples=150)
def test_small_trees(method: str, drawn: tuple[Case, list[int]]) -> None:
    check(*drawn, method)


@given(drawn=category_cases(max_bins=(16,)))
@settings(max_examples=100)
def test_extra_trees(drawn: tuple[Case, list[int]]) -> None:
    """Of the levels of a category one is drawn, or how many there are in a set."""
    case, n_levels = drawn
    check(replace(case, plan=replace(case.plan, extra_trees=True)), n_levels, "hist")


@given(drawn=category_cases(max_bins=(16,), with_hessians=True))
@settings(max_examples=200)
def test_estimated_row_counts(drawn: tuple[Case, list[int]]) -> None:
    case, n_levels = drawn
    check(replace(case, plan=replace(case.plan, estimate_rows=True)), n_levels, "hist")


@pytest.mark.parametrize("method", ["exact", "tree", "node"])
@given(drawn=category_cases(max_bins=(16,)))
@settings(max_examples=20)
def test_searches_without_estimated_row_counts(method: str, drawn: tuple[Case, list[int]]) -> None:
    case, n_levels = drawn
    check(replace(case, plan=replace(case.plan, estimate_rows=True)), n_levels, method)


@pytest.mark.threads
@given(
    drawn=category_cases(max_rows=400, max_features=20, max_leaves=40, max_trees=5, max_bins=(16,)),
    n_threads=st.sampled_from([2, 3]),
)
@settings(max_examples=30)
def test_small_sizes_and_threads(drawn: tuple[Case, list[int]], n_threads: int) -> None:
    _core.change_settings(block_rows=64, chunk_rows=64, serial_below=0)
    check(*drawn, "hist", n_threads)


@pytest.mark.parametrize("method", ["hist", "tree"])
@given(
    made=category_cases(max_features=4, max_trees=1),
    score=st.sampled_from(["newton", "cosine"]),
    noise=st.sampled_from([0.0, 0.1, 3.0]),
)
@settings(max_examples=80)
def test_sets_that_the_cosine_or_noise_ranks(
    method: str, made: tuple[Case, list[int]], score: str, noise: float
) -> None:
    case, n_levels = made
    check(replace(case, plan=replace(case.plan, score=score), noise=noise), n_levels, method)
