"""Check that a large table fits into memory before it is allocated."""

from __future__ import annotations

from collections.abc import Iterator

from ceiba.errors import InsufficientMemoryError
from ceiba.messages import warn

__all__ = ["available_memory", "check_memory"]

#: Without a known amount of available memory, larger requests warn.
_WARN_ABOVE = 2**30


def check_memory(
    n_bytes: int,
    what: str,
    advice: str = "Use fewer rows or columns, or split_method='hist'.",
) -> None:
    """Raise ``InsufficientMemoryError`` if ``n_bytes`` exceed the available memory.

    ``what`` is the subject of the message, ``advice`` its end. Systems that do not report available
    memory get a warning for more than 1 GB instead.
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
        raise InsufficientMemoryError(f"{needed} Available are {free / 2**30:.1f} GB. {advice}")


def available_memory() -> int | None:
    """Return the bytes that this process may still take, or None if the system does not tell.

    That is what Linux reports as available, or less if a control group (of a container) has less.
    """
    free = _of_system()
    for own in _of_groups():
        free = own if free is None else min(free, own)
    return free


def _of_system() -> int | None:
    """Return the bytes that Linux reports as available, or None on systems without ``/proc``."""
    for line in _lines("/proc/meminfo"):
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _of_groups() -> Iterator[int]:
    """Yield the bytes that are left in each control group with a limit, of either version."""
    for line in _lines("/proc/self/cgroup"):
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            root, files, cached = (
                "/sys/fs/cgroup",
                ("memory.max", "memory.current"),
                "inactive_file",
            )
        elif "memory" in controllers.split(","):
            root, cached = "/sys/fs/cgroup/memory", "total_inactive_file"
            files = ("memory.limit_in_bytes", "memory.usage_in_bytes")
        else:
            continue
        group = path.strip("/")
        while True:
            yield from _left_in(f"{root}/{group}".rstrip("/"), *files, cached)
            if not group:
                break
            group = group.rpartition("/")[0]


def _left_in(group: str, limit: str, used: str, cached: str) -> Iterator[int]:
    """Yield the bytes left in a group, if it has a limit. Cached file pages are free."""
    most, now = _number(f"{group}/{limit}"), _number(f"{group}/{used}")
    if most is None or now is None:
        return  # "max", or a container that hides the files of its group
    for line in _lines(f"{group}/memory.stat"):
        name, _, value = line.partition(" ")
        if name == cached:
            now -= int(value)
    yield max(0, most - now)


def _number(path: str) -> int | None:
    text = "".join(_lines(path)).strip()
    return int(text) if text.isdigit() else None


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="ascii") as file:  # noqa: PTH123
            return file.readlines()
    except (OSError, ValueError):
        return []
