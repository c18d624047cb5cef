"""Recipe `catboost` and ordered boosting against CatBoost, on random splits of public tables.

    python -m benchmarks.like_catboost plain --splits 5 --results results.json
    python -m benchmarks.like_catboost ordered --splits 20 --results results.json

The results file has one entry per fit: table, split, model, loss (log loss or RMSE) and seconds.
Existing entries are not computed again, so peers run once. Finally, paired differences are printed.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.datasets import DATA_FOLDER_VARIABLE, DatasetUnavailableError

PLAIN = ("california_housing", "protein_casp", "higgs_7k", "superconductivity")
ORDERED = ("heart_failure", "breast_cancer", "titanic", "telco_churn", "car_insurance_raw")


def read(name: str) -> tuple[Any, Any, bool, list[str]]:
    """Return the columns, the target, whether it is binary, and the categorical columns."""
    import pandas as pd

    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get(DATA_FOLDER_VARIABLE, beside))
    if not (folder / "datasets.json").exists():
        raise DatasetUnavailableError(
            f"No datasets.json in {folder}. Set {DATA_FOLDER_VARIABLE} to the folder of the tables."
        )
    entry = next(
        one
        for one in json.loads((folder / "datasets.json").read_text())["datasets"]
        if one["name"] == name
    )
    frame = pd.concat(
        [pd.read_parquet(folder / path) for path in entry["files"].values()], ignore_index=True
    )
    target = frame.pop(entry["target"])
    text = [
        column
        for column in frame.columns
        if not pd.api.types.is_numeric_dtype(frame[column].dtype)
        or isinstance(frame[column].dtype, pd.CategoricalDtype)
    ]
    for column in text:
        frame[column] = frame[column].astype("object").where(frame[column].notna(), "none")
        frame[column] = frame[column].astype(str).astype("category")
    classes = entry["task"] == "binary"
    y = pd.factorize(target, sort=True)[0] if classes else target.to_numpy(dtype=float)
    return frame, y, classes, text


def halves(n_rows: int, split: int) -> tuple[Any, Any]:
    """Return the training rows and the test rows (a fifth of all)."""
    order = np.random.default_rng(1000 + split).permutation(n_rows)
    n_test = n_rows // 5
    return np.sort(order[n_test:]), np.sort(order[:n_test])


def catboost(classes: bool, text: Sequence[str], **more: Any) -> Any:
    """Return CatBoost with default parameters."""
    from catboost import CatBoostClassifier, CatBoostRegressor

    kind = CatBoostClassifier if classes else CatBoostRegressor
    return kind(verbose=0, allow_writing_files=False, cat_features=list(text), **more)


def ceiba(classes: bool, text: Sequence[str], **more: Any) -> Any:
    """Return recipe `catboost`."""
    from ceiba import CeibaClassifier, CeibaRegressor

    del text  # categorical columns are detected
    kind = CeibaClassifier if classes else CeibaRegressor
    return kind(recipe="catboost", **more)


MODELS: dict[str, Callable[..., Any]] = {
    "catboost": catboost,
    "ceiba": ceiba,
    "catboost_ordered": lambda *given: catboost(*given, boosting_type="Ordered"),
    "ceiba_ordered": lambda *given: ceiba(*given, boosting="ordered"),
}


def measure(table: str, split: int, model: str) -> dict[str, Any]:
    """Fit a model to a split of a table; return test loss and fit time."""
    frame, y, classes, text = read(table)
    train, test = halves(len(y), split)
    fitted = MODELS[model](classes, text)
    begin = time.perf_counter()
    fitted.fit(frame.iloc[train], y[train])
    seconds = time.perf_counter() - begin
    rows, known = frame.iloc[test], y[test]
    if classes:
        p = np.clip(np.asarray(fitted.predict_proba(rows))[:, 1], 1e-15, 1 - 1e-15)
        loss = float(-np.mean(np.log(np.where(known == 1, p, 1 - p))))
    else:
        loss = float(np.sqrt(np.mean((np.asarray(fitted.predict(rows)) - known) ** 2)))
    return {"table": table, "split": split, "model": model, "loss": loss, "seconds": seconds}


def show(results: Sequence[dict[str, Any]], tables: Sequence[str], ours: str, peer: str) -> None:
    """Print, for each table, both losses, the paired difference with its error, and the times."""
    found = {(one["table"], one["split"], one["model"]): one for one in results}
    print(f"{'table':22} {ours:>14} {peer:>17}  difference  (two errors)   seconds")
    for table in tables:
        splits = [
            key[1]
            for key in found
            if key[0] == table and key[2] == ours and (table, key[1], peer) in found
        ]
        if not splits:
            continue
        pairs = [(found[table, split, ours], found[table, split, peer]) for split in splits]
        a, b = (np.array([pair[k]["loss"] for pair in pairs]) for k in (0, 1))
        scale = max(float(b.mean()), 0.02)
        error = 2 * float(np.std(a - b, ddof=1)) / np.sqrt(len(a)) / scale if len(a) > 1 else 0.0
        times = [np.mean([pair[k]["seconds"] for pair in pairs]) for k in (0, 1)]
        print(
            f"{table:22} {a.mean():14.5f} {b.mean():17.5f}  {(a - b).mean() / scale:+10.2%}  "
            f"({error:.2%}, {len(a)} splits)   {times[0]:.2f} {times[1]:.2f}"
        )


def main() -> None:
    """Compute missing results and print all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("plain", "ordered"))
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--tables", default="")
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--again", action="store_true", help="fit ceiba again")
    given = parser.parse_args()
    tables = given.tables.split(",") if given.tables else ORDERED
    if given.what == "plain" and not given.tables:
        tables = PLAIN
    ending = "" if given.what == "plain" else "_ordered"
    ours, peer = "ceiba" + ending, "catboost" + ending
    results = json.loads(given.results.read_text()) if given.results.exists() else []
    if given.again:
        results = [one for one in results if one["model"] != ours or one["table"] not in tables]
    known = {(one["table"], one["split"], one["model"]) for one in results}
    for split in range(given.splits):
        for table in tables:
            for model in (ours, peer):
                if (table, split, model) not in known:
                    results.append(measure(table, split, model))
                    given.results.write_text(json.dumps(results, indent=0))
    show(results, tables, ours, peer)


if __name__ == "__main__":
    main()
