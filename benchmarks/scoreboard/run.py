"""Compute missing results: one row for each table, split and model."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.scoreboard.models import fit, predict
from benchmarks.scoreboard.tables import (
    ROWS_FOR_CALIBRATION,
    calibration_error,
    poisson_deviance,
    scoring,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

__all__ = ["read_rows", "run"]


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a result file; none if it does not exist."""
    rows: list[dict[str, Any]] = json.loads(path.read_text()) if path.exists() else []
    return rows


def run(path: Path, models: Sequence[str], seeds: Sequence[int], only: Collection[str]) -> None:
    """Compute the missing results and write the file after each of them."""
    rows = read_rows(path)
    done = {(r["data"], r["seed"], r["model"]) for r in rows}
    for table in scoring().tables():
        if table["name"] not in only:
            continue
        for seed in seeds:
            missing = [m for m in models if (table["name"], seed, m) not in done]
            split = scoring().load(table, seed) if missing else None
            for model in missing:
                row = {"data": table["name"], "seed": seed, "model": model, "task": table["task"]}
                try:
                    row |= measure(model, table["task"], split)
                except Exception as error:  # a model that fails is a result
                    row["error"] = f"{type(error).__name__}: {error}"[:300]
                rows.append(row)
                path.write_text(json.dumps(rows, indent=0) + "\n")
                print(row, flush=True)


def measure(model: str, task: str, split: Any) -> dict[str, Any]:
    """Return the scores and times of one model on one split."""
    X, y, X_test, y_test, _, (queries, test_queries) = split
    start = time.perf_counter()
    fitted = fit(model, task, X, y, queries)
    fit_time, start = time.perf_counter() - start, time.perf_counter()
    predicted = predict(model, task, fitted, X_test)
    found = {
        "score": scoring().metric(task, y_test, predicted, test_queries),
        "fit": fit_time,
        "predict": time.perf_counter() - start,
        "n": len(y),
    }
    if task == "binary":
        positive = np.clip(predicted[:, 1].astype(float), 1e-15, 1 - 1e-15)
        found["log_loss"] = float(-np.mean(np.log(np.where(y_test == 1, positive, 1 - positive))))
        if len(y_test) >= ROWS_FOR_CALIBRATION:
            found["ece"] = calibration_error(y_test == 1, positive)
    if task == "regression" and (y_test >= 0).all() and (predicted > 0).all():
        found["poisson_deviance"] = poisson_deviance(y_test, predicted)
    return found
