"""A process that dies and a disk that is full, for real, while a model is saved."""

from __future__ import annotations

import json
import signal
import subprocess

import pytest

from ceiba.testing.forests import random_model


def test_killed_while_saving(tmp_path, run):
    result = json.loads(run("save_until_killed.py", tmp_path, 50))
    assert len(result["seen"]) == 50
    assert set(result["seen"]) == {0, 1}
    # Some of the fifty died in the middle of a save.
    assert result["interrupted"] > 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_no_temporary_file(tmp_path, run, number):
    result = json.loads(run("save_until_killed.py", tmp_path, 30, int(number)))
    assert len(result["seen"]) == 30
    assert result["interrupted"] == 0


def test_no_space_by_a_limit(tmp_path, run):
    random_model(0).save(tmp_path / "model.ceiba")
    assert "unchanged" in run("save_without_space.py", tmp_path / "model.ceiba", 50_000)


def test_disk_full(tmp_path, run):
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
