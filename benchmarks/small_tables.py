"""The default model beside CatBoost's on tables of at most 1,000 rows, on 20 splits of each.

    python -m benchmarks.small_tables

The score is the log loss or the RMSE. A line shows the means, and the mean paired difference
relative to CatBoost's mean with two standard errors.
"""

from __future__ import annotations

import argparse
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from benchmarks.scoreboard.models import fit, predict
from benchmarks.scoreboard.tables import scoring

TABLES = ("breast_cancer", "heart_failure", "titanic", "telco_churn", "california_housing")
OUT = Path(__file__).parent / "results" / "small_tables.json"
ROWS, TEST_SHARE = 1000, 0.25


def whole(name: str) -> tuple[str, Any, Any]:
    """Return the task, the columns and the target of all rows of a table."""
    import pandas as pd

    table = next(t for t in scoring().tables() if t["name"] == name)
    X, y, X_test, y_test, _, _ = scoring().load(table, 0)
    return table["task"], pd.concat([X, X_test], ignore_index=True), np.r_[y, y_test]


def loss(task: str, y: Any, predicted: Any) -> float:
    """Return the RMSE or the log loss."""
    if task == "regression":
        return float(np.sqrt(np.mean((predicted - y) ** 2)))
    positive = np.clip(predicted[:, 1].astype(float), 1e-15, 1 - 1e-15)
    return float(-np.mean(np.log(np.where(y == 1, positive, 1 - positive))))


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=20)
    parser.add_argument("--only", default=",".join(TABLES))
    parser.add_argument("--models", default="ceiba,cat")
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    warnings.filterwarnings("ignore")
    results = json.loads(given.out.read_text()) if given.out.exists() else {}
    for name in given.only.split(","):
        task, X, y = whole(name)
        for split in range(given.splits):
            rows = np.random.default_rng(split).permutation(len(y))[:ROWS]
            stratify = None if task == "regression" else y[rows]
            train, test = train_test_split(
                rows, test_size=TEST_SHARE, random_state=split, stratify=stratify
            )
            for model in given.models.split(","):
                key = f"{name} {split} {model}"
                if key not in results:
                    fitted = fit(model, task, X.iloc[train], y[train], None)
                    results[key] = loss(task, y[test], predict(model, task, fitted, X.iloc[test]))
        ours, peer = (
            np.array([results[f"{name} {s} {m}"] for s in range(given.splits)])
            for m in given.models.split(",")[:2]
        )
        difference = (ours - peer) / peer.mean()
        error = difference.std(ddof=1) / np.sqrt(len(difference))
        print(
            f"{name:20s} {ours.mean():.5g} against {peer.mean():.5g}: "
            f"{100 * difference.mean():+.1f} % ± {200 * error:.1f} %",
            flush=True,
        )
        given.out.write_text(json.dumps(results, indent=0) + "\n")


if __name__ == "__main__":
    main()
