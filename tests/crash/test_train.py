"""A process that is killed, or interrupted, for real, while a model is trained."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ceiba

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("kind", "trials"),
    [("numbers", 20), ("sampled classes", 20), ("dart", 6), ("forest", 6), ("parallel", 6)],
)
def test_killed_and_resumed(tmp_path, run, kind, trials):
    result = json.loads(run("train_until_killed.py", tmp_path, kind, trials))
    assert result["same"] == [True] * trials
    assert result["late"] > 0, "none was killed between its first checkpoint and its end"
    assert result["left"] == []


@pytest.mark.parametrize("sampling", ["uniform", "goss", "mvs", "bayesian", "bootstrap"])
def test_killed_in_every_sampling(tmp_path, run, sampling):
    result = json.loads(run("train_until_killed.py", tmp_path, sampling, 3))
    assert result["same"] == [True] * 3
    assert result["early"] + result["late"] > 0


@pytest.mark.parametrize("seed", range(3))
def test_interrupted(seed):
    listen, ready = os.pipe()
    where = str(Path(ceiba.__file__).parents[1])
    path = os.pathsep.join(filter(None, (where, os.environ.get("PYTHONPATH"))))
    with subprocess.Popen(
        [sys.executable, str(HERE / "interrupt_fit.py"), str(ready)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        pass_fds=[ready],
        env={**os.environ, "PYTHONPATH": path},
    ) as child:
        os.close(ready)
        assert os.read(listen, 1) == b"x"
        os.close(listen)
        time.sleep(random.Random(seed).uniform(0.0, 0.1))
        child.send_signal(signal.SIGINT)
        printed, errors = child.communicate(timeout=300)
    assert child.returncode == 0, errors[-3000:]
    found = json.loads(printed)
    assert found["rounds"] >= 4
    assert found["message"].startswith("Training was interrupted.")
    assert found["history"] == found["rounds"]
    assert found["same"]
    assert found["predictions"]
    assert found["classes"] == [0, 1, 2]
