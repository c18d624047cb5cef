"""Ticks of dates and levels."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba.plot import ticks

plt = pytest.importorskip("matplotlib.pyplot")


def test_days_are_dates() -> None:
    dates = ticks.axis_values(np.array([0.0, 18628.5, np.nan]), "date")
    assert dates[:2].tolist() == np.array(["1970-01-01", "2021-01-01T12"], "M8[us]").tolist()
    assert np.isnat(dates[2])
    numbers = np.array([1.0, 2.0])
    assert ticks.axis_values(numbers, "duration") is numbers
    assert ticks.unit_of("duration") == " (days)"
    assert ticks.unit_of("numeric") == ""


@pytest.mark.parametrize(("n_levels", "said"), [(30, ""), (31, " (16 of 31 named)")])
def test_levels_without_a_name_are_counted(n_levels: int, said: str) -> None:
    _, ax = plt.subplots()
    for axis in "xy":
        assert ticks.level_ticks(ax, [f"level {k}" for k in range(n_levels)], axis) == said
    named = [label.get_text() for label in ax.get_yticklabels()]
    assert len(named) == n_levels if not said else len(named) == 16
    assert [label.get_text() for label in ax.get_xticklabels()] == named
