"""Piecewise-linear boosting: recipe `plgb` against constant leaves and other libraries.

    python -m benchmarks.piecewise_linear families
    python -m benchmarks.piecewise_linear tables --splits 5
    python -m benchmarks.piecewise_linear casp
    python -m benchmarks.piecewise_linear speed

`families`: three generated piecewise-linear targets, 60 trees against 300 with constant leaves.
`tables`: 200 trees on public tables, with linear and constant leaves. `casp`: 500 trees against
XGBoost, LightGBM (also linear_tree) and CatBoost. `speed`: 100 trees of 31 leaves on 200k x 28,
with every kind of leaf.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.datasets import data_folder, make_dense

Floats = NDArray[np.float64]

TABLES = ("protein_casp", "superconductivity", "california_housing", "higgs_7k")
#: Settings shared by every kind of leaf.
SHARED: dict[str, Any] = {"learning_rate": 0.1, "max_leaves": 31}


def ramps(x: Floats) -> Floats:
    """Sum of ramps, each of one column."""
    return (
        3 * np.maximum(x[:, 0] - 0.2, 0)
        - 2 * np.maximum(x[:, 1] + 0.3, 0)
        + 2 * np.abs(x[:, 2])
        + x[:, 3]
        - 4 * np.maximum(np.minimum(x[:, 4], 0.5), -0.5)
    )


def regimes(x: Floats) -> Floats:
    """A different linear function in each of six regions."""
    region = (x[:, 0] > 0).astype(int) * 3 + np.digitize(x[:, 1], [-0.4, 0.5])
    slopes = np.random.default_rng(3).normal(size=(6, 4))
    return np.einsum("ij,ij->i", slopes[region], x[:, 2:6]) + region


def highest_plane(x: Floats) -> Floats:
    """Maximum of six planes: its regions are not bounded by thresholds of single columns."""
    planes = np.random.default_rng(4).normal(size=(5, 6))
    return np.asarray((x[:, :5] @ planes).max(axis=1))


FAMILIES: dict[str, Callable[[Floats], Floats]] = {
    "ramps": ramps,
    "regimes": regimes,
    "highest_plane": highest_plane,
}


def family(name: str, n_rows: int) -> tuple[Floats, Floats]:
    """Return ten uniform columns and a target with small noise."""
    random = np.random.default_rng(7)
    x = random.uniform(-1, 1, size=(n_rows, 10))
    return x, FAMILIES[name](x) + random.normal(scale=0.1, size=n_rows)


def rmse(model: Any, x: Any, y: Floats) -> float:
    """Return the test error of a fitted model."""
    return float(np.sqrt(np.mean((np.asarray(model.predict(x)) - y) ** 2)))


def timed_fit(model: Any, x: Any, y: Any) -> float:
    """Fit a model and return the time in seconds."""
    begin = time.perf_counter()
    model.fit(x, y)
    return time.perf_counter() - begin


def ours(recipe: str, **more: Any) -> Any:
    """Return a regressor of a recipe."""
    from ceiba import CeibaRegressor

    return CeibaRegressor(recipe=recipe, **more)


def run_families(n_rows: int = 50_000, repeats: int = 2, shrink: int = 1) -> list[dict[str, Any]]:
    """Compare 60 trees of `plgb` with 300 trees with constant leaves."""
    results = []
    for name in FAMILIES:
        x, y = family(name, n_rows + n_rows // 2)
        fits = {
            "plgb": lambda: ours("plgb", n_estimators=60 // shrink),
            "constant": lambda: ours("auto", n_estimators=300 // shrink, **SHARED),
        }
        best: dict[str, dict[str, Any]] = {}
        for _ in range(repeats):  # in turns, so that other load affects both
            for kind, make in fits.items():
                model = make()
                seconds = timed_fit(model, x[:n_rows], y[:n_rows])
                if kind not in best or seconds < best[kind]["seconds"]:
                    error = rmse(model, x[n_rows:], y[n_rows:])
                    best[kind] = {"family": name, "leaves": kind, "rmse": error, "seconds": seconds}
        results += best.values()
    return results


def read_table(name: str, folder: Path | None = None) -> tuple[Any, Any, bool, int | None]:
    """Return columns, target, whether it is binary, and the training size of a given split."""
    import pandas as pd

    folder = data_folder() if folder is None else folder
    entries = json.loads((folder / "datasets.json").read_text())["datasets"]
    entry = next(one for one in entries if one["name"] == name)
    parts = [pd.read_parquet(folder / path) for path in entry["files"].values()]
    frame = pd.concat(parts, ignore_index=True)
    target = frame.pop(entry["target"])
    frame = frame.select_dtypes("number")
    classes = entry["task"] == "binary"
    y = pd.factorize(target, sort=True)[0] if classes else target.to_numpy(dtype=float)
    given = len(frame) - len(parts[-1]) if len(parts) > 1 else None
    return frame.to_numpy(dtype=float), y, classes, given


def fit_and_score(kind: str, classes: bool, x: Any, y: Any, train: Any, test: Any, n: int) -> Any:
    """Return the loss (log loss or RMSE) and the time of a fit with some kind of leaf."""
    from ceiba import CeibaClassifier, CeibaRegressor

    settings = dict(SHARED, n_estimators=n)
    if kind == "plgb":
        settings["recipe"] = "plgb"
    elif kind == "after":
        settings |= {"leaf_model": "linear"}
    elif kind != "constant":
        settings |= {"leaf_model": "linear", "linear_fit": "gain", "linear_regression": kind}
    model = (CeibaClassifier if classes else CeibaRegressor)(**settings)
    seconds = timed_fit(model, x[train], y[train])
    if not classes:
        return rmse(model, x[test], y[test]), seconds
    p = np.clip(model.predict_proba(x[test])[:, 1], 1e-15, 1 - 1e-15)
    return float(-np.mean(np.log(np.where(y[test] == 1, p, 1 - p)))), seconds


def run_tables(
    kinds: tuple[str, ...] = ("constant", "plgb"), splits: int = 5, n_trees: int = 200
) -> list[dict[str, Any]]:
    """Compare leaves on random splits of public tables; a time series has a given split."""
    results = []
    for name in (*TABLES, "electricity_transformer"):
        x, y, classes, given = read_table(name)
        for split in range(splits if name in TABLES else 1):
            order = np.random.default_rng(1000 + split).permutation(len(y))
            n_test = len(y) // 5
            train, test = np.sort(order[n_test:]), np.sort(order[:n_test])
            if name not in TABLES and given is not None:
                train, test = np.arange(given), np.arange(given, len(y))
            for kind in kinds:
                loss, seconds = fit_and_score(kind, classes, x, y, train, test, n_trees)
                results.append(
                    {
                        "table": name,
                        "split": split,
                        "leaves": kind,
                        "loss": loss,
                        "seconds": seconds,
                    }
                )
    return results


def run_casp(n_trees: int = 500) -> list[dict[str, Any]]:
    """Compare libraries on protein_casp: the first 30,000 rows train, as published."""
    from catboost import CatBoostRegressor
    from lightgbm import LGBMRegressor
    from xgboost import XGBRegressor

    x, y, _, _ = read_table("protein_casp")
    order = np.random.default_rng(1000).permutation(len(y))
    x, y = x[order], y[order]
    rate, leaves = SHARED["learning_rate"], SHARED["max_leaves"]
    lightgbm = {"n_estimators": n_trees, "learning_rate": rate, "num_leaves": leaves, "verbose": -1}
    models = {
        "ceiba plgb": ours("plgb", n_estimators=n_trees),
        "ceiba constant": ours("auto", n_estimators=n_trees, **SHARED),
        "xgboost": XGBRegressor(
            n_estimators=n_trees,
            learning_rate=rate,
            grow_policy="lossguide",
            max_leaves=leaves,
            max_depth=0,
        ),
        "lightgbm": LGBMRegressor(**lightgbm),
        "lightgbm linear_tree": LGBMRegressor(**lightgbm, linear_tree=True),
        "catboost": CatBoostRegressor(
            n_estimators=n_trees, learning_rate=rate, verbose=0, allow_writing_files=False
        ),
    }
    results = []
    for name, model in models.items():
        seconds = timed_fit(model, x[:30_000], y[:30_000])
        error = rmse(model, x[30_000:], y[30_000:])
        results.append({"model": name, "rmse": error, "seconds": seconds})
    return results


def run_speed(scale: float = 1.0, repeats: int = 2, n_trees: int = 100) -> list[dict[str, Any]]:
    """Time every kind of leaf in turns."""
    rows = make_dense(0.2 * scale)
    x, y = rows.train_x.astype(float), rows.train_y
    tested = np.asarray(rows.test_x, dtype=float), rows.test_y
    whole = np.concatenate([x, tested[0]]), np.concatenate([y, tested[1]])
    train, test = np.arange(len(y)), np.arange(len(y), len(whole[1]))
    best: dict[str, dict[str, Any]] = {}
    for _ in range(repeats):
        for kind in ("constant", "after", "additive", "half_additive", "full"):
            loss, seconds = fit_and_score(kind, True, *whole, train, test, n_trees)
            if kind not in best or seconds < best[kind]["seconds"]:
                best[kind] = {"leaves": kind, "loss": loss, "seconds": seconds}
    for each in best.values():
        each["times"] = each["seconds"] / best["constant"]["seconds"]
    return list(best.values())


def show(results: list[dict[str, Any]]) -> None:
    """Print a table; several splits are averaged."""
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for one in results:
        key = tuple(value for value in one.values() if isinstance(value, str))
        groups.setdefault(key, []).append(one)
    for key, members in groups.items():
        numbers = {
            name: np.mean([one[name] for one in members])
            for name in members[0]
            if name != "split" and not isinstance(members[0][name], str)
        }
        text = "  ".join(f"{name} {value:.5g}" for name, value in numbers.items())
        print("  ".join(f"{word:24}" for word in key), text, f"({len(members)})")


def main() -> None:
    """Run one comparison and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("families", "tables", "casp", "speed"))
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--kinds", default="constant,plgb")
    given = parser.parse_args()
    runs: dict[str, Callable[[], list[dict[str, Any]]]] = {
        "families": run_families,
        "tables": lambda: run_tables(tuple(given.kinds.split(",")), given.splits),
        "casp": run_casp,
        "speed": run_speed,
    }
    show(runs[given.what]())


if __name__ == "__main__":
    main()
