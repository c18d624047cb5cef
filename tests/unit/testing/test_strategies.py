"""What the tools for tests need."""

from __future__ import annotations

from programs import run_alone


def test_hypothesis_is_needed_by_strategies_alone() -> None:
    program = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "import ceiba.testing, ceiba.testing.reference, ceiba.testing.forests\n"
        "try: import ceiba.testing.strategies\n"
        "except ceiba.CeibaError as error: print(error)\n"
    )
    done = run_alone(program)
    assert done.returncode == 0, done.stderr
    assert "pip install hypothesis" in done.stdout
