"""Uniform sampling of rows."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from ceiba.boosting.sample import select_rows


def parameters(subsample: float, random_state: int | None = 0, freq: int = 1) -> SimpleNamespace:
    return SimpleNamespace(subsample=subsample, subsample_freq=freq, random_state=random_state)


def test_all_rows_is_no_selection() -> None:
    assert select_rows(parameters(1.0), 0, 100) is None


def test_sample_is_sorted_without_repeats_and_of_the_asked_size() -> None:
    rows = select_rows(parameters(0.3), 4, 100_000)
    assert rows is not None
    assert rows.dtype == np.int32
    assert (np.diff(rows) > 0).all()
    assert abs(len(rows) - 30_000) < 5 * np.sqrt(100_000 * 0.3 * 0.7)


def test_sample_depends_on_seed_round_and_row_only() -> None:
    rows = select_rows(parameters(0.5), 4, 1000)
    assert rows is not None
    again = select_rows(parameters(0.5, None), 4, 1000)
    np.testing.assert_array_equal(rows, again)
    fewer = select_rows(parameters(0.5), 4, 500)
    np.testing.assert_array_equal(rows[rows < 500], fewer)
    other_round = select_rows(parameters(0.5), 5, 1000)
    assert other_round is not None
    assert set(other_round) != set(rows)
    # A smaller share is a part of a larger one.
    part = select_rows(parameters(0.2), 4, 1000)
    assert part is not None
    assert set(part) < set(rows)


def test_sample_is_never_empty() -> None:
    for round in range(20):
        rows = select_rows(parameters(1e-9), round, 3)
        assert rows is not None
        assert len(rows) == 1


def test_a_sample_is_kept_for_some_rounds() -> None:
    kept = [select_rows(parameters(0.5, freq=3), round, 1000) for round in range(7)]
    drawn = [select_rows(parameters(0.5), round, 1000) for round in (0, 0, 0, 3, 3, 3, 6)]
    for one, other in zip(kept, drawn, strict=True):
        np.testing.assert_array_equal(one, other)
