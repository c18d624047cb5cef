"""What a model adds to raw scores: cut with the model, kept by the file, unknown to objectives."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba.errors import CeibaError
from ceiba.model.correction import (
    NO_CORRECTION,
    Correction,
    described_objective,
    objective_and_correction,
)
from ceiba.objectives import OBJECTIVES, find_objective

SHIFTS = Correction(((1.0, 2.0), (3.0, 4.0)))
LEVELS = find_objective("quantile", quantile=[0.1, 0.9])


def test_the_last_round_counts() -> None:
    raw = np.zeros((3, 2))
    np.testing.assert_array_equal(SHIFTS.applied(raw), [[3.0, 4.0]] * 3)
    np.testing.assert_array_equal(SHIFTS.after(1).applied(raw), [[1.0, 2.0]] * 3)
    assert SHIFTS.after(0).applied(raw) is raw
    assert SHIFTS.after(9) is SHIFTS
    assert NO_CORRECTION.followed_by([1.0, 2.0]).followed_by([3.0, 4.0]) == SHIFTS


@pytest.mark.parametrize("correction", [NO_CORRECTION, SHIFTS])
def test_it_survives_a_file(correction: Correction) -> None:
    state = described_objective(LEVELS, correction)
    assert state["shifts"] == correction.shifts
    assert objective_and_correction(state, 2) == (LEVELS, correction)


def test_other_objectives_have_none() -> None:
    for kind in OBJECTIVES:
        objective = find_objective(kind.name)
        assert ("shifts" in described_objective(objective, NO_CORRECTION)) == objective.has_levels
        assert bool(objective.levels) == objective.has_levels
    with pytest.raises(CeibaError, match="has no shifts"):
        objective_and_correction({"name": "squared_error", "shifts": [[1.0]]}, 1)


@pytest.mark.parametrize("shifts", [[[1.0]], [[1.0, np.nan]], [[1.0, 2.0, 3.0]], [["a", "b"]]])
def test_damaged_shifts_are_refused(shifts: list[list[float]]) -> None:
    with pytest.raises(ValueError, match=r"shifts|reshape|convert"):
        objective_and_correction({**LEVELS.state(), "shifts": shifts}, 2)
