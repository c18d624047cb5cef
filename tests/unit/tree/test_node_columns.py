"""Columns of nodes as they are scanned: missing values, directions and lists alike."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba.testing.reference import Plan
from ceiba.testing.strategies import Case


@pytest.mark.parametrize(("direction", "splits"), [(0, True), (1, False), (-1, True)])
def test_directions_reach_the_scan(direction: int, splits: bool) -> None:
    X = np.arange(100.0)[:, None]
    gradients = X.T - 50.0  # the values of leaves fall with the column
    plan = Plan(max_leaves=2, monotone=(direction,))
    case = Case(X, gradients, None, 1.0, None, None, plan, 32, 0, 1.0)
    assert (len(case.grow(case.bin_mapper()).arrays()["left"]) > 1) == splits


def test_missing_values_have_a_side() -> None:
    X = np.arange(100.0)[:, None]
    X[90:] = np.nan
    for sign, missing_left in ((1.0, True), (-1.0, False)):
        gradients = np.where(np.arange(100) < 40, 1.0, -1.0)[None].copy()
        gradients[0, 90:] = sign
        case = Case(X, gradients, None, 1.0, None, None, Plan(max_leaves=2), 200, 0, 1.0)
        assert bool(case.grow(case.bin_mapper()).arrays()["missing_left"][0]) == missing_left
