"""What a model adds to raw scores before they become predictions.

The life of a correction:

1. Calibration (``boosting/calibration.py``) finds, after each round, a shift for each output from
   rows that were left out. Where nothing is calibrated there is none.
2. The model holds the shifts of all its rounds, so that a model that is cut (:meth:`after`), a
   stage and the model of a shorter training predict the same.
3. :meth:`applied` adds the last of them to raw scores. The objective knows nothing of it.

In a file it stands beside the options of the objective, where it was first written.
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
    """The shifts of scores: one for each output, after each round."""

    shifts: tuple[tuple[float, ...], ...] = ()

    def after(self, n_rounds: int) -> Correction:
        """Return the correction of a model of the first rounds."""
        return self if n_rounds >= len(self.shifts) else Correction(self.shifts[:n_rounds])

    def followed_by(self, shift: Sequence[float]) -> Correction:
        """Return the correction of one more round."""
        return Correction((*self.shifts, tuple(shift)))

    def applied(self, raw: Floats) -> Floats:
        """Return raw scores [n, K] as they are to be turned into predictions."""
        return raw + np.array(self.shifts[-1]) if self.shifts else raw


NO_CORRECTION = Correction()


def described_objective(objective: Objective, correction: Correction) -> dict[str, Any]:
    """Return the objective as a file and a fingerprint describe it, with its correction."""
    state = objective.state()
    if objective.has_levels:
        state["shifts"] = correction.shifts
    return state


def objective_and_correction(
    state: Mapping[str, Any], n_outputs: int
) -> tuple[Objective, Correction]:
    """Return what :func:`described_objective` described, as read from a file."""
    options = dict(state)
    shifts = options.pop("shifts", ())
    objective = objective_from_state(options)
    if len(shifts) and not objective.has_levels:
        raise InvalidInputError(f"objective {objective.name} has no shifts.")
    return objective, Correction(_read_shifts(shifts, n_outputs))


def _read_shifts(shifts: Any, n_outputs: int) -> tuple[tuple[float, ...], ...]:
    """Return one finite number for each output in each round."""
    numbers = np.asarray(shifts, dtype=np.float64).reshape(-1, n_outputs)
    if len(numbers) != len(shifts) or not np.isfinite(numbers).all():
        raise InvalidInputError("shifts must hold a finite number for each level in each round.")
    return tuple(map(tuple, numbers.tolist()))
