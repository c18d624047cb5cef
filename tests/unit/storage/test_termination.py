"""Signals that end a process wait until a block is done, and are not lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from ceiba.storage.termination import postponed_termination

ENDED_BY = """
import os, signal
from ceiba.storage.termination import postponed_termination
try:
    with postponed_termination():
        os.kill(os.getpid(), signal.{name})
        print("finished", flush=True)
        {more}
finally:
    print("not reached", flush=True)
"""


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("more", ["pass", "raise ValueError"])
def test_the_process_ends_after_the_block(name, more):
    script = ENDED_BY.format(name=name, more=more)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert done.stdout == b"finished\n"
    assert done.returncode == -getattr(signal, name)


def test_handlers_of_the_program_stay():
    received = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: received.append(number))
    try:
        mine = signal.getsignal(signal.SIGTERM)
        with postponed_termination():
            os.kill(os.getpid(), signal.SIGTERM)
            assert received == [signal.SIGTERM]
        assert signal.getsignal(signal.SIGTERM) is mine
    finally:
        signal.signal(signal.SIGTERM, before)


def test_other_threads_change_no_handler():
    seen = []

    def look():
        with postponed_termination():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [signal.getsignal(signal.SIGTERM)]
