"""Save models in a child process that a signal ends, and check what is left in the folder.

    python save_until_killed.py FOLDER TIMES [SIGNAL]

Forks its children itself, so that fifty of them cost little. Prints one JSON object.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from ceiba.model.load import load_model
from ceiba.testing.forests import random_model


def save_forever(models, path, ready):
    os.write(ready, b"x")
    while True:
        for model in models:
            model.save(path)


def main(folder, times, number=signal.SIGKILL):
    path = Path(folder) / "model.ceiba"
    models = [random_model(seed, n_iterations=300) for seed in (1, 2)]
    known = [model.fingerprint() for model in models]
    models[0].save(path)
    started = time.perf_counter()
    models[0].save(path)
    one_save = time.perf_counter() - started
    chance = random.Random(0)
    seen, interrupted = [], 0
    for _ in range(times):
        listen, ready = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                save_forever(models, path, ready)
            finally:
                os._exit(1)
        os.close(ready)
        os.read(listen, 1)
        os.close(listen)
        time.sleep(chance.uniform(0.0, 4 * one_save))
        os.kill(child, number)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), "the child failed before it was killed"
        assert os.WTERMSIG(status) == number
        seen.append(known.index(load_model(path).fingerprint()))
        # A temporary file tells that the child died in the middle of a save.
        interrupted += len(list(Path(folder).glob(".*.tmp")))
        models[0].save(path)
        assert [path] == list(Path(folder).iterdir()), "a save leaves no leftovers"
    print(json.dumps({"seen": seen, "interrupted": interrupted}))


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:]))
