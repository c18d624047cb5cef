"""A process that ends while daemon threads are in the core: quietly, and with its own exit code."""

from __future__ import annotations

import pytest
from forks import forks_beside_threads

PROGRAM = "exit_while_working.py"


@pytest.mark.parametrize("repetition", range(5))
@pytest.mark.parametrize("work", ["train", "predict"])
def test_the_main_thread_exits(run, work, repetition):
    code = repetition % 2 * 7
    assert run(PROGRAM, work, code, exit_code=code, errors="") == "\n"


@forks_beside_threads
@pytest.mark.parametrize("work", ["train", "predict"])
def test_children_of_fork_exit(run, work):
    codes = run(PROGRAM, work, 5, 20, exit_code=5, errors="").split()
    assert codes == ["5"] * 20


def test_an_ordinary_script_leaves_nothing_behind(run):
    """All objects of the core are gone before it looks for what outlives the interpreter."""
    assert run("train_and_exit.py", errors="") == "done\n"
