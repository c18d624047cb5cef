"""Peak memory of a function call, above the memory of the process before it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")

STATUS = Path("/proc/self/status")
RESET_PEAK = "5"  # written to clear_refs, it resets VmHWM to VmRSS


def _status_kb(field: str) -> int:
    for line in STATUS.read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1])
    raise OSError(f"{STATUS} has no field {field}.")


class _Sampler(threading.Thread):
    """Samples the resident size every 2 ms, if the kernel's peak cannot be reset."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak_kb = 0
        self._stopping = threading.Event()

    def run(self) -> None:
        while not self._stopping.wait(0.002):
            self.peak_kb = max(self.peak_kb, _status_kb("VmRSS"))

    def stop(self) -> int:
        self._stopping.set()
        self.join()
        return self.peak_kb


def peak_above_start(work: Callable[[], Result]) -> tuple[Result, float]:
    """Call the function; return its result and its peak in MB above the initial resident size."""
    start_kb = _status_kb("VmRSS")
    try:
        Path("/proc/self/clear_refs").write_text(RESET_PEAK)
    except OSError:
        sampler = _Sampler()
        sampler.start()
        result = work()
        return result, (sampler.stop() - start_kb) / 1024
    result = work()
    return result, (_status_kb("VmHWM") - start_kb) / 1024
