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
    """Return a function that runs a program to its end and returns what it printed.

    ``errors`` is what it must write to stderr, where that matters.
    """

    def run_program(
        program: str, *arguments: object, exit_code: int = 0, errors: str | None = None
    ) -> str:
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
        assert done.returncode == exit_code, done.stderr[-3000:]
        assert errors is None or done.stderr == errors
        return done.stdout

    return run_program
