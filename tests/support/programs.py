"""Programs that need a Python process of their own."""

from __future__ import annotations

import subprocess
import sys


def run_alone(program: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a fresh process that sees the same packages."""
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{program}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
