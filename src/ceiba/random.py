"""Random numbers as hashes of (seed, round, row): independent of threads and execution order."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.errors import InvalidParameterError
from ceiba.messages import shown

LARGEST_SEED = 2**63 - 1


def unit_numbers(seed: int, round: int, n_rows: int) -> NDArray[np.float64]:
    """Return one number in [0, 1) per row, a pure function of (seed, round, row)."""
    return _core.hash_uniform(seed, round, n_rows)


def seed_of(random_state: Any) -> int:
    """Convert a random state, as in scikit-learn, to one integer.

    ``None`` is the seed 0, so that the same call gives the same model. A numpy generator draws one
    number from its stream.
    """
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, 2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(0, LARGEST_SEED))
    is_integer = isinstance(random_state, int | np.integer) and not isinstance(
        random_state, bool | np.timedelta64
    )
    if not is_integer or not 0 <= random_state <= LARGEST_SEED:
        raise InvalidParameterError(
            "random_state must be None, an integer between 0 and 2^63 - 1 or a numpy random "
            f"generator. Got {shown(random_state)}."
        )
    return int(random_state)
