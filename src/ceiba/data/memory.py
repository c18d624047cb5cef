"""How much memory is left, asked before a table is made that might not fit."""

from __future__ import annotations

import sys

from ceiba.errors import InsufficientMemoryError

__all__ = ["check_memory"]


def check_memory(n_bytes: int, what: str) -> None:
    """Refuse to make what would not fit; ``what`` opens the message."""
    free = _available_bytes()
    if n_bytes > free:
        raise InsufficientMemoryError(
            f"{what} need {n_bytes / 2**30:.1f} GB. Free are {free / 2**30:.1f} GB. "
            "Give fewer rows or columns, or split_method='hist'."
        )


def _available_bytes() -> int:
    """Return the memory that the system says is free for use."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:  # noqa: PTH123
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return sys.maxsize
