"""Forks and threads of the user: no hang, and the same model everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from forks import forks_beside_threads

from ceiba import _core

# A hang is a failure: every script is given this many seconds.
PATIENCE = 120

PREPARE = """
    import os, sys, threading
    import numpy as np
    import ceiba
    from ceiba import _core

    _core.change_settings(chunk_rows=64, serial_below=0)  # every job goes to the threads
    random = np.random.default_rng(0)
    X = random.normal(size=(2000, 6))
    y = X[:, 0] * X[:, 1] + random.normal(size=2000)

    def fit(n_jobs=2):
        model = ceiba.train({"n_estimators": 5, "n_jobs": n_jobs}, ceiba.Dataset(X, y))
        model.predict(X, n_jobs=n_jobs)
        return model.fingerprint()

    def fork_and_fit(generations=1):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            answers = {fit()}
            if generations > 1:
                answers |= {answer_of(*fork_and_fit(generations - 1)), fit()}
            os.write(writing, ",".join(answers).encode())
            os._exit(0)
        os.close(writing)
        return child, reading

    def answer_of(child, reading):
        answer = os.read(reading, 1000).decode()
        os.close(reading)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        return answer
"""


def run(script: str) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    program = textwrap.dedent(PREPARE) + textwrap.dedent(script)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        timeout=PATIENCE,
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "same"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_parent_and_child_train_after_a_fork() -> None:
    run("""
        before = fit()
        assert _core.counters()["parallel_jobs"] > 0
        child, reading = fork_and_fit()
        after = fit()
        print("same" if before == after == answer_of(child, reading) else "different")
    """)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_forks_again() -> None:
    run("""
        before = fit()
        found = {answer_of(*fork_and_fit(generations=4)) for _ in range(3)} | {fit()}
        print("same" if found == {before} else "different")
    """)


@forks_beside_threads
def test_fork_while_another_thread_trains() -> None:
    run("""
        before = fit()
        stop = threading.Event()
        found = set()

        def keep_training():
            while not stop.is_set():
                found.add(fit())

        thread = threading.Thread(target=keep_training)
        thread.start()
        for _ in range(10):
            child, reading = fork_and_fit()
            found.add(answer_of(child, reading))
        stop.set()
        thread.join()
        print("same" if found == {before} else "different")
    """)


@pytest.mark.threads
def test_fits_at_the_same_time(make_problem: Any) -> None:
    problems = [
        make_problem("friedman", 1000),
        make_problem("two classes", 5000).with_missing(),
        make_problem("five classes", 800).with_weights("real"),
        make_problem("heavy tail", 1500).with_weights("whole"),
    ]
    expected = [problem.train({}).fingerprint() for problem in problems]
    _core.change_settings(block_rows=64, chunk_rows=64, serial_below=0)

    def fit(task: int) -> str:
        return problems[task % 4].train({"n_jobs": 1 + task % 3}).fingerprint()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(fit, range(24)))
    assert found == [expected[task % 4] for task in range(24)]


@pytest.mark.threads
def test_fits_share_a_dataset(make_problem: Any) -> None:
    import ceiba

    problem = make_problem("two classes", 3000)
    dataset = problem.dataset()
    params = {"objective": "logistic", "n_estimators": 4}
    expected = ceiba.train({**params, "n_jobs": 1}, problem.dataset()).fingerprint()
    _core.change_settings(block_rows=64, chunk_rows=64, serial_below=0)
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda _: ceiba.train({**params, "n_jobs": 2}, dataset), range(8))
        assert {model.fingerprint() for model in found} == {expected}


@pytest.mark.threads
def test_predictions_and_fits_at_the_same_time(make_problem: Any) -> None:
    problem = make_problem("five classes", 2000).with_missing()
    model = problem.train({"n_estimators": 10})
    expected = model.predict(problem.X, n_jobs=1)
    fingerprint = model.fingerprint()
    _core.change_settings(chunk_rows=64, serial_below=0)

    def work(task: int) -> bool:
        if task % 4 == 0:
            return problem.train({"n_estimators": 10, "n_jobs": 2}).fingerprint() == fingerprint
        return np.array_equal(model.predict(problem.X, n_jobs=1 + task % 3), expected)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(40)))
