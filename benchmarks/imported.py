"""`python -m benchmarks.imported`: SHAP values of imported models against those of their libraries.

Each library trains a model on the same 28 columns, ceiba imports it, and both explain the same rows
with one thread. They take turns; the best time counts. scikit-learn's models are explained by shap.
Models have the default size of their library.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.datasets import make_dense_100k

N_TREES, N_THREADS, N_TURNS = 300, 1, 2


@dataclass(frozen=True)
class Peer:
    """A model of another library: how it predicts and explains, and how many rows to explain."""

    title: str
    model: Any
    predict: Callable[[Any], Any]
    explain: Callable[[Any], Any]
    n_rows: int


def peers() -> list[Callable[[Any, Any], Peer]]:
    """Return the functions that train a model on rows and a target."""
    return [of_lightgbm, of_xgboost, of_catboost, of_histogram_boosting, of_random_forest]


def of_lightgbm(x: Any, y: Any) -> Peer:
    import lightgbm

    threads = {"num_threads": N_THREADS}
    given = {"objective": "binary", "verbose": -1, **threads}
    model = lightgbm.train(given, lightgbm.Dataset(x, y), N_TREES)
    return Peer(
        f"LightGBM {lightgbm.__version__}",
        model,
        lambda rows: model.predict(rows, **threads),
        lambda rows: model.predict(rows, pred_contrib=True, **threads),
        10_000,
    )


def of_xgboost(x: Any, y: Any) -> Peer:
    import xgboost

    given = {"objective": "binary:logistic", "max_depth": 6, "nthread": N_THREADS}
    model = xgboost.train(given, xgboost.DMatrix(x, y), N_TREES)
    return Peer(
        f"XGBoost {xgboost.__version__}",
        model,
        lambda rows: model.predict(xgboost.DMatrix(rows)),
        lambda rows: model.predict(xgboost.DMatrix(rows), pred_contribs=True),
        10_000,
    )


def of_catboost(x: Any, y: Any) -> Peer:
    import catboost

    model = catboost.CatBoostClassifier(
        iterations=N_TREES, thread_count=N_THREADS, verbose=False, allow_writing_files=False
    ).fit(x, y)

    def explain(rows: Any) -> Any:
        pool = catboost.Pool(rows)
        return model.get_feature_importance(pool, type="ShapValues", thread_count=N_THREADS)

    title = f"CatBoost {catboost.__version__}"
    return Peer(title, model, lambda rows: model.predict_proba(rows)[:, 1], explain, 10_000)


def of_histogram_boosting(x: Any, y: Any) -> Peer:
    import sklearn
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(max_iter=N_TREES, early_stopping=False).fit(x, y)
    title = f"scikit-learn {sklearn.__version__}, histogram boosting (shap)"
    return Peer(title, model, lambda rows: model.predict_proba(rows)[:, 1], by_shap(model), 1_000)


def of_random_forest(x: Any, y: Any) -> Peer:
    import sklearn
    from sklearn.ensemble import RandomForestRegressor

    model = RandomForestRegressor(100, max_depth=8, n_jobs=N_THREADS).fit(x[:20_000], y[:20_000])
    title = f"scikit-learn {sklearn.__version__}, random forest (shap)"
    return Peer(title, model, model.predict, by_shap(model), 1_000)


def by_shap(model: Any) -> Callable[[Any], Any]:
    import shap

    explainer = shap.TreeExplainer(model)
    return lambda rows: explainer.shap_values(rows, check_additivity=False)


def best_time(calls: list[Callable[[], Any]]) -> list[float]:
    """Return the best time of each call; the calls take turns."""
    best = [np.inf] * len(calls)
    for _ in range(N_TURNS):
        for place, call in enumerate(calls):
            start = time.perf_counter()
            call()
            best[place] = min(best[place], time.perf_counter() - start)
    return best


def measure(peer: Peer, rows: Any) -> dict[str, Any]:
    import ceiba

    model = ceiba.from_model(peer.model)
    some = np.ascontiguousarray(rows[: peer.n_rows])
    theirs = np.asarray(peer.explain(some), dtype=np.float64)
    ours = model.explain(some).values
    if theirs.shape[1] == ours.shape[1] + 1:
        theirs = theirs[:, :-1]
    times = best_time(
        [
            lambda: peer.explain(some),
            lambda: model.explain(some, n_jobs=N_THREADS),
            lambda: peer.predict(rows),
            lambda: model.predict(rows, n_jobs=N_THREADS),
        ]
    )
    return {
        "library": peer.title,
        "rows": peer.n_rows,
        "seconds of the library": times[0],
        "seconds of ceiba": times[1],
        "ratio": times[0] / times[1],
        "ratio of predict": times[2] / times[3],
        "largest difference of SHAP values": float(np.abs(ours - theirs).max()),
        "largest difference of predictions": float(
            np.abs(model.predict(rows) - peer.predict(rows)).max()
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="part of the name of a library")
    only = parser.parse_args().only.lower()
    warnings.simplefilter("ignore")
    split = make_dense_100k(1.0)
    x, y, rows = split.train_x, split.train_y, split.test_x
    for train in peers():
        if only in train.__name__:
            print(json.dumps(measure(train(x, y), rows)), flush=True)


if __name__ == "__main__":
    main()
