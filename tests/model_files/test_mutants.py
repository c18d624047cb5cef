from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ceiba

PROGRAM = Path(__file__).parent / "mutants.py"
PER_PROCESS = 500


@pytest.mark.parametrize("first", range(0, 2000, PER_PROCESS))
def test_damaged_files_never_crash_and_never_lie(first):
    where = str(Path(ceiba.__file__).parents[1])
    path = os.pathsep.join(filter(None, (where, os.environ.get("PYTHONPATH"))))
    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(first), str(PER_PROCESS)],
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    outcomes = json.loads(done.stdout)
    assert sum(outcomes.values()) == PER_PROCESS
    wrong = {name: n for name, n in outcomes.items() if name.endswith(("differs", "not finite"))}
    assert not wrong
    # The sealed ones must really get past the checksum, or they test nothing.
    assert any(name.endswith("sealed: loaded") for name in outcomes)
