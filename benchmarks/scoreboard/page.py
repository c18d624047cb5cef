"""Format the standings as text, as a documentation page and as a chart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.scoreboard.halves import CHOOSING, CONFIRMING
from benchmarks.scoreboard.standings import Cells, gather, paired_difference, standings
from benchmarks.scoreboard.tables import PEERS

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["print_standings", "write_page"]

DOCS = Path(__file__).resolve().parents[2] / "docs"
_SMALL, _LARGE = 3_000, 20_000
_HEAD = "| model | mean rank | wins | mean loss to the best | fit time, all splits |"


_INTRODUCTION = (
    "Default models on the shared tables: three splits of each table, categories given as",
    "categories, 2 threads. Ranks count from 1, and equal scores share their mean rank. The loss",
    "is by how much a score (1 − AUC, log loss, RMSE, 1 − NDCG@10) exceeds the best one of its",
    "split, at most 100 %. `make quality` measures ceiba and LightGBM again. The other scores were",
    "measured once, and their times on a busy machine.",
    "",
    "![Mean rank against fit time](quality.svg)",
)
_PAIRED = (
    "Mean relative difference of our score to the peer's. Negative values mean that ours is",
    "better. The intervals come from a bootstrap over tables.",
)


def print_standings(rows: list[dict[str, Any]]) -> None:
    """Print the standings of all tables."""
    print("\n".join(standings_table(gather(rows))))


def standings_table(cells: Cells) -> list[str]:
    """Return the lines of a Markdown table."""
    lines = [_HEAD, "|---|---|---|---|---|"]
    lines += [
        f"| {PEERS.get(s.model, s.model)} | {s.mean_rank:.2f} | {s.wins} of {s.n_cells} "
        f"| {100 * s.mean_loss:.1f} % | {s.fit_time:.0f} s |"
        for s in standings(cells)
    ]
    return lines


def groups_of(rows: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows by half, task and table size."""
    rows = list(rows)
    sizes = {r["data"]: r["n"] for r in rows if "n" in r}
    return {
        "all tables": rows,
        "choosing half": [r for r in rows if r["data"] in CHOOSING],
        "confirming half": [r for r in rows if r["data"] in CONFIRMING],
        **{
            task: [r for r in rows if r["task"] == task]
            for task in ("regression", "binary", "multiclass", "ranking")
        },
        f"under {_SMALL:,} rows": [r for r in rows if sizes[r["data"]] < _SMALL],
        f"{_SMALL:,} to {_LARGE:,} rows": [r for r in rows if _SMALL <= sizes[r["data"]] < _LARGE],
        f"{_LARGE:,} rows and more": [r for r in rows if sizes[r["data"]] >= _LARGE],
    }


def differences_table(cells: Cells, ours: str) -> list[str]:
    """Return ceiba's relative difference to each peer, for scores and for log losses."""
    lines = [
        "| against | score | 95 % interval | log loss | 95 % interval |",
        "|---|---|---|---|---|",
    ]
    for peer, name in PEERS.items():
        texts = []
        for field in ("score", "log_loss"):
            mean, low, high = paired_difference(cells, ours, peer, field)
            texts += (
                [f"{100 * mean:+.1f} %", f"{100 * low:+.1f} to {100 * high:+.1f}"]
                if mean == mean
                else ["–", "–"]
            )
        lines.append(f"| {name} | {' | '.join(texts)} |")
    return lines


def write_page(rows: list[dict[str, Any]], ours: str = "ceiba") -> None:
    """Write docs/quality.md and its chart."""
    text = ["# Quality of the defaults", "", *_INTRODUCTION]
    for title, part in groups_of(rows).items():
        text += ["", f"## {title[0].upper()}{title[1:]}", "", *standings_table(gather(part))]
    text += ["", "## Paired differences", "", *_PAIRED, "", *differences_table(gather(rows), ours)]
    (DOCS / "quality.md").write_text("\n".join(text) + "\n")
    draw(gather(rows), DOCS / "quality.svg")


def draw(cells: Cells, path: Path) -> None:
    """Draw mean rank against fit time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.5, 3.6), layout="constrained")
    axes = figure.subplots()
    for s in standings(cells):
        axes.scatter(s.fit_time, s.mean_rank, color="C3" if s.model.startswith("ceiba") else "C0")
        axes.annotate(
            PEERS.get(s.model, s.model),
            (s.fit_time, s.mean_rank),
            xytext=(6, 4),
            textcoords="offset points",
        )
    axes.set(xscale="log", xlabel="total fit time in seconds", ylabel="mean rank (1 is best)")
    axes.margins(x=0.2)
    axes.invert_yaxis()
    figure.savefig(path, metadata={"Date": None})
