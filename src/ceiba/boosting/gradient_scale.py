"""Rescale gradients whose squares underflow or overflow; raise if hessians forbid every split.

Split gains are squares of sums of gradients. They underflow for targets of 1e-200 and overflow for
1e200. :func:`scaled` checks the gradients of the first round:

1. Gradients between 2^-300 and 2^300 are not changed.
2. With a constant hessian (squared_error, huber), others are multiplied by a power of two in every
   round. Newton leaves are divided by it, so only the gains in the model have another unit.
3. Otherwise, gradients below 2^-500 or above 2^500 raise an error that says what to multiply.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ceiba.errors import InvalidInputError
from ceiba.reductions import count_rows, exact_sum, largest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.boosting.row_statistics import RowStatistics
    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]

__all__ = ["scaled"]

#: Gradients between one over this and this stay as they are.
LARGEST = 2.0**300
#: Squares of gradients between one over this and this are finite numbers above 0.
_LARGEST_SQUARED = 2.0**500
#: A mean hessian below this is small by its unit, and not because rows are few.
_SMALL_MEAN = 2.0**-10
#: Parameters in the units of gradients or gains.
_IN_UNITS = ("reg_alpha", "max_delta_step", "min_split_gain")


def scaled(
    statistics: RowStatistics,
    parameters: Parameters,
    loss: Objective,
    weights: Floats | None,
    *,
    has_init_score: bool = False,
) -> RowStatistics:
    """Return the statistics of the first round in a unit in which gains can be computed."""
    # At scores that the user gave, hessians may be small and grow later.
    starts_anywhere = has_init_score or parameters.base_score is not None
    _check_hessians(statistics, parameters, loss, weights, starts_anywhere=starts_anywhere)
    gradients = statistics.gradients
    extremes = gradients.max(axis=1, initial=0.0), -gradients.min(axis=1, initial=0.0)
    sizes = largest(np.maximum(*extremes))
    sizes = sizes[sizes > 0.0]
    if len(sizes) == 0 or (sizes.min() >= 1.0 / LARGEST and sizes.max() <= LARGEST):
        return statistics
    _, exponent = math.frexp(float(sizes.max()))
    unit = math.ldexp(1.0, max(-1022, min(1023, -exponent)))
    in_units = [name for name in _IN_UNITS if getattr(parameters, name)]
    if statistics.hessians is not None or in_units or sizes.min() * unit < 1.0 / LARGEST:
        if sizes.min() >= 1.0 / _LARGEST_SQUARED and sizes.max() <= _LARGEST_SQUARED:
            return statistics
        also = f" Or leave out {', '.join(in_units)}." if in_units else ""
        raise InvalidInputError(
            f"The largest gradients of objective {loss.name} are {sizes.min():g} to "
            f"{sizes.max():g}, and their squares are no finite numbers above 0. {_advice(loss)}."
            + also
        )
    statistics.gradients[:] *= unit
    return replace(statistics, unit=unit)


def _check_hessians(
    statistics: RowStatistics,
    parameters: Parameters,
    loss: Objective,
    weights: Floats | None,
    *,
    starts_anywhere: bool,
) -> None:
    """Raise if weights or hessians are so small that min_child_weight forbids every split.

    Few rows, or rows of one class, are no error.
    """
    n_rows = count_rows(statistics.gradients)
    needed = min(2.0 * parameters.min_child_weight, _SMALL_MEAN * n_rows)
    cause = "weights" if weights is not None and exact_sum(weights) < needed else "target"
    totals = [math.inf if weights is None else exact_sum(weights)]
    by_design = starts_anywhere or loss.has_class_link or loss.needs_queries
    if statistics.hessians is not None and not by_design:
        totals += [exact_sum(row, weights) for row in statistics.hessians]
    if min(totals) < needed:
        raise InvalidInputError(
            f"The hessians of objective {loss.name} add up to {min(totals):g} over all rows, and "
            f"a child needs min_child_weight={parameters.min_child_weight:g}: no split is "
            f"possible. {_advice(loss, cause)}, or lower min_child_weight."
        )


def _advice(loss: Objective, cause: str = "target") -> str:
    if cause == "target" and loss.task == "custom":
        return "Multiply what the custom objective returns by a constant, so that it is near 1"
    return f"Multiply the {cause} by a constant, so that its values are near 1"
