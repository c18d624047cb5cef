"""Postpone SIGTERM and SIGHUP, so that they do not leave a temporary file behind.

By default both signals end a process immediately, without cleanup. :func:`postponed_termination`
records them and sends them again when the block ends, so that the process ends with the usual exit
status. A program that handles or ignores a signal keeps its own handler; exceptions of a handler
trigger cleanup like any other error.

Python can set signal handlers only in the main thread. In other threads the block has no effect.
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
    """Finish the block before a signal ends the process."""
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
