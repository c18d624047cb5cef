"""`python -m benchmarks.explanations`: time of SHAP values and partial dependence by library.

Every library trains 100 trees on the same 28 columns and explains its own model. Libraries take
turns several times; the best time counts. shap and scikit-learn's partial dependence explain the
ceiba model. scikit-learn measures a quarter of the columns and counts four times.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from benchmarks.datasets import Array, make_dense_100k
from benchmarks.report import RESULTS

N_TREES, N_LEAVES, DEPTH, N_THREADS = 100, 31, 6, 2
N_POINTS, QUARTER = 50, 4
OURS = "ceiba"
Explain = Callable[[Array], Any]


@dataclass(frozen=True)
class Case:
    """Explained model, number of rows, libraries, and the target speedup over each."""

    title: str
    n_rows: int
    wanted: dict[str, float]
    libraries: dict[str, Callable[[], Explain]]
    #: Factors for the times of libraries that do only a part of the work.
    parts: dict[str, float] = field(default_factory=dict)


@cache
def rows() -> tuple[Array, Array, Array]:
    """Rows to train on, their target, and rows to explain."""
    split = make_dense_100k(1.0)
    return split.train_x, split.train_y, split.test_x


# ---- the libraries -------------------------------------------------------------------------------


@cache
def our_model(grow_policy: str) -> Any:
    from ceiba import Dataset, train

    x, y, _ = rows()
    shape = {"max_leaves": N_LEAVES} if grow_policy == "leafwise" else {"max_depth": DEPTH}
    given = {"objective": "logistic", "n_estimators": N_TREES, "grow_policy": grow_policy, **shape}
    return train(given | {"n_jobs": N_THREADS}, Dataset(x, y))


def ceiba(grow_policy: str = "leafwise", **how: Any) -> Explain:
    model = our_model(grow_policy)
    return lambda x: model.explain(x, n_jobs=N_THREADS, **how)


def ceiba_with_background(n_background: int) -> Explain:
    return ceiba(background=rows()[0][:n_background])


@cache
def lightgbm_model() -> Any:
    import lightgbm

    x, y, _ = rows()
    shape = {"num_leaves": N_LEAVES, "verbose": -1, "num_threads": N_THREADS}
    return lightgbm.train({"objective": "binary", **shape}, lightgbm.Dataset(x, y), N_TREES)


def lightgbm() -> Explain:
    model = lightgbm_model()
    return lambda x: model.predict(x, pred_contrib=True, num_threads=N_THREADS)


@cache
def xgboost_model() -> Any:
    import xgboost

    x, y, _ = rows()
    shape = {"grow_policy": "lossguide", "max_leaves": N_LEAVES, "max_depth": 0}
    given = {"objective": "binary:logistic", "nthread": N_THREADS, **shape}
    return xgboost.train(given, xgboost.DMatrix(x, y), N_TREES)


def xgboost(**how: bool) -> Explain:
    import xgboost

    model = xgboost_model()
    return lambda x: model.predict(xgboost.DMatrix(x), **how)


def catboost() -> Explain:
    import catboost

    x, y, _ = rows()
    model = catboost.CatBoostClassifier(
        iterations=N_TREES, depth=DEPTH, thread_count=N_THREADS, verbose=False,
        allow_writing_files=False,
    )  # fmt: skip
    model.fit(x, y)
    return lambda x: model.get_feature_importance(
        catboost.Pool(x), type="ShapValues", thread_count=N_THREADS
    )


def shap(n_background: int) -> Explain:
    import shap

    # Without a masker shap would sample a hundred of the rows.
    known = shap.maskers.Independent(rows()[0][:n_background], max_samples=n_background)
    explainer = shap.TreeExplainer(our_model("leafwise").to_shap(), known)
    return lambda x: explainer.shap_values(x, check_additivity=False)


@cache
def our_estimator(kind: str) -> Any:
    from ceiba import CeibaClassifier, CeibaRegressor

    x, y, _ = rows()
    made = CeibaClassifier if kind == "classifier" else CeibaRegressor
    return made(n_estimators=N_TREES, max_leaves=N_LEAVES, n_jobs=N_THREADS).fit(x, y)


def ceiba_dependence(kind: str) -> Explain:
    model = our_estimator(kind).model_
    return lambda x: model.partial_dependence(x, n_points=N_POINTS, n_jobs=N_THREADS)


def sklearn_dependence(kind: str) -> Explain:
    from sklearn.inspection import partial_dependence

    estimator = our_estimator(kind)

    def explain(x: Array) -> None:
        for column in range(0, x.shape[1], QUARTER):
            partial_dependence(estimator, x, [column], method="brute", grid_resolution=N_POINTS)

    return explain


CASES = {
    "values": Case(
        "trees of 31 leaves", 5000, {"lightgbm": 10, "xgboost": 5},
        {OURS: ceiba, "lightgbm": lightgbm, "xgboost": lambda: xgboost(pred_contribs=True)},
    ),
    "symmetric": Case(
        "symmetric trees of depth 6", 5000, {"catboost": 1.5},
        {OURS: lambda: ceiba("symmetric"), "catboost": catboost},
    ),
    "one row": Case("one row, trees of 31 leaves", 1, {}, {
        OURS: ceiba, "lightgbm": lightgbm, "xgboost": lambda: xgboost(pred_contribs=True)
    }),
    "interactions": Case(
        "interactions, trees of 31 leaves", 1000, {"xgboost": 5},
        {OURS: lambda: ceiba(interactions=True),
         "xgboost": lambda: xgboost(pred_interactions=True)},
    ),
    "background": Case(
        "1,000 background rows, trees of 31 leaves", 200, {"shap": 10},
        {OURS: lambda: ceiba_with_background(1000), "shap": lambda: shap(1000)},
    ),
    "dependence": Case(
        "28 columns at 50 points, mean prediction of a regressor", 100_000, {"scikit-learn": 20},
        {OURS: lambda: ceiba_dependence("regressor"),
         "scikit-learn": lambda: sklearn_dependence("regressor")},
        {"scikit-learn": QUARTER},
    ),
    "probabilities": Case(
        "28 columns at 50 points, mean probability", 100_000, {"scikit-learn": 20},
        {OURS: lambda: ceiba_dependence("classifier"),
         "scikit-learn": lambda: sklearn_dependence("classifier")},
        {"scikit-learn": QUARTER},
    ),
}  # fmt: skip


def seconds(explain: Explain, x: Array) -> float:
    """Return the time of one call; for a single row the mean of many."""
    n_calls = 200 if len(x) == 1 else 1
    begin = time.perf_counter()
    for _ in range(n_calls):
        explain(x)
    return (time.perf_counter() - begin) / n_calls


def measure(case: Case, n_rounds: int) -> dict[str, float]:
    """Return the best time of each library, measured in turns."""
    given = rows()[2]
    x = np.ascontiguousarray(given[np.resize(np.arange(len(given)), case.n_rows)])
    ready = {name: make() for name, make in case.libraries.items()}
    times: dict[str, list[float]] = {name: [] for name in ready}
    for _ in range(n_rounds):
        for name, explain in ready.items():
            times[name].append(seconds(explain, x))
    return {name: min(own) * case.parts.get(name, 1.0) for name, own in times.items()}


def main() -> None:
    """Measure the selected cases, print a table, write it to benchmarks/results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.explanations", description=__doc__)
    parser.add_argument("--case", action="append", choices=CASES)
    parser.add_argument("--rounds", type=int, default=3, help="alternating rounds (default 3)")
    parser.add_argument("--keep", action="store_true", help="write explanations.json")
    given = parser.parse_args()
    found = {}
    for name in given.case or CASES:
        case = CASES[name]
        best = found[name] = measure(case, given.rounds)
        print(f"{case.title}, {case.n_rows} rows", flush=True)
        for library, time_taken in best.items():
            wanted = f", wanted {case.wanted[library]}" if library in case.wanted else ""
            ratio = time_taken / best[OURS]
            print(f"  {library:10} {time_taken * 1e3:10.3f} ms  {ratio:8.2f}{wanted}", flush=True)
    if given.keep:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "explanations.json").write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
