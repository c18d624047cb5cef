"""`python -m benchmarks`: measure, print the table of ratios, write it to benchmarks/results."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.cases import CASES, Case
from benchmarks.libraries import LIBRARIES
from benchmarks.report import RESULTS, Report, table
from benchmarks.runner import DatasetUnavailableError, Runner

QUICK_SCALE = 0.05


def arguments() -> argparse.Namespace:
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--case", action="append", choices=CASES, help="a case; repeat for several (default: all)"
    )
    parser.add_argument(
        "--library", action="append", choices=LIBRARIES, help="a library; repeat (default: all)"
    )
    parser.add_argument("--rounds", type=int, default=3, help="alternating rounds (default 3)")
    parser.add_argument(
        "--threads", type=int, default=2, help="threads of every library (default 2)"
    )
    parser.add_argument(
        "--quick", action="store_true", help="small data and one round: only tests that it runs"
    )
    parser.add_argument(
        "--results", type=Path, help="folder for latest.json and latest.md (not kept if --quick)"
    )
    given = parser.parse_args()
    if given.rounds < 1 or given.threads < 1:
        parser.error("--rounds and --threads must be at least 1.")
    return given


def say(words: str) -> None:
    """Print without buffering, so that a long run can be followed."""
    print(words, flush=True)


def libraries_of(case: Case, asked: list[str] | None) -> tuple[str, ...]:
    """Return the selected libraries of a case in the order of their turns."""
    return tuple(n for n in (*case.ours, *case.peers) if asked is None or n in asked)


def main() -> None:
    """Measure the selected cases in order."""
    given = arguments()
    scale = QUICK_SCALE if given.quick else 1.0
    conditions = {"rounds": 1 if given.quick else given.rounds, "threads": given.threads}
    # A quick run only tests that everything runs; its results are not written.
    folder = given.results or (None if given.quick else RESULTS)
    report = Report(**conditions, scale=scale)
    if folder is not None and given.case:
        report = Report.load(folder, **conditions, scale=scale)
    with Runner(**conditions, scale=scale, say=say) as runner:
        for name in given.case or CASES:
            case = CASES[name]
            say(f"{name}: {case.title}")
            try:
                report.add(name, runner.measure(case, libraries_of(case, given.library)))
            except DatasetUnavailableError as error:
                say(f"  skipped: {error}")
                report.skip(name, str(error))
            if folder is not None:
                report.write(folder)  # after each case, so that an interrupted run keeps results
    say("\n" + table(report.lines()))
    if folder is not None:
        say(f"\nWritten: {folder / 'latest.md'} and latest.json")


if __name__ == "__main__":
    main()
