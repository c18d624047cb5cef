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
    "measured once, and their times on a busy machine. Half of the tables selected the default.",
    "The other half was meant to confirm it once, but was scored four times while budgets and",
    "learning rates were set, so it is not fully independent.",
    "",
    "![Mean rank against fit time](quality.svg)",
)
_PROBABILITIES = (
    "Means over the binary tables. The calibration error has 15 bins with equal numbers of rows,",
    "and counts tables with at least 5,000 test rows.",
)
_ABLATION = (
    "The tables that selected the default. Each variant is one parameter away from it and takes",
    "the place of ceiba among the six libraries.",
)
_VARIANTS = {
    "ceiba": "the default",
    "ceiba:grow_policy=leafwise": "only leafwise trees, no average",
    "ceiba:grow_policy=symmetric": "only symmetric trees, no average",
    "ceiba:leaf_model=constant": "no linear leaves",
    "ceiba:max_leaves=31": "one size of leafwise trees",
    "ceiba:quality=fast": "one training of 100 rounds",
}
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


def only(rows: Iterable[dict[str, Any]], ours: str) -> list[dict[str, Any]]:
    """Return the rows of the peers and of one of our models, where it was measured."""
    rows = list(rows)
    measured = {(r["data"], r["seed"]) for r in rows if r["model"] == ours}
    names = {ours, *PEERS}
    return [r for r in rows if r["model"] in names and (r["data"], r["seed"]) in measured]


def ablation_table(rows: Iterable[dict[str, Any]]) -> list[str]:
    """Return a line for each variant of the default: its place among the peers."""
    rows = list(rows)
    lines = ["| variant | mean rank of 6 | mean loss to the best | fit time |", "|---|---|---|---|"]
    for ours, text in _VARIANTS.items():
        found = only(rows, ours)
        own = [s for s in standings(gather(found)) if s.model == ours]
        lines += [
            f"| {text} | {s.mean_rank:.2f} | {100 * s.mean_loss:.1f} % | {s.fit_time:.0f} s |"
            for s in own
        ]
    return lines


def losses_table(rows: Iterable[dict[str, Any]]) -> list[str]:
    """Return the mean log loss and calibration error of each model over the binary tables."""
    cells = gather(rows, lambda row: "log_loss" in row)
    models = {name for cell in cells.values() for name in cell}
    whole = [cell for cell in cells.values() if cell.keys() == models]
    lines = ["| model | mean log loss | mean calibration error |", "|---|---|---|"]
    found = []
    for model in models:
        errors = [cell[model]["ece"] for cell in whole if "ece" in cell[model]]
        loss = sum(cell[model]["log_loss"] for cell in whole) / len(whole)
        found.append((loss, model, sum(errors) / len(errors)))
    return lines + [f"| {PEERS.get(m, m)} | {loss:.4f} | {e:.4f} |" for loss, m, e in sorted(found)]


def write_page(measured: list[dict[str, Any]], ours: str = "ceiba") -> None:
    """Write docs/quality.md and its chart."""
    text = ["# Quality of the defaults", "", *_INTRODUCTION]
    rows = only(measured, ours)
    for title, part in groups_of(rows).items():
        text += ["", f"## {title[0].upper()}{title[1:]}", "", *standings_table(gather(part))]
    text += ["", "## Paired differences", "", *_PAIRED, "", *differences_table(gather(rows), ours)]
    text += ["", "## Probabilities", "", *_PROBABILITIES, "", *losses_table(rows)]
    fast = standings_table(gather(only(measured, f"{ours}:quality=fast")))
    text += ["", '## `quality="fast"`', "", *fast]
    chosen = [r for r in measured if r["data"] in CHOOSING]
    text += ["", "## What each part gives", "", *_ABLATION, "", *ablation_table(chosen)]
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
    axes.margins(x=0.35, y=0.12)
    axes.invert_yaxis()
    figure.savefig(path, metadata={"Date": None})
