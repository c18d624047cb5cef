"""Programs of this folder, run in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import ceiba

HERE = Path(__file__).parent


@pytest.fixture
def run() -> Callable[..., str]:
    """Return a function that runs a program to its end and returns what it printed."""

    def run_program(program: str, *arguments: object) -> str:
        where = str(Path(ceiba.__file__).parents[1])
        path = os.pathsep.join(filter(None, (where, os.environ.get("PYTHONPATH"))))
        done = subprocess.run(
            [sys.executable, str(HERE / program), *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=600,
            env={**os.environ, "PYTHONPATH": path},
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    return run_program
