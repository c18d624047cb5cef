"""Trains in a child that is killed at random moments and resumed, until it comes to its end.

    python train_until_killed.py FOLDER KIND TRIALS

Forks its children itself, so that many of them cost little. Prints one JSON object:
whether each trial ended with the model and history of a training that nobody killed, and how many
kills there were before the first checkpoint and after it.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import numpy as np

import ceiba

N_ROUNDS = 60
KINDS = {
    "numbers": {"objective": "squared_error", "eval_metric": ["mae", "rmse"]},
    "sampled classes": {
        "objective": "softmax",
        "subsample": 0.5,
        "colsample_bytree": 0.7,
        "colsample_bynode": 0.8,
        "learning_rate": [0.15 * 0.98**number for number in range(N_ROUNDS)],
        "early_stopping_rounds": 8,
        "eval_metric": ["error", "multi_logloss"],
        "n_estimators": N_ROUNDS,
    },
    "dart": {"boosting": "dart", "drop_rate": 0.2, "skip_drop": 0.2, "n_estimators": 30},
    "forest": {"boosting": "forest", "subsample": 0.6, "n_estimators": 30},
    "parallel": {"num_parallel_tree": 2, "extra_trees": True, "n_estimators": 30},
    "uniform": {"sampling": "uniform", "subsample": 0.5, "n_estimators": 30},
    "goss": {"sampling": "goss", "learning_rate": 0.3, "n_estimators": 30},
    "mvs": {"sampling": "mvs", "subsample": 0.5, "n_estimators": 30},
    "bayesian": {"sampling": "bayesian", "n_estimators": 30},
    "bootstrap": {"sampling": "bootstrap", "subsample_freq": 3, "n_estimators": 30},
}


def problem(kind):
    numbers = np.random.default_rng(0)
    x = numbers.normal(size=(4000, 6))
    x[numbers.random(x.shape) < 0.1] = np.nan
    y = np.nan_to_num(x[:, 0] + x[:, 1] * x[:, 2]) + numbers.normal(size=4000)
    if kind == "sampled classes":
        y = np.digitize(y, [-0.7, 0.7]).astype(float)
    return ceiba.Dataset(x[:3000], y[:3000]), ceiba.Dataset(x[3000:], y[3000:])


def train(kind, rows, held, checkpoint):
    params = {"n_estimators": N_ROUNDS, "n_jobs": 2, **KINDS[kind]}
    return ceiba.train(
        params,
        rows,
        eval_sets={"held": held},
        callbacks=[ceiba.Checkpoint(checkpoint, every=2)],
        resume_from=checkpoint if checkpoint.exists() else None,
    )


def run_child(kind, rows, held, checkpoint, result):
    child = os.fork()
    if child:
        return child
    try:
        model = train(kind, rows, held, checkpoint)
        text = model.fingerprint() + json.dumps(dict(model.history["held"]))
        result.with_suffix(".new").write_text(text)
        result.with_suffix(".new").rename(result)
        os._exit(0)
    finally:
        os._exit(1)


def wait_for_checkpoints(checkpoint, child, times):
    """Return when the file has been replaced so often, or the child has ended."""
    seen = None
    while times > 0:
        if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            return
        now = checkpoint.stat().st_ino if checkpoint.exists() else None
        times, seen = times - (now != seen), now
        time.sleep(0.0005)


def main(folder, kind, trials):
    folder = Path(folder)
    rows, held = problem(kind)
    started = time.perf_counter()
    whole = train(kind, rows, held, folder / "whole.ceiba")
    one_round = (time.perf_counter() - started) / len(next(iter(whole.history["held"].values())))
    expected = whole.fingerprint() + json.dumps(dict(whole.history["held"]))
    chance = random.Random(0)
    same, early, late = [], 0, 0
    for trial in range(trials):
        checkpoint, result = folder / f"{trial}.ceiba", folder / f"{trial}.txt"
        while not result.exists():
            child = run_child(kind, rows, held, checkpoint, result)
            wait_for_checkpoints(checkpoint, child, chance.randrange(10))
            time.sleep(chance.uniform(0.0, 2 * one_round))
            there = checkpoint.exists()
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            if os.WIFSIGNALED(status):
                early, late = early + (not there), late + there
            else:
                assert os.WEXITSTATUS(status) == 0, "the child failed before it was killed"
        same.append(result.read_text() == expected)
    left = [path.name for path in folder.iterdir() if path.suffix == ".tmp"]
    print(json.dumps({"same": same, "early": early, "late": late, "left": left}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
