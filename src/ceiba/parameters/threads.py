"""The number of threads that `n_jobs` asks for."""

from __future__ import annotations

import numbers
import operator

from ceiba import _core
from ceiba.errors import InvalidParameterError
from ceiba.messages import shown
from ceiba.parameters.constraints import LARGEST_INT

__all__ = ["count_threads"]


def count_threads(n_jobs: int | None) -> int:
    """Return the number of threads; None and -1 mean all cores that the process may use."""
    if n_jobs is None:
        return _core.available_threads()
    is_number = isinstance(n_jobs, numbers.Integral) and not isinstance(n_jobs, bool)
    if not is_number or n_jobs == 0 or abs(n_jobs) > LARGEST_INT:
        raise InvalidParameterError(
            "n_jobs must be at least 1; None or -1 for all cores; or -2, -3, … for all cores but "
            f"1, 2, …. Got {shown(n_jobs)}."
        )
    n_jobs = operator.index(n_jobs)
    return n_jobs if n_jobs > 0 else max(1, _core.available_threads() + 1 + n_jobs)
