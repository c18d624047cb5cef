"""Check that a large table fits into memory before it is allocated."""

from __future__ import annotations

from ceiba.errors import InsufficientMemoryError
from ceiba.messages import warn

__all__ = ["available_memory", "check_memory"]

#: Without a known amount of available memory, larger requests warn.
_WARN_ABOVE = 2**30


def check_memory(n_bytes: int, what: str) -> None:
    """Raise ``InsufficientMemoryError`` if ``n_bytes`` exceed the available memory.

    ``what`` is the subject of the message. Systems that do not report available memory get a
    warning for more than 1 GB instead.
    """
    free = available_memory()
    needed = f"{what} need {n_bytes / 2**30:.1f} GB."
    if free is None:
        if n_bytes > _WARN_ABOVE:
            warn(
                f"{needed} This system does not report how much memory is available, so ceiba "
                "cannot check whether they fit."
            )
    elif n_bytes > free:
        raise InsufficientMemoryError(
            f"{needed} Available are {free / 2**30:.1f} GB. "
            "Use fewer rows or columns, or split_method='hist'."
        )


def available_memory() -> int | None:
    """Return the bytes that Linux reports as available, or None on systems without ``/proc``."""
    try:
        with open("/proc/meminfo", encoding="ascii") as file:  # noqa: PTH123
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None
