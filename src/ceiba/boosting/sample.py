"""Which rows the trees of a round are grown on, and how much each of them counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.random import seed_of

if TYPE_CHECKING:
    from ceiba.boosting.row_statistics import RowStatistics

__all__ = ["ALL_ROWS", "RowSelection", "count_rows", "select_rows"]


@dataclass(frozen=True, slots=True, eq=False)
class RowSelection:
    """Rows, and what their gradients and hessians are multiplied by.

    It is made for the trees of one round, once their gradients are known, and changes neither
    gradients nor weights.
    """

    rows: NDArray[np.int32] | None = None  #: sorted; None: all rows
    multipliers: NDArray[np.float64] | None = None  #: one for each selected row; None: all are 1


#: Every row counts once.
ALL_ROWS = RowSelection()


class SamplingParameters(Protocol):
    """The part of the parameters that is read here."""

    @property
    def subsample(self) -> float: ...

    @property
    def subsample_freq(self) -> int: ...

    @property
    def random_state(self) -> int | None: ...


def count_rows(n_rows: int, weights: NDArray[np.float64] | None) -> int:
    """Return how many rows these are: with whole weights, their sum, as if they were repeated."""
    if weights is None or not (weights == np.floor(weights)).all():
        return n_rows
    return int(_core.exact_sum(weights))


def select_rows(
    parameters: SamplingParameters,
    statistics: RowStatistics,
    round: int,
    n_threads: int = 1,
    member: int = 0,
) -> RowSelection:
    """Return the rows of a round.

    A row is in the sample if its own random number of this round is below ``subsample``, so
    neither threads nor blocks nor the number of other rows have a say. A sample that would be
    empty takes the row of the smallest number. It is kept for ``subsample_freq`` rounds.
    """
    if parameters.subsample >= 1.0:
        return ALL_ROWS
    seed, n_rows = seed_of(parameters.random_state), statistics.gradients.shape[1]
    seed = (seed + member * 0x9E3779B97F4A7C15) % 2**63
    drawn = round - round % parameters.subsample_freq
    rows = _core.sample_rows(seed, drawn, n_rows, parameters.subsample, n_threads)
    return RowSelection(rows)
