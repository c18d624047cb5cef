"""Postpone SIGTERM and SIGHUP for a moment, so that they do not leave a temporary file behind.

By default both signals end a process at once, without a chance to clean up. Inside of
:func:`postponed_termination` they are only recorded; when the block ends, the process gets them and
ends in the usual way, with the usual exit status. A program that handles or ignores a signal keeps
its own handling: a handler that raises is cleaned up after like any other error.

Python changes signal handlers in the main thread only. In other threads the block does nothing.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["postponed_termination"]

_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)  # Windows has no SIGHUP


@contextmanager
def postponed_termination() -> Iterator[None]:
    """Let the block finish before a signal ends the process."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []
    postponed = [number for number in _SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    for number in postponed:
        signal.signal(number, lambda which, _: received.append(which))
    try:
        yield
    finally:
        for number in postponed:
            signal.signal(number, signal.SIG_DFL)
        for number in received:
            os.kill(os.getpid(), number)
