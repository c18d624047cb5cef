"""A process that dies and a disk that is full, for real, while a model is saved."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ceiba
from ceiba.testing.forests import random_model

HERE = Path(__file__).parent


def run(program, *arguments):
    where = str(Path(ceiba.__file__).parents[1])
    path = os.pathsep.join(filter(None, (where, os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, str(HERE / program), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_killed_while_saving(tmp_path):
    result = json.loads(run("save_until_killed.py", tmp_path, 50))
    assert len(result["seen"]) == 50
    assert set(result["seen"]) == {0, 1}
    # Temporary files tell how many of the fifty died in the middle of a save.
    assert result["interrupted"] > 0


def test_no_space_by_a_limit(tmp_path):
    random_model(0).save(tmp_path / "model.ceiba")
    assert "untouched" in run("save_without_space.py", tmp_path / "model.ceiba", 50_000)


def test_disk_full(tmp_path):
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=128k", "ceiba-test", str(tmp_path)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip("a small file system can only be mounted by root")
    try:
        random_model(0).save(tmp_path / "model.ceiba")
        assert "No space left" in run("save_without_space.py", tmp_path / "model.ceiba")
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)
