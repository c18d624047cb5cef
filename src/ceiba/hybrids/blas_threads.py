"""Linear algebra on one thread, so that the number of threads changes no bit of a model.

A BLAS adds up in another order when it has more threads. While a hybrid is fitted it has one, and
what can be done at the same time (one column, one candidate) is handed to threads of our own, each
of which does the whole of its sums.
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
    """Keep the BLAS of this process at one thread, until the last of several users is done."""
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
    """Return what ``work`` makes of each, in their order."""
    if n_threads == 1 or len(given) < 2:
        return [work(one) for one in given]
    with ThreadPoolExecutor(n_threads) as pool:
        return list(pool.map(work, given))
