"""The BLAS has one thread while hybrids are fitted, and its own number afterwards."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from ceiba.hybrids.blas_threads import map_in_threads, single_threaded_blas


def blas_threads() -> set[int]:
    np.ones((2, 2)) @ np.ones((2, 2))
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_limits_are_lifted_by_the_last_user() -> None:
    before = blas_threads()
    inside, done = threading.Event(), threading.Event()

    def other() -> None:
        with single_threaded_blas():
            inside.set()
            done.wait(10)

    thread = threading.Thread(target=other)
    thread.start()
    inside.wait(10)
    with single_threaded_blas():
        assert blas_threads() <= {1}
    assert blas_threads() <= {1}
    done.set()
    thread.join()
    assert blas_threads() == before


@pytest.mark.parametrize("n_threads", [1, 3])
def test_answers_come_in_order(n_threads: int) -> None:
    assert map_in_threads(lambda k: k * k, range(5), n_threads) == [0, 1, 4, 9, 16]
