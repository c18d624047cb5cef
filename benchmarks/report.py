"""Format the table of ratios for the terminal, Markdown and JSON."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.cases import CASES, OURS
from benchmarks.runner import Measured, format_seconds
from benchmarks.verdict import Line, judge

PACKAGES = ("ceiba", "xgboost", "xgboost-cpu", "lightgbm", "catboost", "scikit-learn", "numpy")
RESULTS = Path(__file__).resolve().parent / "results"
HEAD = (
    "what",
    "ceiba",
    "fastest peer",
    "ratio",
    "wanted",
    "quality (ceiba / that peer / best peer)",
    "verdict",
)


@dataclass
class Report:
    """Raw results of the measured cases and the conditions needed to repeat them.

    The life of a report:

    1. It is created empty, or `load`ed so that a run of a few cases replaces only those.
    2. `add` and `skip` store the runner's results case by case.
    3. `lines` computes the ratios; `markdown` and `write` format them.
    """

    rounds: int
    threads: int
    scale: float
    measured: dict[str, list[Measured]] = field(default_factory=dict)
    made: dict[str, str] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)

    @staticmethod
    def load(folder: Path, *, rounds: int, threads: int, scale: float) -> Report:
        """Return the stored report if it was made under the same conditions, else an empty one."""
        report = Report(rounds, threads, scale)
        path = folder / "latest.json"
        kept = json.loads(path.read_text()) if path.exists() else {}
        conditions = {"threads": threads, "scale": scale, "machine": machine()}
        if kept and all(kept[name] == value for name, value in conditions.items()):
            report.skipped = kept["skipped"]
            for name, case in kept["cases"].items():
                if name in CASES:
                    report.made[name] = case["made"]
                    report.measured[name] = [Measured(**entry) for entry in case["libraries"]]
        return report

    def add(self, case: str, measured: list[Measured]) -> None:
        """Store the rounds of a case."""
        self.measured[case] = measured
        self.made[case] = datetime.now(UTC).isoformat(timespec="seconds")
        self.skipped.pop(case, None)

    def skip(self, case: str, why: str) -> None:
        """Record a case that cannot be measured on this machine."""
        self.measured.pop(case, None)
        self.skipped[case] = why

    def lines(self) -> list[Line]:
        """Return one line per target ratio, in the order of the cases."""
        return [
            line
            for name, case in CASES.items()
            if name in self.measured
            for line in judge(case, self.measured[name])
        ]

    def markdown(self) -> str:
        """Return the table, the description of the measurement and all results."""
        parts = [table(self.lines()), "", _how(self), "", _all_figures(self.measured)]
        parts += [f"\nSkipped: {name}: {why}" for name, why in self.skipped.items()]
        return "\n".join(parts) + "\n"

    def json(self) -> dict[str, Any]:
        """Return everything as JSON, for later comparison."""
        return {
            "machine": machine(),
            "versions": versions(),
            "rounds": self.rounds,
            "threads": self.threads,
            "scale": self.scale,
            "skipped": self.skipped,
            "lines": [_line_json(line) for line in self.lines()],
            "cases": {
                name: {"made": self.made[name], "libraries": [asdict(e) for e in entries]}
                for name, entries in self.measured.items()
            },
        }

    def write(self, folder: Path) -> None:
        """Write latest.json and latest.md."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "latest.json").write_text(json.dumps(self.json(), indent=2) + "\n")
        (folder / "latest.md").write_text(self.markdown())


def table(lines: list[Line]) -> str:
    """Return one line per target ratio."""
    rows = ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    rows += ["| " + " | ".join(_cells(line)) + " |" for line in lines]
    return "\n".join(rows)


def _cells(line: Line) -> tuple[str, ...]:
    figure = line.case.figure
    against = f" (against {', '.join(line.target.peers)})" if line.target.peers else ""
    peer = f"{line.peer} {_amount(line.peer_best.get(figure), figure)}" if line.peer else "–"
    return (
        line.case.title + against,
        _amount(line.our_best.get(figure), figure),
        peer,
        "–" if line.ratio is None else f"**{line.ratio:.2f}**",
        f"≥ {line.target.ratio:g}",
        _quality(line),
        {None: "–", True: "reached", False: "not reached"}[line.reached] + _why(line),
    )


def _quality(line: Line) -> str:
    ours, peer = line.our_best.get("quality"), line.peer_best.get("quality")
    if peer is None:
        return "–"
    figures = [f"{ours:.4f}" if ours is not None else "–", f"{peer:.4f}"]
    figures.append(f"{line.best_quality:.4f} ({line.best_quality_peer})")
    return f"{line.metric.name} " + " / ".join(figures)


def _why(line: Line) -> str:
    if line.reached is not False:
        return ""
    if line.quality_kept is False:
        return ": quality"
    if line.ratio is not None and line.ratio < line.target.ratio:
        return ": ratio"
    return ": leaves"


def _amount(value: float | None, figure: str) -> str:
    if value is None:
        return "–"
    return f"{value:.0f} MB" if figure == "peak_mb" else format_seconds(value)


def _how(report: Report) -> str:
    library_versions = ", ".join(f"{name} {number}" for name, number in versions().items())
    scale = "" if report.scale == 1 else f" Quick run: data sizes × {report.scale:g}."
    return (
        f"Ratio: the fastest peer's figure divided by ceiba's, best of {_rounds(report)} "
        "alternating rounds, each measurement in a fresh process with "
        f"{report.threads} threads; training includes binning; 255 bins, learning rate 0.2 where "
        "nothing else is said, 100 rounds, all rows and columns, at least 95 % of the allowed "
        "leaves grown (a peer that grows fewer is shown below but not compared). Quality is kept "
        "when it is within 0.001 AUC or 0.5 % of RMSE or log loss of that peer's."
        f"{scale}\n\n{machine()}; {library_versions}."
    )


def _rounds(report: Report) -> str:
    """Return the number of rounds, a range if cases were run separately."""
    counts = {
        len(entry.rounds)
        for entries in report.measured.values()
        for entry in entries
        if entry.library in OURS and entry.rounds
    } or {report.rounds}
    low, high = min(counts), max(counts)
    return f"{low}" if low == high else f"{low} to {high}"


def _all_figures(measured: dict[str, list[Measured]]) -> str:
    names = list(dict.fromkeys(e.library for entries in measured.values() for e in entries))
    rows = ["| case | " + " | ".join(names) + " |", "|" + "---|" * (len(names) + 1)]
    for name, case in CASES.items():
        if name not in measured:
            continue
        cells = {entry.library: _figure_cell(entry, case.figure) for entry in measured[name]}
        rows.append(f"| {name} | " + " | ".join(cells.get(library, "") for library in names) + " |")
    return "\n".join(rows)


def _figure_cell(entry: Measured, figure: str) -> str:
    best = entry.best(figure)
    if best is None:
        return "failed"
    words = [_amount(best[figure], figure)]
    if "quality" in best:
        words.append(f"{best['quality']:.4f}")
    if best.get("leaf_share", 1.0) < 1.0:
        words.append(f"{100 * best['leaf_share']:.0f} % leaves")
    return ", ".join(words)


def _line_json(line: Line) -> dict[str, Any]:
    return {
        "case": line.case.name,
        "against": list(line.target.peers),
        "wanted": line.target.ratio,
        "ours": line.ours,
        "our_best": line.our_best,
        "peer": line.peer,
        "peer_best": line.peer_best,
        "ratio": line.ratio,
        "metric": line.metric.name,
        "best_quality_peer": line.best_quality_peer,
        "best_quality": line.best_quality,
        "quality_kept": line.quality_kept,
        "reached": line.reached,
    }


def machine() -> str:
    """Return a short description of processor, cores and Python."""
    name = platform.processor() or platform.machine()
    try:
        for row in Path("/proc/cpuinfo").read_text().splitlines():
            if row.startswith("model name"):
                name = row.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} cores, Python {platform.python_version()}"


def versions() -> dict[str, str]:
    """Return the versions of the installed packages."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
