"""`python -m benchmarks.hybrids`: hybrids on six case studies; linear trees against linear-tree.

Case studies: every hybrid with its published settings, trained on training and validation rows and
scored on the test rows, as in the publication. Penalties apply to standardized columns.
``thesis_results.json`` in the data folder has the published results.

Linear trees (``--peer``, an interpreter with the package linear-tree): ridge leaves, depth 2, on
superconductivity, both in separate processes one after the other.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from benchmarks.datasets import Split, data_folder, read_parquet

Floats = NDArray[np.float64]

#: Published settings of each case: (method, parameters of the ceiba class).
SETTINGS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "breast_cancer": {
        "LT": {"max_depth": 3},
        "RERF": {"penalty": "elasticnet", "l1_ratio": 0.75, "linear_max_iter": 1400,
                 "n_estimators": 30, "max_depth": 2},
        "EBLR": {"max_depth": 3, "n_estimators": 5},
    },
    "car_insurance": {
        "LT": {"max_depth": 1},
        "RERF": {"n_estimators": 20, "max_depth": 7},
        "EBLR": {"penalty": "lasso", "max_depth": 3, "n_estimators": 2},
    },
    "software_defect": {
        "LT": {"penalty": "none", "max_depth": 7},
        "RERF": {"penalty": "none", "n_estimators": 100, "max_depth": 10},
        "EBLR": {"penalty": "none", "max_depth": 1, "n_estimators": 2},
    },
    "house_prices": {
        "LT": {"penalty": "lasso", "max_depth": 2},
        "RERF": {"penalty": "elasticnet", "l1_ratio": 0.25, "n_estimators": 20, "max_depth": 1,
                 "max_features": "sqrt"},
        "EBLR": {"penalty": "ridge", "max_depth": 1, "n_estimators": 7},
    },
    "superconductivity": {
        "LT": {"penalty": "lasso", "max_depth": 2},
        "RERF": {"penalty": "elasticnet", "l1_ratio": 0.25, "n_estimators": 20, "max_depth": 25,
                 "max_features": "sqrt"},
        "EBLR": {"penalty": "lasso", "max_depth": 1, "n_estimators": 7},
    },
    "electricity_transformer": {
        "LT": {"penalty": "ridge", "max_depth": 1, "max_bins": 10},
        "RERF": {"penalty": "none", "n_estimators": 10, "max_depth": 2, "max_features": "sqrt"},
        "EBLR": {"penalty": "none", "max_depth": 3, "n_estimators": 5},
    },
}  # fmt: skip
CLASSES = {"breast_cancer", "car_insurance", "software_defect"}


def estimator(method: str, *, classes: bool) -> Callable[..., Any]:
    """Return the hybrid of a method."""
    import ceiba

    name = {"LT": "LinearTree", "RERF": "EnhancedForest", "EBLR": "BoostedLinear"}[method]
    made: Callable[..., Any] = getattr(ceiba, name + ("Classifier" if classes else "Regressor"))
    return made


def published() -> Mapping[str, Any]:
    """Return the published results of every case."""
    text = (data_folder() / "thesis_results.json").read_text()
    cases: Mapping[str, Any] = json.loads(text)["datasets"]
    return cases


def load(case: str, facts: Mapping[str, Any]) -> Split:
    """Return training plus validation rows, and test rows."""
    parts: dict[str, tuple[Floats, Any]] = {}
    for part in ("train", "valid", "test"):
        table = read_parquet(f"{case}/{part}.parquet")
        dropped = {facts["target"], *facts.get("inputs_dropped", ())}
        names = [name for name in table.column_names if name not in dropped]
        columns = [table[name].to_numpy().astype(np.float64) for name in names]
        target = table[facts["target"]].to_numpy().astype(np.float64)
        parts[part] = np.column_stack(columns), target / facts["target_divided_by"]
    both = [np.concatenate([parts["train"][k], parts["valid"][k]]) for k in (0, 1)]
    return Split(both[0], both[1], *parts["test"])


def measure(
    method: str, settings: Mapping[str, Any], data: Split, *, classes: bool
) -> dict[str, float]:
    """Return the metric on the test rows and the fit time in seconds."""
    begin = time.perf_counter()
    model = estimator(method, classes=classes)(**settings).fit(data.train_x, data.train_y)
    seconds = time.perf_counter() - begin
    if classes:
        score = float(roc_auc_score(data.test_y, model.predict_proba(data.test_x)[:, 1]))
    else:
        errors = model.predict(data.test_x) - data.test_y
        score = float(np.sqrt(np.mean(errors**2)))
    return {"test": score, "seconds": seconds}


def table(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return measured and published results as a Markdown table."""
    lines = [
        "| case | metric | method | ceiba | published | fit |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        better = (row["test"] > row["published"]) == (row["metric"] == "AUC")
        mark = "**" if better else ""
        lines.append(
            f"| {row['case']} | {row['metric']} | {row['method']} | {mark}{row['test']:.4f}{mark} "
            f"| {row['published']:.4f} | {row['seconds']:.2f} s |"
        )
    return "\n".join(lines)


def case_studies(cases: Iterable[str], methods: Iterable[str]) -> list[dict[str, Any]]:
    """Return the results of some cases and methods."""
    rows, facts = [], published()
    for case in cases:
        data = load(case, facts[case])
        for method in methods:
            found = measure(method, SETTINGS[case][method], data, classes=case in CLASSES)
            known = float(facts[case]["results"][method]["test"])
            rows.append({"case": case, "metric": facts[case]["metric"], "method": method,
                         "published": known, **found})  # fmt: skip
            print(table(rows[-1:]).splitlines()[-1], file=sys.stderr, flush=True)
    return rows


def ours(folder: Path, max_depth: int, every: int = 1) -> dict[str, float]:
    """Return time and error of ceiba's linear tree on saved arrays."""
    from ceiba import LinearTreeRegressor

    train_x, train_y = np.load(folder / "train_x.npy"), np.load(folder / "train_y.npy")
    begin, begin_cpu = time.perf_counter(), time.process_time()
    splits = list(range(0, train_x.shape[1], every))
    model = LinearTreeRegressor(max_depth=max_depth, standardize=False, split_features=splits)
    model.fit(train_x, train_y)
    seconds, cpu = time.perf_counter() - begin, time.process_time() - begin_cpu
    errors = model.predict(np.load(folder / "test_x.npy")) - np.load(folder / "test_y.npy")
    rmse = float(np.sqrt(np.mean(errors**2)))
    return {"seconds": seconds, "cpu_seconds": cpu, "rmse": rmse}


def beside_peer(
    peer: str, max_depth: int, every: int, limit: float | None
) -> dict[str, dict[str, float]]:
    """Return the results of ceiba and of the package linear-tree, in separate processes.

    A process is stopped after ``limit`` seconds, which are then its time.
    """
    with tempfile.TemporaryDirectory() as name:
        folder, here = Path(name), Path(__file__)
        load("superconductivity", published()["superconductivity"]).save(folder)
        commands = {
            "ceiba": [sys.executable, "-m", "benchmarks.hybrids", "--ours", name],
            "linear-tree": [peer, str(here.with_name("hybrids_peer.py")), name],
        }
        commands["ceiba"] += ["--max-depth", str(max_depth), "--every", str(every)]
        commands["linear-tree"] += [str(max_depth), str(every)]
        found = {}
        for library, command in commands.items():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            try:
                done = subprocess.run(
                    command, capture_output=True, text=True, check=True, timeout=limit
                )
                found[library] = json.loads(done.stdout)
            except subprocess.TimeoutExpired as stopped:
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
                found[library] = {"seconds": stopped.timeout, "cpu_seconds": cpu, "rmse": np.nan}
            print(library, found[library], file=sys.stderr, flush=True)
        return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", nargs="*", default=list(SETTINGS), choices=list(SETTINGS))
    parser.add_argument("--methods", nargs="*", default=["RERF", "EBLR", "LT"])
    parser.add_argument("--peer", help="an interpreter that has linear-tree: compare speeds")
    parser.add_argument("--max-depth", type=int, default=2, help="of the trees to compare")
    parser.add_argument("--every", type=int, default=1, help="only every n-th column is split")
    parser.add_argument("--limit", type=float, help="seconds after which either is stopped")
    parser.add_argument("--ours", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.ours:
        print(json.dumps(ours(given.ours, given.max_depth, given.every)))
    elif given.peer:
        found = beside_peer(given.peer, given.max_depth, given.every, given.limit)
        mine, other = found["ceiba"], found["linear-tree"]
        for what in ("seconds", "cpu_seconds", "rmse"):
            print(f"{what}: {mine[what]:.4g} and {other[what]:.4g}, "
                  f"ratio {other[what] / mine[what]:.4g}")  # fmt: skip
    else:
        print(table(case_studies(given.cases, given.methods)))


if __name__ == "__main__":
    main()
