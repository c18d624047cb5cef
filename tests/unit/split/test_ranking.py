"""Candidates that the cosine ranks, or noise: against the reference and by their definition."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from agreement import check_grown
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import _core
from ceiba.testing.ranking import normal_numbers
from ceiba.testing.reference import Plan
from ceiba.testing.strategies import Case, cases


@pytest.mark.parametrize("avx2", [False, True])
@given(
    case=cases(ruled=True, max_features=6),
    score=st.sampled_from(["newton", "cosine"]),
    noise=st.sampled_from([0.0, 0.1, 3.0]),
)
@settings(max_examples=200)
def test_trees_are_those_of_the_reference(avx2: bool, case: Case, score: str, noise: float) -> None:
    _core.set_avx2(avx2)
    check(replace(case, plan=replace(case.plan, score=score), noise=noise))


@given(case=cases(max_rows=400, max_features=12, max_trees=3), n_threads=st.sampled_from([2, 3]))
@settings(max_examples=40)
def test_threads_change_nothing(case: Case, n_threads: int) -> None:
    _core.change_settings(block_rows=64, chunk_rows=64, serial_below=0, shard_rows=100)
    check(replace(case, plan=replace(case.plan, score="cosine"), noise=0.5), n_threads)


def check(case: Case, n_threads: int = 1) -> None:
    mapper = case.bin_mapper(n_threads)
    check_grown(case, case.grow(mapper, n_threads), case.grow_reference(mapper), n_threads)


def make_case(n: int = 500, noise: float = 0.0, round: int = 0, **plan) -> Case:
    random = np.random.default_rng(7)
    X = random.normal(size=(n, 3))
    gradients = np.sin(3 * X[:, :1]).T + 0.1 * random.normal(size=(1, n))
    return Case(X, gradients, None, 1.0, None, None, Plan(**plan), 64, round, 1.0, noise)


def test_numbers_are_normal() -> None:
    numbers = normal_numbers(1, list(range(20_000)))
    expected = np.random.default_rng(0).normal(size=2_000_000)
    for share in (0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999):
        assert np.mean(numbers < np.quantile(expected, share)) == pytest.approx(
            share, abs=4 * np.sqrt(share * (1 - share) / len(numbers)) + 1e-4
        )


def test_the_first_level_has_the_best_cosine() -> None:
    """All thresholds of all columns, from values and not from bins."""
    case = make_case(grow_policy="symmetric", max_depth=1, reg_lambda=3.0, score="cosine")
    trees = case.grow(case.bin_mapper()).arrays()
    g = case.gradients[0]

    def cosine(left: np.ndarray) -> float:
        sides = [(g[side].sum(), side.sum()) for side in (left, ~left)]
        top = sum(gradient**2 / (count + 3.0) for gradient, count in sides)
        return top / np.sqrt(sum((s / (c + 3.0)) ** 2 * c for s, c in sides))

    mapper = case.bin_mapper()
    best = max(cosine(case.X[:, j] <= edge) for j in range(3) for edge in mapper.edges(j))
    found = case.X[:, trees["feature"][0]] <= trees["threshold"][0]
    assert cosine(found) == pytest.approx(best, rel=1e-12)


def test_a_symmetric_tree_of_the_cosine_has_its_full_depth() -> None:
    """As CatBoost has it: penalties make a level lose a little, and it is there all the same."""
    plan = {"grow_policy": "symmetric", "max_depth": 6, "max_leaves": 0, "reg_lambda": 300.0}
    case = make_case(score="cosine", **plan)
    assert len(case.grow(case.bin_mapper()).arrays()["feature"]) == 127
    case = replace(case, plan=replace(case.plan, min_split_gain=1e6))
    assert len(case.grow(case.bin_mapper()).arrays()["feature"]) == 1
    nothing = replace(make_case(score="cosine", **plan), gradients=np.zeros((1, 500)))
    assert len(nothing.grow(nothing.bin_mapper()).arrays()["feature"]) == 1


@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
def test_noise_chooses_another_column_now_and_then(policy: str) -> None:
    def first_columns(noise: float) -> set[int]:
        found = set()
        for round in range(30):
            case = make_case(noise=noise, round=round, grow_policy=policy, max_depth=2)
            found.add(int(case.grow(case.bin_mapper()).arrays()["feature"][0]))
        return found

    assert first_columns(0.0) == {0}
    assert first_columns(1000.0) == {0, 1, 2}


def test_what_needs_bins_is_refused() -> None:
    case = make_case(score="cosine")
    with pytest.raises(ValueError, match="'exact' does not support 'cosine'"):
        case.grow_exact()
    with pytest.raises(ValueError, match="score must be"):
        Plan(score="sine").for_engine()
    grower = _core.Grower(
        _core.GrowerTable(_core.BinnedMatrix.build(case.bin_mapper(), case.columns(), 1)),
        Plan().for_engine(),
        None,
        1,
    )
    with pytest.raises(ValueError, match="one sigma for each tree"):
        grower.grow(case.gradients, None, 1.0, None, 0, noise=[1.0, 2.0])
    with pytest.raises(ValueError, match="finite"):
        grower.grow(case.gradients, None, 1.0, None, 0, noise=[float("nan")])
