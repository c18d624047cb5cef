"""Scores of rows by models that have not seen them: against the reference, and without leaks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import _core
from ceiba.testing.prefix_scores import ordered_tails, prefix_models, rows_in_order
from ceiba.testing.reference import Plan

RATE = 0.3


def derivatives(scores: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    p = 1 / (1 + np.exp(-scores))
    return p - target, p * (1 - p)


def scores_after(
    target: np.ndarray,
    rounds: list[np.ndarray],
    *,
    n_permutations: int = 2,
    first_rows: int = 1,
    seed: int = 0,
    steps: int = 1,
    weights: np.ndarray | None = None,
    reg_lambda: float = 1.0,
    n_threads: int = 1,
) -> list[np.ndarray]:
    """Return what each row is scored by each permutation."""
    plan = Plan(reg_lambda=reg_lambda, penalize_steps=True, backtrack=False).for_engine()
    ordered = _core.PrefixScores(
        start=np.zeros((1, len(target))),
        n_permutations=n_permutations,
        first_rows=first_rows,
        seed=seed,
        plan=plan,
        weights=weights,
        n_threads=n_threads,
    )
    seen = ordered.body_rows()
    for leaves in rounds:
        ordered.begin(leaves[None])
        for _ in range(steps):
            gradients, hessians = derivatives(ordered.moved()[0], target[seen])
            ordered.step(gradients[None], hessians[None], 0.0)
        ordered.end(RATE)
    return [ordered.tails(permutation)[0] for permutation in range(n_permutations)]


def make(seed: int, n_rows: int, n_rounds: int) -> tuple[np.ndarray, list[np.ndarray]]:
    random = np.random.default_rng(seed)
    target = random.integers(0, 2, size=n_rows).astype(float)
    return target, [random.integers(0, 5, size=n_rows).astype(np.int32) for _ in range(n_rounds)]


seeds = st.integers(0, 2**32 - 1)


@given(
    seed=seeds,
    n_rows=st.integers(1, 80),
    first_rows=st.sampled_from([0, 1, 2, 7]),
    steps=st.sampled_from([1, 3]),
    weighted=st.booleans(),
)
@settings(max_examples=150)
def test_scores_are_those_of_the_reference(
    seed: int, n_rows: int, first_rows: int, steps: int, weighted: bool
) -> None:
    target, rounds = make(seed, n_rows, 3)
    weights = np.random.default_rng(seed).uniform(0.5, 2.0, size=n_rows) if weighted else None
    options = {"first_rows": first_rows, "steps": steps, "weights": weights, "seed": seed % 100}
    found = scores_after(target, rounds, **options)
    for permutation, tails in enumerate(found):
        order = rows_in_order(seed % 100, permutation, n_rows)
        np.testing.assert_array_equal(_core.ordered_rows(seed % 100, permutation, n_rows), order)
        expected = ordered_tails(
            order,
            first_rows,
            np.zeros(n_rows),
            target,
            np.ones(n_rows) if weights is None else weights,
            rounds,
            derivatives,
            1.0,
            steps,
            RATE,
        )
        np.testing.assert_allclose(tails, expected, rtol=1e-9, atol=1e-12)


@given(
    seed=seeds,
    n_rows=st.integers(2, 60),
    first_rows=st.sampled_from([1, 2, 5]),
    steps=st.sampled_from([1, 4]),
    data=st.data(),
)
@settings(max_examples=1000, deadline=None)
def test_a_row_s_own_target_never_changes_its_score(
    seed: int, n_rows: int, first_rows: int, steps: int, data: st.DataObject
) -> None:
    """With the trees held fixed."""
    row = data.draw(st.integers(0, n_rows - 1))
    target, rounds = make(seed, n_rows, 3)
    changed = target.copy()
    changed[row] = 1.0 - changed[row]
    options = {"first_rows": first_rows, "steps": steps, "n_permutations": 3, "seed": seed % 7}
    before, after = (scores_after(own, rounds, **options) for own in (target, changed))
    for one, other in zip(before, after, strict=True):
        assert one[row] == other[row]


def test_targets_of_other_rows_do_change_it() -> None:
    target, rounds = make(1, 50, 3)
    before, after = (scores_after(own, rounds) for own in (target, 1.0 - target))
    assert (np.array(before) != np.array(after)).mean() > 0.95


@given(n_rows=st.integers(1, 3000), first_rows=st.integers(1, 100))
@settings(max_examples=100)
def test_every_row_is_scored_once_by_a_model_that_has_not_seen_it(
    n_rows: int, first_rows: int
) -> None:
    models = prefix_models(list(range(n_rows)), first_rows)
    scored = sorted(row for model in models for row in model.scored)
    assert scored == (list(range(n_rows)) if n_rows > 1 else [])
    assert all(not set(model.seen) & set(model.scored) for model in models)
    assert sum(len(model.seen) for model in models) <= 2 * n_rows + first_rows


@pytest.mark.threads
def test_threads_change_nothing() -> None:
    _core.change_settings(serial_below=0)
    target, rounds = make(3, 20_000, 4)
    for first_rows in (0, 1):
        one, three = (
            scores_after(target, rounds, n_threads=n, first_rows=first_rows) for n in (1, 3)
        )
        np.testing.assert_array_equal(one, three)


def test_what_does_not_fit_is_refused() -> None:
    plan = Plan().for_engine()
    given = {"n_permutations": 1, "first_rows": 1, "seed": 0, "plan": plan}
    with pytest.raises(ValueError, match="a weight for each row"):
        _core.PrefixScores(start=np.zeros((1, 3)), weights=np.ones(2), **given)
    with pytest.raises(ValueError, match="need at least one row"):
        _core.PrefixScores(start=np.zeros((1, 0)), **given)
    scores = _core.PrefixScores(start=np.zeros((1, 3)), **given)
    with pytest.raises(ValueError, match="leaf for each row"):
        scores.begin(np.zeros((1, 2), dtype=np.int32))
    with pytest.raises(ValueError, match="node numbers"):
        scores.begin(np.full((1, 3), -1, dtype=np.int32))
    scores.begin(np.zeros((1, 3), dtype=np.int32))
    with pytest.raises(ValueError, match="gradient for each row that"):
        scores.step(np.zeros((1, 2)), None, 1.0)
    with pytest.raises(ValueError, match="no such permutation"):
        scores.tails(1)
