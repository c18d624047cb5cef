"""Gradients that trees are grown on when a row has several outputs.

1. ``one_tree_per_output``: every output has a tree of its own, grown on its gradients.
2. ``vector_leaf``: one tree has a value for each output in every leaf. Where the hessian is a
   constant (squared error of several targets, shares of classes), a split is scored by the
   gradients of all outputs. Elsewhere (softmax, labels), and where candidates are ranked by cosine
   or with noise, it is scored by one sum of them with signs that are drawn for each round, a
   sketch: it costs what one tree costs, and docs/measurements.md has what it loses. Leaves are
   fitted to the gradients of all outputs in either case.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ceiba import _core
from ceiba.boosting.row_statistics import RowStatistics
from ceiba.random import seed_of, unit_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.objectives import Objective
    from ceiba.parameters.resolving import Parameters

__all__ = ["Outputs", "signs_of_round", "sketch"]

#: The first of the "rounds" of the random numbers that signs are drawn from.
_SIGNS_ROUND = 2**61


@dataclass(frozen=True, slots=True)
class Outputs:
    """How the outputs of a training share their trees."""

    #: Splits are scored by the gradients of all outputs.
    split_together: bool = False
    #: Splits are scored by one sum of them, with signs drawn from this seed.
    sketched: bool = False
    seed: int = 0

    @classmethod
    def of(cls, parameters: Parameters, objective: Objective, n_outputs: int) -> Outputs:
        """Return what the parameters ask for."""
        if (
            n_outputs == 1
            or objective.shares_trees
            or parameters.multi_strategy == "one_tree_per_output"
        ):
            return cls()
        chosen_otherwise = parameters.split_score == "cosine" or parameters.random_strength > 0.0
        together = objective.constant_hessian is not None and not chosen_otherwise
        return cls(together, not together, seed_of(parameters.random_state))

    def buffers(self, statistics: RowStatistics) -> RowStatistics:
        """Return what :meth:`for_splits` fills: these statistics, or room for a sketch of them."""
        if not self.sketched:
            return statistics
        n_outputs, n_rows = statistics.gradients.shape
        hessians = None if statistics.hessians is None else np.empty((1, n_rows))
        constant = statistics.constant_hessian * (n_outputs - 1)
        return RowStatistics(np.empty((1, n_rows)), hessians, constant)

    def for_splits(
        self, statistics: RowStatistics, round: int, into: RowStatistics, n_threads: int = 1
    ) -> None:
        """Find the gradients that the trees of a round are grown on."""
        if self.sketched:
            signs = signs_of_round(self.seed, round, len(statistics.gradients))
            sketch(statistics, signs, into, n_threads)


def signs_of_round(seed: int, round: int, n_outputs: int) -> NDArray[np.float64]:
    """Return numbers [K] of mean 0 and mean square 1, from signs drawn by a hash."""
    numbers = unit_numbers(seed, _SIGNS_ROUND + round, n_outputs)
    signs = np.where(numbers < 0.5, -1.0, 1.0)
    if (signs == signs[0]).all():  # they would cancel: one of them is turned
        signs[int(np.argmin(numbers))] *= -1.0
    centred = signs - float(np.count_nonzero(signs > 0) * 2 - n_outputs) / n_outputs
    # Whole numbers but for one division: no order of sums has a say.
    n_up = int(np.count_nonzero(signs > 0))
    square = 4.0 * n_up * (n_outputs - n_up) / n_outputs
    scaled: NDArray[np.float64] = centred * np.sqrt(n_outputs / square)
    return scaled


def sketch(
    statistics: RowStatistics, signs: NDArray[np.float64], into: RowStatistics, n_threads: int
) -> None:
    """Fill gradients and hessians [1, n] that stand for those of all outputs."""
    n_outputs = len(signs)
    _core.sum_outputs(statistics.gradients, signs, into.gradients[0], n_threads)
    if statistics.hessians is not None and into.hessians is not None:
        factors = signs * signs * ((n_outputs - 1) / n_outputs)
        _core.sum_outputs(statistics.hessians, factors, into.hessians[0], n_threads)
