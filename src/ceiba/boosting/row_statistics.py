"""What a round knows of every row: its gradients and hessians."""

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
    """Buffers that are filled anew in each round.

    Gradients and hessians are those of the unweighted loss: the grower multiplies by the weights.
    """

    gradients: NDArray[np.float64]  # [K, n]; [1, n] where the outputs share their trees
    hessians: NDArray[np.float64] | None  # [K, n]; None where constant_hessian says it all
    constant_hessian: float
    #: What gradients are multiplied by, a power of two; Newton leaves are divided by it.
    unit: float = 1.0

    def fill(
        self,
        loss: Objective,
        scores: NDArray[np.float64],
        target: NDArray[np.float64],
        n_threads: int,
    ) -> None:
        """Take the derivatives of the loss at these scores."""
        loss.gradients(scores, target, self.gradients, self.hessians, n_threads)
        if self.unit != 1.0:
            self.gradients[:] *= self.unit

    def move(self, steps: NDArray[np.float64]) -> None:
        """Take the gradients of the quadratic that stands for the loss after steps [K, n].

        They are those that a Newton step knows: hessians stay what they are at the scores.
        """
        hessians = self.constant_hessian if self.hessians is None else self.hessians
        self.gradients[:] += hessians * steps * self.unit


def empty_statistics(objective: Objective, n_outputs: int, n_rows: int) -> RowStatistics:
    """Return buffers for the gradients, and for hessians unless they are all the same."""
    constant = objective.constant_hessian
    shape = (1 if objective.shares_trees else n_outputs, n_rows)
    return RowStatistics(
        gradients=np.empty(shape),
        hessians=np.empty(shape) if constant is None else None,
        constant_hessian=0.0 if constant is None else constant,
    )
