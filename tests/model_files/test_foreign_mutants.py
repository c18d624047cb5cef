from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ceiba

PROGRAM = Path(__file__).parent / "foreign_mutants.py"
KINDS = ("lightgbm", "json", "ubj", "catboost")


def run(kind, first, count):
    where = str(Path(ceiba.__file__).parents[1])
    path = os.pathsep.join(filter(None, (where, os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, str(PROGRAM), kind, str(first), str(count)],
        capture_output=True,
        text=True,
        timeout=1800,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    outcomes = json.loads(done.stdout)
    assert sum(outcomes.values()) == count
    assert not [name for name in outcomes if name.endswith("not finite")]
    # Some must get past the reader, or they test nothing.
    assert any(name.endswith("loaded") for name in outcomes)


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_of_other_libraries(kind):
    run(kind, 0, 300)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 10_000, 2500))
@pytest.mark.parametrize("kind", KINDS)
def test_many_damaged_files_of_other_libraries(kind, first):
    run(kind, first, 2500)
