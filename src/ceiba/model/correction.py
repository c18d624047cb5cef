"""Calibration of a model: shifts that are added to raw scores before the link.

The life of a correction:

1. Calibration of quantiles (``boosting/calibration.py``) computes a shift per output and round from
   held-out rows. Other models have no shifts.
2. The model stores the shifts of all rounds, so that a truncated model (:meth:`after`), a stage and
   a shorter training predict the same.
3. :meth:`applied` adds the last shift to raw scores. The objective does not depend on it.

A model file stores the shifts with the options of the objective.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.errors import InvalidInputError
from ceiba.objectives import Objective, objective_from_state

__all__ = ["NO_CORRECTION", "Correction", "described_objective", "objective_and_correction"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Correction:
    """Shifts of raw scores: one per output and round."""

    shifts: tuple[tuple[float, ...], ...] = ()

    def after(self, n_rounds: int) -> Correction:
        """Return the correction after ``n_rounds`` rounds."""
        return self if n_rounds >= len(self.shifts) else Correction(self.shifts[:n_rounds])

    def followed_by(self, shift: Sequence[float]) -> Correction:
        """Return the correction with the shift of one more round."""
        return Correction((*self.shifts, tuple(shift)))

    def applied(self, raw: Floats) -> Floats:
        """Return raw scores [n, K] plus the last shift."""
        return raw + np.array(self.shifts[-1]) if self.shifts else raw


NO_CORRECTION = Correction()


def described_objective(objective: Objective, correction: Correction) -> dict[str, Any]:
    """Return the objective and correction as stored in files and fingerprints."""
    state = objective.state()
    if objective.has_levels:
        state["shifts"] = correction.shifts
    return state


def objective_and_correction(
    state: Mapping[str, Any], n_outputs: int
) -> tuple[Objective, Correction]:
    """Return the inverse of :func:`described_objective`."""
    options = dict(state)
    shifts = options.pop("shifts", ())
    objective = objective_from_state(options)
    if len(shifts) and not objective.has_levels:
        raise InvalidInputError(f"objective {objective.name!r} has no shifts")
    return objective, Correction(_read_shifts(shifts, n_outputs))


def _read_shifts(shifts: Any, n_outputs: int) -> tuple[tuple[float, ...], ...]:
    """Return the shifts as tuples; raise unless there is one finite number per output."""
    numbers = np.asarray(shifts, dtype=np.float64).reshape(-1, n_outputs)
    if len(numbers) != len(shifts) or not np.isfinite(numbers).all():
        raise InvalidInputError("shifts must hold a finite number for each level in each round.")
    return tuple(map(tuple, numbers.tolist()))
