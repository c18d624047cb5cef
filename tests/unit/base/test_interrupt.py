"""Signals reach native work: the exception of a Python signal handler ends long calls.

Every workload would run for many seconds. An alarm goes off after a fraction of one, in the middle
of the native call.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import ceiba


class Alarm(Exception):
    """Raised by the signal handler of these tests."""


@pytest.fixture
def alarm() -> Iterator[Callable[[], None]]:
    """Return a function that arms the alarm."""

    def ring(*_: Any) -> None:
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)

    def arm() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.3)

    yield arm
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def table(n_rows: int, n_columns: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, n_columns))
    return X, X[:, 0] + X[:, 1] * X[:, 2] + random.normal(size=n_rows)


def deep_model() -> ceiba.Model:
    X, y = table(3000, 12)
    params = {"n_estimators": 150, "max_leaves": 127, "min_samples_leaf": 3}
    return ceiba.train(params, ceiba.Dataset(X, y))


def unlimited_tree(n_jobs: int) -> Callable[[], Any]:
    X, y = table(400_000, 12)
    return lambda: ceiba.CeibaTreeRegressor(n_jobs=n_jobs).fit(X, y)


def forest(n_jobs: int) -> Callable[[], Any]:
    X, y = table(100_000, 10)
    return lambda: ceiba.CeibaForestRegressor(300, n_jobs=n_jobs).fit(X, y)


def exact_splits(n_jobs: int) -> Callable[[], Any]:
    X, y = table(500_000, 10)
    params = {"split_method": "exact", "max_leaves": 255, "n_estimators": 100, "n_jobs": n_jobs}
    return lambda: ceiba.train(params, ceiba.Dataset(X, y))


def interactions(n_jobs: int) -> Callable[[], Any]:
    model, (X, _) = deep_model(), table(200_000, 12)
    return lambda: model.explain(X, interactions=True, n_jobs=n_jobs)


def background(n_jobs: int) -> Callable[[], Any]:
    model, (X, _) = deep_model(), table(100_000, 12)
    return lambda: model.explain(X, background=X[:2000], n_jobs=n_jobs)


def predictions(n_jobs: int) -> Callable[[], Any]:
    model, (X, _) = deep_model(), table(3_000_000, 12)
    return lambda: [model.predict(X, n_jobs=n_jobs) for _ in range(50)]


def linear_tree(n_jobs: int) -> Callable[[], Any]:
    X, y = table(300_000, 20)
    return lambda: ceiba.LinearTreeRegressor(max_depth=12, n_jobs=n_jobs).fit(X, y)


WORK = [unlimited_tree, forest, exact_splits, interactions, background, predictions, linear_tree]


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("work", WORK, ids=lambda make: make.__name__)
def test_a_signal_ends_the_call(
    work: Callable[[int], Callable[[], Any]], n_jobs: int, alarm: Callable[[], None]
) -> None:
    call = work(n_jobs)
    alarm()
    with pytest.raises(Alarm):
        call()


def test_a_model_works_after_an_interrupted_explanation(alarm: Callable[[], None]) -> None:
    model, (X, _) = deep_model(), table(200_000, 12)
    before = model.explain(X[:50]).values
    alarm()
    with pytest.raises(Alarm):
        model.explain(X, interactions=True, n_jobs=2)
    assert np.array_equal(model.explain(X[:50]).values, before)


def test_boosting_keeps_the_complete_rounds(alarm: Callable[[], None]) -> None:
    X, y = table(100_000, 10)
    estimator = ceiba.CeibaRegressor(n_estimators=100_000, n_jobs=2)

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGALRM, interrupt)  # the fixture puts the old handler back
    signal.setitimer(signal.ITIMER_REAL, 1.0)
    with pytest.raises(ceiba.TrainingInterrupted):
        estimator.fit(X, y)
    again = ceiba.CeibaRegressor(n_estimators=estimator.n_iter_, n_jobs=2).fit(X, y)
    assert np.array_equal(again.predict(X[:1000]), estimator.predict(X[:1000]))


def test_a_handler_that_returns_interrupts_nothing(alarm: Callable[[], None]) -> None:
    rung = []
    signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    X, y = table(20_000, 10)
    alone = ceiba.CeibaTreeRegressor(n_jobs=2).fit(X, y)
    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)  # a fit may take 40 ms
    again = ceiba.CeibaTreeRegressor(n_jobs=2).fit(X, y)
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert rung
    assert again.model_.fingerprint() == alone.model_.fingerprint()


def test_other_threads_are_not_interrupted(alarm: Callable[[], None]) -> None:
    """Python runs signal handlers on the main thread; a fit on another one goes on."""
    X, y = table(60_000, 10)
    done, fitted = threading.Event(), []

    def fit() -> None:
        fitted.append(ceiba.CeibaTreeRegressor().fit(X, y))
        done.set()

    threading.Thread(target=fit).start()
    alarm()
    with pytest.raises(Alarm):
        time.sleep(60)
    assert done.wait(120)
    assert fitted[0].get_n_leaves() > 1
