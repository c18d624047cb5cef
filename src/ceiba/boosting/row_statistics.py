"""Gradients and hessians of all rows, refilled each round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.objectives import Objective, ResidualLeaves

    Floats = NDArray[np.float64]

__all__ = ["RowLoss", "RowStatistics", "empty_statistics"]


@dataclass(frozen=True, slots=True)
class RowLoss:
    """The loss of a round on given rows, without weights."""

    objective: Objective
    target: Floats
    n_threads: int

    def residual_leaves(self, scores: Floats) -> ResidualLeaves | None:
        """Return how residuals at these scores become leaf values; None for Newton steps."""
        return self.objective.residual_leaves(scores, self.target)


@dataclass(frozen=True, slots=True)
class RowStatistics:
    """Buffers that each round fills again.

    Gradients and hessians are those of the unweighted loss: the grower multiplies by the weights.
    """

    gradients: Floats  # [K, n]; [1, n] where the outputs share their trees
    hessians: Floats | None  # [K, n]; None if the hessian is constant
    constant_hessian: float
    #: Scale of the gradients, a power of two; Newton leaves are divided by it.
    unit: float = 1.0

    def fill(self, loss: RowLoss, scores: Floats) -> None:
        """Compute the derivatives of the loss at these scores."""
        given = scores, loss.target, self.gradients, self.hessians, loss.n_threads
        loss.objective.gradients(*given)
        if self.unit != 1.0:
            self.gradients[:] *= self.unit

    def move(self, steps: Floats) -> None:
        """Move the gradients by steps [K, n] along the quadratic approximation of the loss.

        Hessians stay those at the old scores.
        """
        hessians = self.constant_hessian if self.hessians is None else self.hessians
        self.gradients[:] += hessians * steps * self.unit


def empty_statistics(objective: Objective, n_outputs: int, n_rows: int) -> RowStatistics:
    """Return buffers for gradients, and for hessians unless they are constant."""
    constant = objective.constant_hessian
    shape = (1 if objective.shares_trees else n_outputs, n_rows)
    return RowStatistics(
        gradients=np.empty(shape),
        hessians=np.empty(shape) if constant is None else None,
        constant_hessian=0.0 if constant is None else constant,
    )
