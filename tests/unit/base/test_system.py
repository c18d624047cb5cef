"""The core reads what the operating system says, and only `cpp/base` speaks to it."""

from __future__ import annotations

import os
import re
import threading
from pathlib import Path

import pytest

from ceiba import _core

CPP = Path(__file__).parents[3] / "cpp"
_SYSTEM_HEADERS = re.compile(
    r"#\s*include\s*<(sys/\w+|unistd|pthread|sched|signal|time|dlfcn|fcntl|windows|linux/\w+|mach/\w+)"
    r"\.h>"
)


def cpp_files():
    return [path for path in CPP.rglob("*") if path.suffix in {".hpp", ".cpp", ".inc"}]


def test_system_headers_are_included_in_one_file() -> None:
    users = {path.name for path in cpp_files() if _SYSTEM_HEADERS.search(path.read_text("utf-8"))}
    assert users == {"system_posix.cpp"}


def test_wide_integers_have_one_declaration() -> None:
    users = {path.name for path in cpp_files() if "__int128" in path.read_text("utf-8")}
    assert users == {"wide_integer.hpp"}


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="needs sched_getaffinity")
def test_available_threads_follow_the_affinity_mask() -> None:
    everything = os.sched_getaffinity(0)
    found = []

    def count_on_one_core() -> None:
        os.sched_setaffinity(0, {min(everything)})  # of this thread only
        found.append(_core.available_threads())

    thread = threading.Thread(target=count_on_one_core)
    thread.start()
    thread.join()
    assert found == [1]
    assert 1 <= _core.available_threads() <= len(everything)
