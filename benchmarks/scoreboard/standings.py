"""Mean rank, wins, mean loss and time of models, and paired differences with intervals.

A cell is one split of one table. Models without a result in a cell (peers without ranking) have no
rank there. Tied scores share the mean of their ranks.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import rankdata

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["Cells", "Standing", "gather", "paired_difference", "standings"]

#: Maximum loss relative to the best score: near-perfect tables have no meaningful ratio.
MOST = 1.0
#: Scores that differ in later decimals are ties: 1 − AUC of a perfect order is 0 or 1e-16.
DIGITS = 12
Cells = dict[tuple[str, int], dict[str, dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Standing:
    """Summary of a model over all cells."""

    model: str
    mean_rank: float
    wins: int
    n_cells: int
    #: Mean of score / best score - 1.
    mean_loss: float
    fit_time: float


def gather(
    rows: Iterable[dict[str, Any]], keep: Callable[[dict[str, Any]], bool] = lambda _: True
) -> Cells:
    """Return the rows of each (table, seed) by model."""
    cells: Cells = defaultdict(dict)
    for row in rows:
        if keep(row):
            cells[row["data"], row["seed"]][row["model"]] = row
    return dict(cells)


def standings(cells: Cells) -> list[Standing]:
    """Return the models from the best mean rank to the worst."""
    found: dict[str, list[tuple[float, bool, float, float]]] = defaultdict(list)
    for cell in cells.values():
        names = sorted(cell)
        scores = np.array([cell[name].get("score", np.inf) for name in names]).round(DIGITS)
        ranks, best = rankdata(scores), scores.min()
        for name, score, rank in zip(names, scores, ranks, strict=True):
            found[name].append(
                (rank, bool(rank == ranks.min()), loss(score, best), cell[name].get("fit", 0.0))
            )
    table = []
    for name, entries in found.items():
        ranks, wins, losses, times = zip(*entries, strict=True)
        means = float(np.mean(ranks)), float(np.mean(losses))
        table.append(Standing(name, means[0], sum(wins), len(wins), means[1], float(sum(times))))
    return sorted(table, key=lambda standing: standing.mean_rank)


def loss(score: float, best: float) -> float:
    """Return the relative loss of a score against the best one."""
    if score == best:
        return 0.0
    return MOST if best <= 0 else min(score / best - 1, MOST)


def paired_difference(
    cells: Cells, ours: str, peer: str, field: str = "score", n_draws: int = 2000
) -> tuple[float, float, float]:
    """Return the mean relative difference to a peer with a 95 % interval (bootstrap over tables).

    Negative values mean that ceiba is better. Splits of a table are averaged first.
    """
    by_table: dict[str, list[float]] = defaultdict(list)
    for (table, _), cell in cells.items():
        if ours in cell and peer in cell and field in cell[ours] and field in cell[peer]:
            a, b = cell[ours][field], cell[peer][field]
            by_table[table].append(0.0 if a == b else 2 * (a - b) / (a + b))
    if not by_table:
        return np.nan, np.nan, np.nan
    means = np.array([np.mean(values) for values in by_table.values()])
    draws = np.random.default_rng(0).choice(means, (n_draws, len(means))).mean(axis=1)
    low, high = np.quantile(draws, [0.025, 0.975])
    return float(means.mean()), float(low), float(high)
