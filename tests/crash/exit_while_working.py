"""Exit while a daemon thread trains or predicts.

    python exit_while_working.py train|predict CODE [N_CHILDREN]

The process exits with CODE. Before that, while its daemon thread is at work, it forks N_CHILDREN
children, which exit in the same way by turns: every other one starts a daemon thread of its own.
Their exit codes are printed; one that hangs is ended by an alarm, and its code is negative.
"""

import os
import signal
import sys
import threading
import time
import warnings

import numpy as np

import ceiba
from ceiba import _core

PATIENCE = 120  # seconds

# Newer Pythons warn of any fork of a process with threads.
warnings.simplefilter("ignore", DeprecationWarning)
_core.change_settings(chunk_rows=64, serial_below=0)  # every job goes to the threads
RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(3000, 6))
Y = X[:, 0] * X[:, 1] + RANDOM.normal(size=3000)
PARAMS = {"n_jobs": 2, "max_leaves": 8}


def train(at_work: threading.Event) -> None:
    params = {**PARAMS, "n_estimators": 10**6}
    ceiba.train(params, ceiba.Dataset(X, Y), callbacks=[lambda round: at_work.set()])


def predict(at_work: threading.Event) -> None:
    model = ceiba.train({**PARAMS, "n_estimators": 20}, ceiba.Dataset(X, Y))
    while True:
        model.predict(X, n_jobs=2)
        at_work.set()


def start(work: str) -> None:
    at_work = threading.Event()
    target = {"train": train, "predict": predict}[work]
    threading.Thread(target=target, args=[at_work], daemon=True).start()
    assert at_work.wait(PATIENCE)


def child_code(number: int, work: str, code: int) -> int:
    child = os.fork()
    if child == 0:
        signal.alarm(PATIENCE)
        if number % 2 == 0:
            start(work)
        time.sleep(number / 2000)  # each stops its thread at another point
        sys.exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    work, code, n_children = sys.argv[1], int(sys.argv[2]), int([*sys.argv, 0][3])
    start(work)
    codes = [child_code(number, work, code) for number in range(n_children)]
    print(*codes, flush=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
