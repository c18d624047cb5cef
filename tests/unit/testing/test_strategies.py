"""What the tools for tests need."""

from __future__ import annotations

import subprocess
import sys


def test_hypothesis_is_needed_by_strategies_alone() -> None:
    program = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "import ceiba.testing, ceiba.testing.reference, ceiba.testing.forests\n"
        "try: import ceiba.testing.strategies\n"
        "except ceiba.CeibaError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{program}"],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert "pip install hypothesis" in done.stdout
