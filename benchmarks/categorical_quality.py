"""Quality on categorical tables: five random splits, native categories of every library.

    python -m benchmarks.categorical_quality --models ceiba,catboost --out results.json
    python -m benchmarks.categorical_quality --compare ceiba catboost --out results.json

Each result has table, seed, model, loss (log loss or RMSE) and fit time in seconds. Existing
results are not computed again. A stratified fifth of the rows is held out; split seeds are 0 to 4.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.datasets import data_folder

TABLES = (
    "amazon_employee_access",
    "adult",
    "bank_marketing",
    "telco_churn",
    "titanic",
    "mushroom",
    "car_insurance_raw",
    "house_prices_raw",
)
SEEDS = range(5)
SMALLEST = 0.02  # lower limit of the loss in relative differences


class Rows(NamedTuple):
    """Training and test rows, with pandas categories."""

    train_x: Any
    test_x: Any
    train_y: Any
    test_y: Any
    is_regression: bool


def load(name: str, seed: int) -> Rows:
    """Read a table and split it."""
    import pandas as pd
    from sklearn.model_selection import train_test_split

    folder = data_folder()
    described = json.loads((folder / "datasets.json").read_text())["datasets"]
    table = next(entry for entry in described if entry["name"] == name)
    files = table["files"] if isinstance(table["files"], dict) else {"all": table["files"]}
    parts = [files[part] for part in ("all", "train", "valid", "test") if part in files]
    frame = pd.concat([pd.read_parquet(folder / part) for part in parts], ignore_index=True)
    is_regression = table["task"] == "regression"
    y = frame[table["target"]]
    y = y.to_numpy(float) if is_regression else pd.factorize(y, sort=True)[0]
    x = frame.drop(columns=[table["target"], *(table.get("ignore_columns") or [])])
    for column in x.columns:
        if column in (table.get("categorical") or []) or not pd.api.types.is_numeric_dtype(
            x[column]
        ):
            text = x[column].astype("object").map(str, na_action="ignore")
            x[column] = pd.Categorical(text)
        elif x[column].dtype == bool:
            x[column] = x[column].astype(float)
    stratify = None if is_regression else y
    return Rows(
        *train_test_split(x, y, test_size=0.2, random_state=seed, stratify=stratify), is_regression
    )


def _ceiba(rows: Rows, **settings: Any) -> Any:
    import ceiba

    kind = ceiba.CeibaRegressor if rows.is_regression else ceiba.CeibaClassifier
    return kind(n_jobs=1, **settings).fit(rows.train_x, rows.train_y)


def _lightgbm(rows: Rows) -> Any:
    import lightgbm

    kind = lightgbm.LGBMRegressor if rows.is_regression else lightgbm.LGBMClassifier
    return kind(n_jobs=1, verbose=-1).fit(rows.train_x, rows.train_y)


def as_text(x: Any) -> Any:
    """Return the table for CatBoost: categories are text, including missing ones."""
    x = x.copy()
    for column in x.columns:
        if str(x[column].dtype) == "category":
            x[column] = x[column].astype("object").fillna("missing").astype(str)
    return x


def categories_of(x: Any) -> list[str]:
    """Return the names of the categorical columns."""
    return [column for column in x.columns if str(x[column].dtype) == "category"]


def _catboost(rows: Rows, **settings: Any) -> Any:
    import catboost

    kind = catboost.CatBoostRegressor if rows.is_regression else catboost.CatBoostClassifier
    model = kind(thread_count=1, verbose=False, allow_writing_files=False, **settings)
    return model.fit(as_text(rows.train_x), rows.train_y, cat_features=categories_of(rows.train_x))


def _of_100(rows: Rows) -> Any:
    return _catboost(rows, iterations=100, learning_rate=0.1)


MODELS: dict[str, Callable[[Rows], Any]] = {
    "lightgbm": _lightgbm,
    "catboost": _catboost,
    "catboost_100": _of_100,
}


def score(name: str, rows: Rows) -> dict[str, float]:
    """Fit a model and return its loss on the held-out rows."""
    from sklearn.metrics import log_loss, mean_squared_error

    begin = time.perf_counter()
    if name.startswith("ceiba"):
        pairs = [item.split("=") for item in name.partition(":")[2].split(";") if item]
        model = _ceiba(rows, **{key: _value(text) for key, text in pairs})
    else:
        model = MODELS[name](rows)
    seconds = time.perf_counter() - begin
    test_x = as_text(rows.test_x) if name.startswith("catboost") else rows.test_x
    if rows.is_regression:
        loss = float(np.sqrt(mean_squared_error(rows.test_y, model.predict(test_x))))
    else:
        shares = np.asarray(model.predict_proba(test_x), dtype=np.float64)
        loss = float(log_loss(rows.test_y, shares))
    return {"loss": loss, "seconds": seconds}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def run(models: list[str], tables: list[str], out: Path) -> None:
    """Compute the missing results split by split."""
    results = json.loads(out.read_text()) if out.exists() else []
    done = {(row["table"], row["seed"], row["model"]) for row in results}
    for seed in SEEDS:
        for table in tables:
            for name in models:
                if (table, seed, name) in done:
                    continue
                row = {"table": table, "seed": seed, "model": name}
                results.append(row | score(name, load(table, seed)))
                out.write_text(json.dumps(results, indent=0))
                print(results[-1], flush=True)


def compare(ours: str, peers: list[str], results: list[dict[str, Any]]) -> None:
    """Print the loss of ceiba and of the best peer for each table, on their common splits."""
    losses = {(row["table"], row["seed"], row["model"]): row["loss"] for row in results}
    differences = []
    for table in TABLES:
        seeds = [s for s in SEEDS if all((table, s, m) in losses for m in (ours, *peers))]
        if not seeds:
            continue
        by_model = {m: np.array([losses[table, s, m] for s in seeds]) for m in (ours, *peers)}
        best = min(peers, key=lambda peer: float(by_model[peer].mean()))
        own, peer = by_model[ours], by_model[best]
        scale = max(float(peer.mean()), SMALLEST)
        change = float((own - peer).mean()) / scale
        spread = float((own - peer).std(ddof=1)) / len(seeds) ** 0.5 / scale if seeds[1:] else 0.0
        differences.append(change)
        print(
            f"{table:24s} {len(seeds)} splits  {own.mean():12.5f}  {best:14s} {peer.mean():12.5f}  "
            f"{change:+8.2%}  standard error {spread:.2%}"
        )
    print(f"mean {np.mean(differences):+.2%}")


def main() -> None:
    """Run models, or compare them."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--models", default="")
    options.add_argument("--tables", default=",".join(TABLES))
    options.add_argument("--compare", nargs="+", default=[], help="ceiba's model, then the peers")
    options.add_argument("--out", required=True, nargs="+", help="several only with --compare")
    chosen = options.parse_args()
    warnings.filterwarnings("ignore")
    paths = [Path(path) for path in chosen.out]
    if chosen.models:
        run(chosen.models.split(","), chosen.tables.split(","), paths[0])
    if chosen.compare:
        results = [row for path in paths for row in json.loads(path.read_text())]
        compare(chosen.compare[0], chosen.compare[1:], results)


if __name__ == "__main__":
    main()
