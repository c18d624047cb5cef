"""The benchmark of piecewise-linear boosting: its tables, on few rows."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks import piecewise_linear


def test_families_are_piecewise_linear() -> None:
    for name in piecewise_linear.FAMILIES:
        x = np.random.default_rng(0).uniform(-1, 1, size=(200, 10))
        step = 1e-6 * np.ones(10)
        before, at, after = (piecewise_linear.FAMILIES[name](x + k * step) for k in (-1, 0, 1))
        straight = np.abs(after - 2 * at + before) < 1e-9  # but for rows at a border
        assert straight.mean() > 0.97, name


def test_runs_and_shows(capsys: pytest.CaptureFixture[str]) -> None:
    results = piecewise_linear.run_families(n_rows=1500, repeats=1, shrink=10)
    piecewise_linear.show(results)
    words = capsys.readouterr().out
    assert all(name in words for name in (*piecewise_linear.FAMILIES, "plgb", "constant", "rmse"))
    kinds = [one["leaves"] for one in piecewise_linear.run_speed(0.01, repeats=1, n_trees=2)]
    assert kinds == ["constant", "after", "additive", "half_additive", "full"]
