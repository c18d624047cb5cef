"""Run measurements in separate processes; libraries take turns, round after round."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.cases import Case
from benchmarks.datasets import DATASETS, DatasetUnavailableError
from benchmarks.libraries import LIBRARIES
from benchmarks.worker import Task

# Environment variables that could make a library use more threads than the others.
THREAD_VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "LOKY_MAX_CPU_COUNT",
)
# A peer this many times slower than the fastest peer in the first round skips the later rounds.
HOPELESS = 2.0
TIMEOUT_SECONDS = 1800
REPOSITORY = Path(__file__).resolve().parent.parent

Say = Callable[[str], None]


@dataclass
class Measured:
    """All rounds of one library in one case; `error` explains why there are none."""

    library: str
    rounds: list[dict[str, Any]] = field(default_factory=list)
    error: str | None = None

    def best(self, figure: str) -> dict[str, Any] | None:
        """Return the round with the smallest result."""
        return min(self.rounds, key=lambda round_: float(round_[figure]), default=None)


class Runner:
    """Measures cases.

    The life of a runner:

    1. It is created with a data folder, which is deleted with it.
    2. `measure(case)` generates the data of the case if needed.
    3. In each round every library takes its turn in a separate process.
    4. `measure` returns the rounds, one `Measured` per library.
    """

    def __init__(self, *, rounds: int, threads: int, scale: float, say: Say) -> None:
        self.rounds = rounds
        self.threads = threads
        self.scale = scale
        self._say = say
        self._temporary = tempfile.TemporaryDirectory(prefix="ceiba-bench-")
        self._folder = Path(self._temporary.name)
        self._environment = dict(os.environ) | dict.fromkeys(THREAD_VARIABLES, str(threads))

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self._temporary.cleanup()

    def measure(self, case: Case, libraries: tuple[str, ...]) -> list[Measured]:
        """Measure a case. Raises DatasetUnavailableError if this machine lacks its data."""
        case = case.with_threads(self.threads)
        folder = self._data(case)
        measured = {name: Measured(name) for name in libraries}
        for number in range(self.rounds):
            for name, entry in measured.items():
                if entry.error is not None or (number and self._hopeless(case, entry, measured)):
                    continue
                result = self._one(case, name, folder)
                if isinstance(result, str):
                    entry.error = result
                    self._say(f"  {name}: {result}")
                    continue
                entry.rounds.append(result)
                self._say(f"  round {number + 1}  {name:<20} {_describe(result)}")
        return list(measured.values())

    def _data(self, case: Case) -> Path | None:
        if case.dataset is None:
            return None
        folder = self._folder / case.dataset
        if not folder.exists():
            DATASETS[case.dataset](self.scale).save(folder)
        return folder

    def _hopeless(self, case: Case, entry: Measured, measured: dict[str, Measured]) -> bool:
        if LIBRARIES[entry.library].ours or _named_in_target(case, entry.library):
            return False
        firsts = [
            other.rounds[0][case.figure]
            for other in measured.values()
            if other.rounds and not LIBRARIES[other.library].ours
        ]
        return bool(entry.rounds[0][case.figure] > HOPELESS * min(firsts))

    def _one(self, case: Case, library: str, folder: Path | None) -> dict[str, Any] | str:
        if case.kind == "import" or case.kind == "import_estimator":
            return self._import(case, library)
        task = Task(
            kind=case.kind,
            library=library,
            settings=asdict(case.settings),
            folder=str(folder),
            folds=case.folds,
        )
        task_file, out_file = self._folder / "task.json", self._folder / "out.json"
        task_file.write_text(json.dumps(asdict(task)))
        out_file.unlink(missing_ok=True)
        error = self._process(["-m", "benchmarks.worker", str(task_file), str(out_file)])[1]
        if error is not None:
            return error
        result: dict[str, Any] = json.loads(out_file.read_text())
        return result

    def _import(self, case: Case, library: str) -> dict[str, Any] | str:
        entry = LIBRARIES[library]
        module = entry.module
        line = f"import {module}"
        if case.kind == "import_estimator":
            line = f"from {module} import {entry.estimator_name}"
        program = (
            f"import time; start = time.perf_counter(); {line}; print(time.perf_counter() - start)"
        )
        seconds = []
        for _ in range(3):  # a process is cheap here, and the first one may read uncached files
            out, error = self._process(["-c", program])
            if error is not None:
                return error
            seconds.append(float(out.split()[-1]))
        return {"seconds": min(seconds)}

    def _process(self, arguments: list[str]) -> tuple[str, str | None]:
        try:
            done = subprocess.run(
                [sys.executable, *arguments],
                cwd=REPOSITORY,
                env=self._environment,
                capture_output=True,
                text=True,
                timeout=TIMEOUT_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "", f"not finished after {TIMEOUT_SECONDS} s"
        if done.returncode == 0:
            return done.stdout, None
        lines = done.stderr.strip().splitlines()
        return "", lines[-1] if lines else f"ended with code {done.returncode}"


def _named_in_target(case: Case, library: str) -> bool:
    return any(library in target.peers for target in case.targets)


def _describe(result: dict[str, Any]) -> str:
    words = []
    if "seconds" in result:
        words.append(format_seconds(result["seconds"]))
    if "peak_mb" in result:
        words.append(f"{result['peak_mb']:.0f} MB")
    if "quality" in result:
        words.append(f"quality {result['quality']:.5f}")
    if "leaf_share" in result:
        words.append(f"leaves {100 * result['leaf_share']:.1f} %")
    return "  ".join(words)


def format_seconds(seconds: float) -> str:
    """Format a time in a suitable unit."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    if seconds >= 1e-3:
        return f"{seconds * 1e3:.1f} ms"
    return f"{seconds * 1e6:.0f} µs"


__all__ = ["DatasetUnavailableError", "Measured", "Runner", "format_seconds"]
