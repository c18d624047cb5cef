"""Run measurements of two builds in separate processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.builds.callgrind import Instructions, count_instructions
from benchmarks.builds.worker import Task
from benchmarks.cases import CASES
from benchmarks.datasets import DATASETS
from benchmarks.runner import REPOSITORY, THREAD_VARIABLES
from benchmarks.settings import Settings

__all__ = ["Builds"]

Say = Callable[[str], None]


class Builds:
    """Runs tasks with both builds.

    The life of a runner:

    1. It is created with the two trees and refuses one that is not built.
    2. ``result`` runs a task with a build in a separate process; ``instructions`` does so under
       callgrind; ``in_turn`` alternates both builds for several rounds.
    3. Data are generated once, in a folder that is deleted with the runner.
    """

    def __init__(self, trees: tuple[Path, Path], *, scale: float, threads: int, say: Say) -> None:
        self.trees, self.scale, self.threads = trees, scale, threads
        self.say = say
        self._temporary = tempfile.TemporaryDirectory(prefix="ceiba-builds-")
        self._folder = Path(self._temporary.name)
        self.avx2: list[set[bool]] = [set(), set()]
        self._numbers = count()  # of tasks; next() is thread-safe

    def __enter__(self) -> Builds:
        settings = replace(CASES["small"].settings, n_estimators=1, threads=1)
        for build in (0, 1):  # checks that both are built, and writes compiled Python files
            self.result(build, self.task("count", settings, "small"))
        return self

    def __exit__(self, *_: object) -> None:
        self._temporary.cleanup()

    def task(self, kind: str, settings: Settings, dataset: str, scale: float = 1.0) -> Task:
        """Create a task, and its data if needed."""
        scale *= self.scale
        folder = self._folder / f"{dataset}_{scale}"
        if not folder.exists():
            # In a separate process, so that this one stays small.
            program = (
                "import sys; from pathlib import Path; from benchmarks.datasets import DATASETS; "
                f"DATASETS[{dataset!r}]({scale!r}).save(Path(sys.argv[1]))"
            )
            if dataset == "covertype":
                DATASETS[dataset](scale).save(folder)  # raises the error if the data are missing
            else:
                subprocess.run(
                    [sys.executable, "-c", program, str(folder)], cwd=REPOSITORY, check=True
                )
        return Task(kind, asdict(settings), str(folder))

    def _environment(self, build: int, threads: int) -> dict[str, str]:
        made = dict(os.environ) | dict.fromkeys(THREAD_VARIABLES, str(threads))
        made.pop("PYTHONDONTWRITEBYTECODE", None)
        return made | {
            "PYTHONPATH": str(self.trees[build] / "src"),
            "PYTHONPYCACHEPREFIX": str(self._folder / f"compiled_{build}"),
            "PYTHONHASHSEED": "0",
        }

    def _command(self, build: int, task: Task) -> tuple[list[str], Path]:
        stem = self._folder / f"task_{next(self._numbers)}"
        task_file, out_file = stem.with_suffix(".task"), stem.with_suffix(".out")
        task_file.write_text(json.dumps(asdict(task)))
        command = ["-m", "benchmarks.builds.worker", str(task_file), str(out_file)]
        return [sys.executable, *command], out_file

    def _read(self, build: int, out_file: Path) -> dict[str, Any]:
        result: dict[str, Any] = json.loads(out_file.read_text())
        tree = self.trees[build]
        for file in result["found"]:
            if not Path(file).resolve().is_relative_to(tree):
                sys.exit(f"{tree} is not built in place: its measurement found {file}.")
        self.avx2[build].add(result["avx2"])
        return result

    def result(self, build: int, task: Task) -> dict[str, Any]:
        """Run a task with a build."""
        command, out_file = self._command(build, task)
        done = subprocess.run(
            command,
            cwd=REPOSITORY,
            env=self._environment(build, self.threads),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"{self.trees[build]}: {task.kind} failed.\n{done.stderr.strip()[-2000:]}")
        return self._read(build, out_file)

    def instructions(self, build: int, task: Task) -> tuple[Instructions, str]:
        """Count the instructions of a task and return the fingerprint of its model."""
        command, out_file = self._command(build, task)
        environment = self._environment(build, 1)
        profile = out_file.with_suffix(".profile")
        counted = count_instructions(command, environment, REPOSITORY, profile)
        return counted, self._read(build, out_file)["same"]

    def in_turn(self, task: Task, rounds: int) -> tuple[list[Any], list[Any]]:
        """Run a task with both builds, alternating which one is first."""
        found: tuple[list[Any], list[Any]] = ([], [])
        for number in range(rounds):
            for build in (0, 1) if number % 2 == 0 else (1, 0):
                found[build].append(self.result(build, task))
        return found
