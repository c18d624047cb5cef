"""Samples that know nothing of gradients, against the reference and by what they promise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.testing import samples

KEYS = st.tuples(st.integers(0, 2**63 - 1), st.integers(0, 5000), st.integers(0, 100))


def spread(n_rows: int, rows: np.ndarray, multipliers: np.ndarray | None = None) -> np.ndarray:
    """Return the multiplier of every row."""
    assert rows.dtype == np.int32
    assert (np.diff(rows) > 0).all()
    out = np.zeros(n_rows)
    out[rows] = 1.0 if multipliers is None else multipliers
    return out


@given(KEYS, st.integers(1, 200), st.floats(1e-9, 1.0), st.sampled_from([1, 2]))
@settings(max_examples=60)
def test_against_the_reference(
    key: tuple[int, int, int], n_rows: int, fraction: float, n_threads: int
) -> None:
    _core.change_settings(chunk_rows=16, serial_below=1)
    own = _core.RowKey(*key)
    wanted = max(1, int(fraction * n_rows))
    rows = _core.sample_bernoulli(own, n_rows, fraction, None, n_threads)
    np.testing.assert_array_equal(spread(n_rows, rows), samples.bernoulli(key, n_rows, fraction))
    rows = _core.sample_uniform(own, n_rows, wanted, None, n_threads)
    np.testing.assert_array_equal(spread(n_rows, rows), samples.uniform(key, n_rows, wanted))
    drawn = _core.sample_bootstrap(own, n_rows, wanted, n_threads)
    np.testing.assert_array_equal(spread(n_rows, *drawn), samples.bootstrap(key, n_rows, wanted))
    for temperature in (1.0, 10 * fraction):
        np.testing.assert_array_equal(
            _core.sample_bayesian(own, n_rows, temperature, n_threads),
            samples.bayesian(key, n_rows, temperature),
        )


@pytest.mark.threads
@pytest.mark.parametrize("n_rows", [100_000, 70_001])
def test_threads_and_chunks_change_nothing(n_rows: int) -> None:
    def drawn(n_threads: int) -> list[np.ndarray]:
        key = _core.RowKey(3, 7, 1)
        return [
            _core.sample_bernoulli(key, n_rows, 0.3, None, n_threads),
            _core.sample_uniform(key, n_rows, n_rows // 3, None, n_threads),
            *_core.sample_bootstrap(key, n_rows, n_rows, n_threads),
            _core.sample_bayesian(key, n_rows, 0.5, n_threads),
        ]

    alone = drawn(1)
    _core.change_settings(chunk_rows=1000, serial_below=1)
    for one, other in zip(alone, drawn(3), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_uniform_sample_has_its_size_and_no_favourites() -> None:
    n_rows, wanted, n_draws = 50, 20, 2000
    counts = np.zeros(n_rows)
    for seed in range(n_draws):
        rows = _core.sample_uniform(_core.RowKey(seed, 0), n_rows, wanted)
        assert len(rows) == wanted
        counts[rows] += 1
    chance = wanted / n_rows
    z = (counts / n_draws - chance) / np.sqrt(chance * (1 - chance) / n_draws)
    assert np.abs(z).max() < 4


def test_a_bootstrap_draws_as_often_as_it_is_told() -> None:
    rows, times = _core.sample_bootstrap(_core.RowKey(1, 0), 10_000, 10_000)
    assert times.sum() == 10_000
    assert (times == np.floor(times)).all()
    assert len(rows) == pytest.approx(10_000 * (1 - np.exp(-1)), abs=5 * np.sqrt(10_000 * 0.1))
    # Rows fall on another place in another tree of the round.
    others, _ = _core.sample_bootstrap(_core.RowKey(1, 0, 1), 10_000, 10_000)
    assert set(others.tolist()) != set(rows.tolist())


def test_bayesian_multipliers_are_exponential() -> None:
    values = _core.sample_bayesian(_core.RowKey(0, 0), 200_000, 1.0)
    assert values.min() > 0
    assert values.mean() == pytest.approx(1.0, abs=0.01)
    assert values.var() == pytest.approx(1.0, abs=0.03)
    roots = _core.sample_bayesian(_core.RowKey(0, 0), 1000, 0.5)
    np.testing.assert_allclose(roots**2, values[:1000], rtol=1e-14)


def test_candidates_keep_their_own_numbers() -> None:
    key = _core.RowKey(5, 2)
    some = np.arange(0, 1000, 3, dtype=np.int32)
    of_all = _core.sample_bernoulli(key, 1000, 0.4)
    of_some = _core.sample_bernoulli(key, len(some), 0.4, some)
    np.testing.assert_array_equal(of_some, np.intersect1d(of_all, some))
    rows = _core.sample_uniform(key, len(some), 100, some)
    assert len(rows) == 100
    assert set(rows) < set(some)


def test_sizes_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="At least one row"):
        _core.sample_uniform(_core.RowKey(0, 0), 10, 0)
    with pytest.raises(InvalidInputError, match="2,147,483,647"):
        _core.sample_bernoulli(_core.RowKey(0, 0), 2**31, 0.5)
