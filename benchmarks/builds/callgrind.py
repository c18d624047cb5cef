"""Count instructions with callgrind, separately for the core and Python.

A callgrind profile lists for each function the cost of its lines and the inclusive cost of its
calls::

    ob=(3) /.../_core.cpython-311.so      the object that the functions below are in
    fn=(12) ceiba::Shard::partition(...)
    16 4120                               position, cost: the function's own
    cob=(1)                               a call into another object ...
    cfn=(40)
    calls=3 0
    16 912                                ... its cost, with all that it calls

The instructions of the core are those of the module's functions and of the system libraries they
call (memcpy, malloc ...), but not those of Python.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Instructions", "count_instructions", "read_profile"]

MODULE = "/_core"
SYSTEM = re.compile(r"/(libc|libm|libstdc\+\+|libgcc_s|libpthread|ld-linux[^/]*)[.-]")
NAMED = re.compile(r"(ob|cob)=\((\d+)\)(?: (.*))?$")


@dataclass(frozen=True)
class Instructions:
    """Instructions of a process: total and core."""

    total: int
    core: int

    def __sub__(self, other: Instructions) -> Instructions:
        return Instructions(self.total - other.total, self.core - other.core)


def count_instructions(
    command: list[str], environment: Mapping[str, str], folder: Path, profile: Path
) -> Instructions:
    """Run a command under callgrind in a folder; return only the counts."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise SystemExit("Counting instructions needs valgrind. Install it, or omit this part.")
    options = ["--tool=callgrind", f"--callgrind-out-file={profile}", "--quiet"]
    done = subprocess.run(
        [valgrind, *options, *command],
        cwd=folder,
        env=dict(environment),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode or not profile.exists():
        raise SystemExit(f"callgrind failed: {done.stderr.strip()[-2000:]}")
    found = read_profile(profile.read_text())
    profile.unlink()
    return found


def read_profile(text: str) -> Instructions:
    """Return the instruction counts of a profile."""
    objects: dict[str, str] = {}
    here = called = ""
    after_call = False
    total = core = 0
    for line in text.splitlines():
        first = line[:1]
        if first.isdigit() or first in ("+", "-", "*"):
            cost = int(line.split()[1])
            if after_call:
                if MODULE in here and MODULE not in called and SYSTEM.search(called):
                    core += cost
                after_call, called = False, here
            else:
                total += cost
                core += cost if MODULE in here else 0
        elif first == "o" or line.startswith("cob="):
            match = NAMED.match(line)
            if match is None:
                continue
            kind, number, name = match.groups()
            if name is not None:
                objects[number] = name
            if kind == "ob":
                here = called = objects[number]
            else:
                called = objects[number]
        elif line.startswith("calls="):
            after_call = True
    return Instructions(total, core)
