"""Which rows a round is grown on."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.random import seed_of


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
    parameters: SamplingParameters, round: int, n_rows: int, n_threads: int = 1
) -> NDArray[np.int32] | None:
    """Sorted row numbers of the sample of a round, or None for all rows.

    A row is in the sample if its own random number of this round is below ``subsample``, so
    neither threads nor blocks nor the number of other rows have a say. A sample that would be
    empty takes the row of the smallest number. It is kept for ``subsample_freq`` rounds.
    """
    if parameters.subsample >= 1.0:
        return None
    seed = seed_of(parameters.random_state)
    drawn = round - round % parameters.subsample_freq
    return _core.sample_rows(seed, drawn, n_rows, parameters.subsample, n_threads)
