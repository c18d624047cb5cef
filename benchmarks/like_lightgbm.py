"""DART and forest mode of recipe `lightgbm` against LightGBM's dart and rf, on public tables.

    python -m benchmarks.like_lightgbm dart --results results.json
    python -m benchmarks.like_lightgbm forest --results results.json

The results file has one entry per fit: table, seed (of split and model), model, metric (AUC or
RMSE) and seconds. Existing entries are not computed again, so peers run once. Finally, paired
differences over the seeds are printed, with their means over binary tables (AUC) and over
regression tables (relative RMSE).

LightGBM adds the start score to its first tree, so that dropping or shrinking this tree also drops
the start score. `dart_centred` trains on a target of mean 0, where this has no effect.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score

from benchmarks.like_catboost import halves, read

CLASSES = ("adult", "bank_marketing", "telco_churn")
NUMBERS = ("california_housing", "protein_casp", "superconductivity")
SETTINGS: dict[str, dict[str, Any]] = {
    "dart": {"boosting_type": "dart", "n_estimators": 100},
    "dart_centred": {"boosting_type": "dart", "n_estimators": 100},
    "forest": {
        "boosting_type": "rf",
        "n_estimators": 100,
        "bagging_fraction": 0.632,
        "bagging_freq": 1,
        "feature_fraction_bynode": 0.7,
    },
}


def make(library: str, what: str, classes: bool, seed: int) -> Any:
    """Return an unfitted model."""
    given = {**SETTINGS[what], "n_jobs": 1, "random_state": seed}
    if library == "lightgbm":
        from lightgbm import LGBMClassifier, LGBMRegressor

        return (LGBMClassifier if classes else LGBMRegressor)(verbose=-1, **given)
    from ceiba import CeibaClassifier, CeibaRegressor

    return (CeibaClassifier if classes else CeibaRegressor)(recipe="lightgbm", **given)


def measure(library: str, what: str, table: str, seed: int) -> dict[str, Any]:
    """Fit a model to a split of a table; return the test metric and the fit time."""
    frame, y, classes, _ = read(table)
    train, test = halves(len(y), seed)
    if what == "dart_centred" and not classes:
        y = y - y[train].mean()
    fitted = make(library, what, classes, seed)
    begin = time.perf_counter()
    fitted.fit(frame.iloc[train], y[train])
    seconds = time.perf_counter() - begin
    rows, known = frame.iloc[test], y[test]
    if classes:
        figure = float(roc_auc_score(known, np.asarray(fitted.predict_proba(rows))[:, 1]))
    else:
        figure = float(np.sqrt(np.mean((np.asarray(fitted.predict(rows)) - known) ** 2)))
    return {
        "what": what, "table": table, "seed": seed, "library": library, "figure": figure,
        "seconds": seconds,
    }  # fmt: skip


def show(results: Sequence[dict[str, Any]], what: str) -> None:
    """Print both metrics of each table, the paired difference, and the means over tables."""
    found = {(one["table"], one["seed"], one["library"]): one for one in results}
    for tables, relative in ((CLASSES, False), (NUMBERS, True)):
        means = []
        for table in tables:
            seeds = sorted({key[1] for key in found if key[0] == table})
            both = [
                [found.get((table, seed, library)) for library in ("ceiba", "lightgbm")]
                for seed in seeds
            ]
            pairs = [(a, b) for a, b in both if a is not None and b is not None]
            if not pairs:
                continue
            ours, peer = (np.array([pair[k]["figure"] for pair in pairs]) for k in (0, 1))
            differences = (ours - peer) / (peer if relative else 1.0)
            times = [np.mean([pair[k]["seconds"] for pair in pairs]) for k in (0, 1)]
            error = 2 * np.std(differences, ddof=1) / np.sqrt(len(pairs)) if len(pairs) > 1 else 0.0
            means.append(differences.mean())
            shown = f"{differences.mean():+.2%}" if relative else f"{differences.mean():+.4f}"
            print(
                f"{what:7} {table:20} ceiba {ours.mean():10.4f}  lightgbm {peer.mean():10.4f}  "
                f"{shown:>8} (two errors {error:.4f}, {len(pairs)} seeds)  "
                f"{times[0]:.2f} s, {times[1]:.2f} s"
            )
        if means:
            mean = float(np.mean(means))
            kind = f"RMSE {mean:+.2%}" if relative else f"AUC {mean:+.4f}"
            print(f"{what:7} mean over tables: {kind}")


def main() -> None:
    """Compute missing results and print all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=tuple(SETTINGS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--again", action="store_true", help="fit ceiba again")
    given = parser.parse_args()
    results = json.loads(given.results.read_text()) if given.results.exists() else []
    if given.again:
        results = [one for one in results if (one["library"], one["what"]) != ("ceiba", given.what)]
    known = {(one["what"], one["table"], one["seed"], one["library"]) for one in results}
    tables = NUMBERS if given.what == "dart_centred" else (*CLASSES, *NUMBERS)
    for seed in range(given.seeds):
        for table in tables:
            for library in ("ceiba", "lightgbm"):
                if (given.what, table, seed, library) not in known:
                    results.append(measure(library, given.what, table, seed))
                    given.results.write_text(json.dumps(results, indent=0))
    show([one for one in results if one["what"] == given.what], given.what)


if __name__ == "__main__":
    main()
