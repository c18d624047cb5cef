"""Measure score and training time of every recipe by number of rows, on generated tables.

    python -m benchmarks.recipes      measures, and renews the table of docs/algorithms/choosing.md

The tables mix several effects: a smooth function of five columns (Friedman's first),
a linear column, a threshold, a category of 50 levels and noise columns. Every model has the
defaults of its recipe or class. The score is R² on 20,000 other rows; the time is the shortest run.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import ceiba

PAGE = Path(__file__).parents[1] / "docs" / "algorithms" / "choosing.md"
BEGIN, END = "<!-- recipes:begin -->", "<!-- recipes:end -->"
SIZES = (1_000, 10_000, 100_000)
NEW_ROWS = 20_000
#: Training time in seconds above which a model skips the larger sizes.
LONGEST = 9.0

MODELS: tuple[tuple[str, Callable[[], Any]], ...] = (
    *(
        (f'recipe `"{recipe}"`', lambda recipe=recipe: ceiba.CeibaRegressor(recipe=recipe))
        for recipe in (
            "auto",
            "gbm",
            "histgb",
            "xgboost",
            "lightgbm",
            "catboost",
            "dart",
            "plgb",
            "forest",
            "tree",
        )
    ),
    ("`LinearTreeRegressor`", lambda: ceiba.LinearTreeRegressor()),
    ("`EnhancedForestRegressor`", lambda: ceiba.EnhancedForestRegressor()),
    ("`BoostedLinearRegressor`", lambda: ceiba.BoostedLinearRegressor()),
)


def make_rows(n_rows: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Return a generated table and its target, whose noise has a standard deviation of 1."""
    random = np.random.default_rng(seed)
    x = random.uniform(size=(n_rows, 12))
    level = random.integers(0, 50, n_rows)
    effect = np.random.default_rng(0).normal(scale=2.0, size=50)
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3]
    y += 5 * x[:, 4] + 4 * ((x[:, 5] > 0.6) & (x[:, 6] < 0.5)) + effect[level]
    table = pd.DataFrame(x, columns=[f"x{i}" for i in range(x.shape[1])])
    table["level"] = pd.Series(level).map("level {}".format)
    return table, y + random.normal(size=n_rows)


def measure(sizes: Sequence[int]) -> list[list[str]]:
    """Return a row of cells per model: name, then score and time for every size."""
    X_new, y_new = make_rows(NEW_ROWS, seed=1)
    ceiba.CeibaRegressor(n_estimators=2).fit(X_new, y_new)  # warm up: imports, threads
    cells = []
    for name, make in MODELS:
        row, seconds = [name], 0.0
        for size in sizes:
            if seconds > LONGEST:
                row.append("–")
                continue
            X, y = make_rows(size, seed=2)
            times = []
            for _ in range(2 if size < 50_000 else 1):
                start = time.perf_counter()
                model = make().fit(X, y)
                times.append(time.perf_counter() - start)
            seconds = min(times)
            row.append(f"{model.score(X_new, y_new):.3f} in {seconds:.3g} s")
        print(*row, sep="  ", flush=True)
        cells.append(row)
    return cells


def table(cells: Sequence[Sequence[str]], sizes: Sequence[int]) -> str:
    """Return the cells as a Markdown table."""
    head = ["model", *(f"{size:,} rows" for size in sizes)]
    lines = [head, ["---"] * len(head), *cells]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="*", default=list(SIZES))
    sizes = parser.parse_args().rows
    shown = table(measure(sizes), sizes)
    if tuple(sizes) == SIZES:
        before, rest = PAGE.read_text().split(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{shown}\n{END}{rest.split(END)[1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
