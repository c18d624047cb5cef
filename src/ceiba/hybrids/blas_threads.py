"""Run BLAS on one thread, so that fitted models do not depend on the number of threads.

A BLAS with more threads sums in a different order. Fitting a hybrid therefore limits BLAS to one
thread. Independent tasks (one column, one candidate) run on our own threads; each task computes
its sums alone.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

__all__ = ["map_in_threads", "single_threaded_blas"]

Given = TypeVar("Given")
Result = TypeVar("Result")

_LOCK = threading.Lock()
_state: dict[str, Any] = {"users": 0, "limits": None}


@contextmanager
def single_threaded_blas() -> Iterator[None]:
    """Limit BLAS to one thread in this process until the last concurrent caller leaves."""
    with _LOCK:
        if _state["users"] == 0:
            _state["limits"] = threadpool_limits(limits=1, user_api="blas")
        _state["users"] += 1
    try:
        yield
    finally:
        with _LOCK:
            _state["users"] -= 1
            if _state["users"] == 0:
                _state["limits"].restore_original_limits()
                _state["limits"] = None


def map_in_threads(
    work: Callable[[Given], Result], given: Sequence[Given], n_threads: int
) -> list[Result]:
    """Apply ``work`` to every item on ``n_threads`` threads; return the results in item order."""
    if n_threads == 1 or len(given) < 2:
        return [work(one) for one in given]
    with ThreadPoolExecutor(n_threads) as pool:
        return list(pool.map(work, given))
