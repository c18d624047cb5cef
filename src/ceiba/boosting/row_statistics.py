"""Gradients and hessians of all rows, refilled each round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.objectives import Objective

__all__ = ["RowStatistics", "empty_statistics"]


@dataclass(frozen=True, slots=True)
class RowStatistics:
    """Buffers that each round fills again.

    Gradients and hessians are those of the unweighted loss: the grower multiplies by the weights.
    """

    gradients: NDArray[np.float64]  # [K, n]; [1, n] where the outputs share their trees
    hessians: NDArray[np.float64] | None  # [K, n]; None if the hessian is constant
    constant_hessian: float
    #: Scale of the gradients, a power of two; Newton leaves are divided by it.
    unit: float = 1.0

    def fill(
        self,
        loss: Objective,
        scores: NDArray[np.float64],
        target: NDArray[np.float64],
        n_threads: int,
    ) -> None:
        """Compute the derivatives of the loss at these scores."""
        loss.gradients(scores, target, self.gradients, self.hessians, n_threads)
        if self.unit != 1.0:
            self.gradients[:] *= self.unit

    def move(self, steps: NDArray[np.float64]) -> None:
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
