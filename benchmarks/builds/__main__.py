"""`python -m benchmarks.builds BASELINE [THIS]`: measure the cost of a change.

BASELINE and THIS (default: the tree of this file) are source trees that were built in place
(``cmake -DCEIBA_INPLACE=ON``; see CMakeLists.txt). Both run the same programs:

instructions  callgrind, one thread, few rows. Each case runs without training, with n rounds and
              with 2n rounds. The difference of the last two is the cost of rounds; that of the
              first two includes the start, mostly binning. Counts the instructions of the core and
              the system functions it calls. The last column has the ratio of all instructions of
              the process, including Python. Needs valgrind.
time          training and prediction cases of the README: separate processes, alternating builds,
              best of several rounds. The last column has the ratio of CPU time.
memory        peak of training above the loaded arrays, minimum of the rounds.
quantiles     one model with five quantiles: prediction time, training time and file size.

The table has the ratios of THIS to BASELINE (below 1 is better) and their limits. A star marks rows
with different models or predictions. The exit code is always 0. Instruction counts do not depend on
the load of the machine; times do. On a loaded machine compare CPU times with --threads 1.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.builds.processes import Builds
from benchmarks.cases import CASES, Case
from benchmarks.datasets import DatasetUnavailableError
from benchmarks.runner import REPOSITORY, format_seconds

QUICK_SCALE = 0.02
#: Cases with instruction counts: (fraction of the rows of their data, rounds n).
COUNTED = {
    "dense_leafwise": (0.05, 5),
    "dense_depthwise": (0.05, 5),
    "dense_symmetric": (0.05, 5),
    "wide": (0.2, 5),
    "seven_classes": (0.2, 3),
    "exact_100k": (0.2, 3),
    "approx_100k": (0.3, 3),
}
TIMED = tuple(name for name, case in CASES.items() if case.kind in ("train", "batch", "single_row"))
MEASURED = ("dense_leafwise", "dense_symmetric", "wide", "seven_classes", "exact_100k")
#: Limits of the ratios.
WANTED = {"instructions": 1.02, "time": 1.05, "memory": 1.02, "quantiles": 0.5}
PARTS = tuple(WANTED)


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    what: str
    baseline: str
    this: str
    ratio: float
    wanted: float | None
    beside: str = ""
    same: bool = True

    def line(self) -> str:
        """Return the line as Markdown."""
        wanted = "" if self.wanted is None else f"≤ {self.wanted:g}"
        verdict = "" if self.wanted is None else ("yes" if self.ratio <= self.wanted else "**no**")
        what = self.what if self.same else f"{self.what} \\*"
        cells = (what, self.baseline, self.this, f"{self.ratio:.4f}", wanted, verdict, self.beside)
        return f"| {' | '.join(cells)} |"


HEAD = (
    "| what | baseline | this | ratio | wanted | kept | beside it |\n|---|---|---|---|---|---|---|"
)


# ---- parts --------------------------------------------------------------------------------------


def instruction_rows(builds: Builds, names: list[str], jobs: int) -> Iterator[Row]:
    """Count the instructions of rounds and of the start, case by case."""
    for name in [name for name in COUNTED if name in names]:
        case, (scale, n) = CASES[name], COUNTED[name]
        assert case.dataset is not None
        few = replace(case.settings, threads=1)
        tasks = [
            builds.task("count", replace(few, n_estimators=n_rounds), case.dataset, scale)
            for n_rounds in (0, n, 2 * n)
        ]
        with ThreadPoolExecutor(jobs) as pool:
            pairs = list(product((0, 1), tasks))
            counted = list(pool.map(lambda pair: builds.instructions(*pair), pairs))
        first, later = [], []
        for none, one, two in (counted[:3], counted[3:]):
            first.append(one[0] - none[0])
            later.append(two[0] - one[0])
        same = counted[2][1] == counted[5][1]
        for part, (old, new) in ((f"{n} rounds", later), (f"start and {n} rounds", first)):
            yield Row(
                f"instructions, {name}: {part}",
                f"{old.core / 1e6:.1f} M",
                f"{new.core / 1e6:.1f} M",
                new.core / old.core,
                WANTED["instructions"],
                f"with Python {new.total / old.total:.3f}",
                same,
            )


def best_row(
    what: str, found: tuple[list[Any], list[Any]], figure: str, wanted: float | None, unit: str
) -> Row:
    """Compare the minimum results of all rounds."""
    best = [min(float(result[figure]) for result in results) for results in found]
    shown = [format_seconds(each) if unit == "s" else f"{each:,.1f} {unit}" for each in best]
    beside = ""
    if unit == "s":
        key = figure.replace("seconds", "cpu_seconds")
        cpu = [min(float(result[key]) for result in results) for results in found]
        beside = f"CPU {cpu[1] / cpu[0]:.3f}"
    same = len({result["same"] for results in found for result in results}) == 1
    return Row(what, shown[0], shown[1], best[1] / best[0], wanted, beside, same)


def case_of(name: str, threads: int) -> Case:
    return CASES[name].with_threads(threads)


def time_rows(builds: Builds, names: list[str], rounds: int) -> Iterator[Row]:
    """Measure the wall time of the README's cases."""
    for name in [name for name in TIMED if name in names]:
        case = case_of(name, builds.threads)
        assert case.dataset is not None
        try:
            task = builds.task(case.kind, case.settings, case.dataset)
        except DatasetUnavailableError as error:
            builds.say(f"{name} is left out: {error}")
            continue
        found = builds.in_turn(task, rounds)
        yield best_row(f"time, {case.title}", found, "seconds", WANTED["time"], "s")


def memory_rows(builds: Builds, names: list[str], rounds: int) -> Iterator[Row]:
    """Measure the peak memory of training."""
    for name in [name for name in MEASURED if name in names]:
        case = case_of(name, builds.threads)
        assert case.dataset is not None
        found = builds.in_turn(builds.task("memory", case.settings, case.dataset), rounds)
        yield best_row(f"memory, {case.title}", found, "megabytes", WANTED["memory"], "MB")


def quantile_rows(builds: Builds, rounds: int) -> Iterator[Row]:
    """Measure five quantiles: prediction, file and training."""
    settings = replace(CASES["wide"].settings, threads=builds.threads)
    found = builds.in_turn(builds.task("quantiles", settings, "dense"), rounds)
    for results in found:
        for result in results:
            result["kilobytes"] = result["bytes"] / 1000
    what = "five quantiles, 100 trees:"
    wanted = WANTED["quantiles"]
    yield best_row(f"{what} predict 200k × 24", found, "seconds", wanted, "s")
    yield best_row(f"{what} file", found, "kilobytes", wanted, "kB")
    yield best_row(f"{what} train 100k × 24", found, "training_seconds", WANTED["time"], "s")


# ---- the command --------------------------------------------------------------------------------


def arguments() -> argparse.Namespace:
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.builds",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("baseline", type=Path, help="source tree of the build to compare with")
    parser.add_argument("this", type=Path, nargs="?", default=REPOSITORY, help="(default: this)")
    parser.add_argument("--part", action="append", choices=PARTS, help="repeat (default: all)")
    parser.add_argument("--case", action="append", choices=CASES, help="repeat (default: all)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of time (default 5)")
    parser.add_argument("--threads", type=int, default=2, help="threads of time (default 2)")
    parser.add_argument("--jobs", type=int, default=2, help="callgrinds at once (default 2)")
    parser.add_argument("--quick", action="store_true", help="small data: only tests that it runs")
    return parser.parse_args()


def say(words: str) -> None:
    """Print to stderr without buffering, apart from the table."""
    print(words, file=sys.stderr, flush=True)


def commit_of(tree: Path) -> str:
    """Return the commit of a tree, with a plus if files changed since."""
    command = ["git", "-C", str(tree), "describe", "--always", "--dirty=+", "--exclude=*"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "no commit"


def main() -> None:
    """Measure part by part and print the table."""
    given = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the data are deleted
    trees = (given.baseline.resolve(), given.this.resolve())
    scale = QUICK_SCALE if given.quick else 1.0
    names, rounds = given.case or list(CASES), 1 if given.quick else given.rounds
    with Builds(trees, scale=scale, threads=given.threads, say=say) as builds:
        parts: dict[str, Callable[[], Iterator[Row]]] = {
            "instructions": lambda: instruction_rows(builds, names, given.jobs),
            "time": lambda: time_rows(builds, names, rounds),
            "memory": lambda: memory_rows(builds, names, min(rounds, 3)),
            "quantiles": lambda: quantile_rows(builds, rounds),
        }
        print(f"baseline {commit_of(trees[0])}, this {commit_of(trees[1])}\n\n{HEAD}", flush=True)
        for part in [part for part in PARTS if part in (given.part or PARTS)]:
            for row in parts[part]():
                print(row.line(), flush=True)
        kernels = [" and ".join("AVX2" if on else "plain" for on in sorted(s)) for s in builds.avx2]
        print(f"\nKernels: baseline {kernels[0]}, this {kernels[1]}.")
        # A load above --threads (or --jobs) means that times are unreliable.
        print(f"Load of the machine in the last 15 minutes: {os.getloadavg()[2]:.1f}.")


if __name__ == "__main__":
    main()
