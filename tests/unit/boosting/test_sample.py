"""The rows of a round: a sample that only a row's own number decides, and what rows count."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from ceiba.boosting.row_statistics import RowStatistics
from ceiba.boosting.sample import ALL_ROWS, select_rows


def parameters(subsample: float, random_state: int | None = 0, freq: int = 1) -> SimpleNamespace:
    return SimpleNamespace(subsample=subsample, subsample_freq=freq, random_state=random_state)


def sampled(given: SimpleNamespace, round: int, n_rows: int) -> np.ndarray:
    """Return the rows of a round whose gradients are known."""
    selection = select_rows(given, RowStatistics(np.zeros((1, n_rows)), None, 1.0), round)
    assert selection.rows is not None
    assert selection.multipliers is None
    return selection.rows


def test_all_rows_is_no_selection() -> None:
    assert select_rows(parameters(1.0), RowStatistics(np.zeros((1, 9)), None, 1.0), 0) is ALL_ROWS


def test_sample_is_sorted_without_repeats_and_of_the_asked_size() -> None:
    rows = sampled(parameters(0.3), 4, 100_000)
    assert rows is not None
    assert rows.dtype == np.int32
    assert (np.diff(rows) > 0).all()
    assert abs(len(rows) - 30_000) < 5 * np.sqrt(100_000 * 0.3 * 0.7)


def test_sample_depends_on_seed_round_and_row_only() -> None:
    rows = sampled(parameters(0.5), 4, 1000)
    assert rows is not None
    again = sampled(parameters(0.5, None), 4, 1000)
    np.testing.assert_array_equal(rows, again)
    fewer = sampled(parameters(0.5), 4, 500)
    np.testing.assert_array_equal(rows[rows < 500], fewer)
    other_round = sampled(parameters(0.5), 5, 1000)
    assert other_round is not None
    assert set(other_round) != set(rows)
    # A smaller share is a part of a larger one.
    part = sampled(parameters(0.2), 4, 1000)
    assert part is not None
    assert set(part) < set(rows)


def test_sample_is_never_empty() -> None:
    for round in range(20):
        rows = sampled(parameters(1e-9), round, 3)
        assert rows is not None
        assert len(rows) == 1


def test_a_sample_is_kept_for_some_rounds() -> None:
    kept = [sampled(parameters(0.5, freq=3), round, 1000) for round in range(7)]
    drawn = [sampled(parameters(0.5), round, 1000) for round in (0, 0, 0, 3, 3, 3, 6)]
    for one, other in zip(kept, drawn, strict=True):
        np.testing.assert_array_equal(one, other)
