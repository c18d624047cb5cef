"""GOSS and MVS: against the reference, unbiased, and the same for any threads."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.testing import samples

KEYS = st.tuples(st.integers(0, 2**63 - 1), st.integers(0, 5000), st.integers(0, 100))


def spread(n_rows: int, rows: np.ndarray, multipliers: np.ndarray) -> np.ndarray:
    assert (np.diff(rows) > 0).all()
    out = np.zeros(n_rows)
    out[rows] = multipliers
    return out


def round_of(seed: int, n_trees: int, n_rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gradients with ties and zeros, of several orders of magnitude."""
    random = np.random.default_rng(seed)
    gradients = random.normal(size=(n_trees, n_rows)) * 10.0 ** random.integers(-3, 3, n_rows)
    gradients[:, random.random(n_rows) < 0.3] = random.choice([0.0, 1.0, -1.0])
    return gradients, random.random((n_trees, n_rows)), random.integers(1, 4, n_rows) * 1.0


@given(
    KEYS, st.integers(0, 1000), st.integers(1, 3), st.integers(3, 120), st.floats(0.02, 0.9),
    st.booleans(), st.sampled_from([1, 2]),
)  # fmt: skip
@settings(max_examples=80)
def test_against_the_reference(
    key: tuple[int, int, int],
    seed: int,
    n_trees: int,
    n_rows: int,
    share: float,
    weighted: bool,
    n_threads: int,
) -> None:
    _core.change_settings(chunk_rows=16, serial_below=1)
    gradients, hessians, weights = round_of(seed, n_trees, n_rows)
    own, given_weights = _core.RowKey(*key), weights if weighted else None
    weights = weights if weighted else np.ones(n_rows)
    n_top, n_other = int(share * n_rows * 0.6), share * n_rows * 0.4
    drawn = _core.sample_goss(
        own, gradients, hessians, 0.0, given_weights, n_top, n_other, n_threads
    )
    expected = samples.goss(key, gradients, hessians, weights, n_top, n_other)
    if expected.any():
        np.testing.assert_array_equal(spread(n_rows, *drawn), expected)
    penalty = float(seed % 3)
    drawn = _core.sample_mvs(own, gradients, given_weights, penalty, share * n_rows, n_threads)
    sizes = np.sqrt(((gradients * weights) ** 2).sum(axis=0) + penalty)
    threshold = _core.mvs_threshold(sizes, share * n_rows, n_threads)
    expected = samples.mvs(key, gradients, weights, penalty, threshold)
    if n_trees == 1 and expected.any():  # several squares are added in another order by numpy
        np.testing.assert_array_equal(spread(n_rows, *drawn), expected)
    else:
        assert len(drawn[0]) or not sizes.any()


@given(
    st.integers(0, 10_000), st.integers(2, 300), st.floats(0.001, 0.999), st.sampled_from([1, 2])
)
@settings(max_examples=200)
def test_the_threshold_of_mvs(seed: int, n: int, share: float, n_threads: int) -> None:
    """As many rows are expected as are asked for, to nine digits."""
    _core.change_settings(chunk_rows=16, serial_below=1)
    random = np.random.default_rng(seed)
    kinds = [
        random.random(n),
        10.0 ** random.normal(0, 30, n),
        np.full(n, 3.0),
        np.r_[1e20, random.random(n - 1)],
        random.integers(1, 4, n) * 1.0,
    ]
    for sizes in kinds:
        threshold = _core.mvs_threshold(sizes, share * n, n_threads)
        assert np.minimum(1, sizes / threshold).sum() == pytest.approx(share * n, rel=1e-8)
        assert threshold == pytest.approx(samples.mvs_threshold(sizes, share * n), rel=1e-8)


def test_a_threshold_that_cannot_be() -> None:
    """Fewer rows have a gradient than are asked for."""
    sizes = np.r_[np.zeros(90), np.ones(10)]
    for n_expected in (10.0, 50.0):
        assert _core.mvs_threshold(sizes, n_expected) == 0.0
    assert _core.mvs_threshold(sizes, 5.0) == 2.0
    rows, multipliers = _core.sample_mvs(_core.RowKey(0, 0), sizes[None], None, 0.0, 50.0)
    assert (rows.tolist(), set(multipliers)) == (list(range(90, 100)), {1.0})


def unbiased(draw: Callable[[int], tuple[np.ndarray, np.ndarray]], sums: np.ndarray) -> float:
    """Return the largest |z| of sums [S, n] over samples of 2,000 seeds."""
    n_seeds, n_rows = 2000, sums.shape[1]
    found = np.array([sums @ spread(n_rows, *draw(seed)) for seed in range(n_seeds)])
    errors = found.std(axis=0, ddof=1) / np.sqrt(n_seeds)
    z = (found.mean(axis=0) - sums.sum(axis=1)) / np.maximum(errors, 1e-12 * np.abs(sums).sum(1))
    return float(np.abs(z).max())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_trees", [1, 3])
def test_sums_over_a_sample_are_those_of_all_rows(n_trees: int, weighted: bool) -> None:
    """Of gradients, hessians and counts: over all rows and over each bin of a column."""
    gradients, hessians, weights = round_of(5, n_trees, 400)
    own = weights if weighted else None
    weights = weights if weighted else np.ones(400)
    bins = np.random.default_rng(0).integers(0, 8, 400)
    bins = np.vstack([np.ones(400), *(bins == code for code in range(8))])
    values = np.vstack([gradients, hessians, np.ones((1, 400))]) * weights
    sums = np.vstack([bins * value for value in values])

    def goss(seed: int) -> tuple[np.ndarray, np.ndarray]:
        key = _core.RowKey(seed, 3)
        return _core.sample_goss(key, gradients, hessians, 0.0, own, 80, 40.0)

    def mvs(seed: int) -> tuple[np.ndarray, np.ndarray]:
        return _core.sample_mvs(_core.RowKey(seed, 3), gradients, own, 0.25, 120.0)

    assert unbiased(goss, sums) < 4
    assert unbiased(mvs, sums) < 4


def test_mvs_keeps_rows_with_its_stated_chances() -> None:
    gradients, _, _ = round_of(1, 1, 300)
    n_seeds, expected = 4000, 90.0
    sizes = np.sqrt(gradients[0] ** 2 + 0.1)
    chances = np.minimum(1.0, sizes / _core.mvs_threshold(sizes, expected))
    counts = np.zeros(300)
    for seed in range(n_seeds):
        rows, multipliers = _core.sample_mvs(_core.RowKey(seed, 0), gradients, None, 0.1, expected)
        counts[rows] += 1
        np.testing.assert_allclose(multipliers, 1 / chances[rows], rtol=1e-14)
    sure = chances == 1.0
    assert (counts[sure] == n_seeds).all()
    errors = np.sqrt(chances * (1 - chances) / n_seeds)[~sure]
    assert np.abs((counts[~sure] / n_seeds - chances[~sure]) / errors).max() < 4.5
    assert counts.sum() / n_seeds == pytest.approx(expected, abs=1.0)


@pytest.mark.threads
def test_threads_and_chunks_change_nothing() -> None:
    gradients, hessians, weights = round_of(2, 2, 70_000)

    def drawn(n_threads: int) -> list[np.ndarray]:
        key = _core.RowKey(1, 2, 3)
        goss = _core.sample_goss(key, gradients, hessians, 0.0, weights, 14_000, 7e3, n_threads)
        mvs = _core.sample_mvs(key, gradients, weights, 0.5, 35_000.0, n_threads)
        return [*goss, *mvs, _core.mean_gradient_size(gradients, weights, n_threads)]

    alone = drawn(1)
    _core.change_settings(chunk_rows=999, serial_below=1)
    for one, other in zip(alone, drawn(3), strict=True):
        np.testing.assert_array_equal(one, other)


def test_gradients_that_tell_nothing_ask_for_all_rows() -> None:
    for value in (0.0, np.nan, np.inf, 1e300):
        gradients = np.r_[np.zeros(5), value][None]
        rows, _ = _core.sample_mvs(_core.RowKey(0, 0), gradients, None, 0.0, 3.0)
        assert len(rows) == 0
    # GOSS takes what is not finite, so that growing finds it.
    gradients = np.r_[np.ones(50), np.nan, np.ones(49)][None]
    rows, _ = _core.sample_goss(_core.RowKey(0, 0), gradients, None, 1.0, None, 1, 5.0)
    assert 50 in rows


def test_a_sample_is_never_empty() -> None:
    gradients = np.r_[np.ones(30), 2.0, np.ones(30)][None]
    for seed in range(50):
        rows, multipliers = _core.sample_mvs(_core.RowKey(seed, 0), gradients, None, 0.0, 0.01)
        assert len(rows) >= 1
        rows, multipliers = _core.sample_goss(
            _core.RowKey(seed, 0), gradients, None, 1.0, None, 0, 0.01
        )
        assert len(rows) == len(multipliers) >= 1


def test_what_does_not_fit_is_refused() -> None:
    key, gradients = _core.RowKey(0, 0), np.ones((1, 10))
    with pytest.raises(InvalidInputError, match="fewer than all rows"):
        _core.sample_goss(key, gradients, None, 1.0, None, 6, 5.0)
    with pytest.raises(InvalidInputError, match="expected number"):
        _core.sample_mvs(key, gradients, None, 0.0, 10.0)
    with pytest.raises(InvalidInputError, match="the same rows"):
        _core.sample_mvs(key, gradients, np.ones(9), 0.0, 5.0)
