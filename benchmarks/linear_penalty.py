"""Compare penalties of linear leaves: constants, fixed values of `linear_lambda` and "auto".

    python -m benchmarks.linear_penalty choose --penalties 500,1
    python -m benchmarks.linear_penalty confirm --penalties 500,1,auto

Protocol, fixed before any run:

1. The tables of `CHOOSE` choose the rule behind `linear_lambda="auto"` and its constants. Those of
   `CONFIRM` are run once, after the rule is fixed, with the final rule, 500 and 1.
2. Every table has at most 10,000 rows, drawn with a fixed seed. Two random splits, 80 % to train.
3. Recipe `plgb` with 200 trees, learning rate 0.1 and 31 leaves, against the same trees with
   constant leaves. Score: RMSE, or log loss with two classes.
4. Goals on either half: a larger mean reduction of the error than with 500, and no table more than
   1 % worse than constant leaves.
5. Six tables are case studies elsewhere (breast_cancer, software_defect, car_insurance,
   electricity_transformer, house_prices, superconductivity): only their training files are read.
   electricity_transformer is a time series, so the last fifth of its training rows is the test.
6. The generated tables alternate between little and much noise: each family is in both halves, with
   another noise level.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.datasets import data_folder
from benchmarks.piecewise_linear import FAMILIES, SHARED

Floats = NDArray[np.float64]
Rows = tuple[Floats, Floats, bool]

MOST_ROWS = 10_000
N_SPLITS = 2


def public(name: str, positive: int | None = None) -> Callable[[], Rows]:
    """Return a loader of the numeric columns of a table (case studies: training rows only)."""

    def read() -> Rows:
        import pandas as pd

        folder = data_folder()
        entries = json.loads((folder / "datasets.json").read_text())["datasets"]
        entry = next(one for one in entries if one["name"] == name)
        files = entry["files"]
        paths = [files["train"]] if "train" in files else list(files.values())[:1]
        frame = pd.concat([pd.read_parquet(folder / path) for path in paths], ignore_index=True)
        if len(frame) > MOST_ROWS and name != "electricity_transformer":
            frame = frame.sample(MOST_ROWS, random_state=5)
        target = frame.pop(entry["target"])
        if positive is not None:
            target = (target == positive).astype(int)
        classes = positive is not None or entry["task"] == "binary"
        y = pd.factorize(target, sort=True)[0] if classes else target
        x = frame.select_dtypes("number").to_numpy(dtype=float)
        return x[-MOST_ROWS:], np.asarray(y, dtype=float)[-MOST_ROWS:], classes

    return read


def friedman(which: int, n_rows: int, noise: float) -> Callable[[], Rows]:
    """Return a generator of one of Friedman's three targets with normal noise."""

    def make() -> Rows:
        from sklearn import datasets

        maker = getattr(datasets, f"make_friedman{which}")
        return (*maker(n_samples=n_rows, noise=noise, random_state=which), False)

    return make


def pieces(name: str, n_rows: int, noise: float) -> Callable[[], Rows]:
    """Return a generator of a piecewise-linear target (benchmarks/piecewise_linear.py)."""

    def make() -> Rows:
        random = np.random.default_rng(11)
        x = random.uniform(-1, 1, size=(n_rows, 10))
        return x, FAMILIES[name](x) + random.normal(scale=noise, size=n_rows), False

    return make


def noisy_products(n_rows: int) -> Rows:
    """Return two classes whose log-odds are small products and squares of normal columns."""
    random = np.random.default_rng(13)
    x = random.normal(size=(n_rows, 20))
    odds = 0.7 * x[:, 0] * x[:, 1] + 0.5 * x[:, 2] - 0.3 * x[:, 3] ** 2 + 0.4 * np.abs(x[:, 4])
    return x, (random.uniform(size=n_rows) < 1 / (1 + np.exp(-odds))).astype(float), True


def flipped_classes(n_rows: int) -> Rows:
    """Return scikit-learn's two classes of several clusters, with 30 % random labels."""
    from sklearn.datasets import make_classification

    x, y = make_classification(
        n_rows, 20, n_informative=8, n_clusters_per_class=4, flip_y=0.3, random_state=17
    )
    return x, y.astype(float), True


def hastie(n_rows: int) -> Rows:
    """Return scikit-learn's two classes inside and outside of a ball."""
    from sklearn.datasets import make_hastie_10_2

    x, y = make_hastie_10_2(n_rows, random_state=19)
    return x, (y > 0).astype(float), True


CHOOSE: dict[str, Callable[[], Rows]] = {
    "protein_casp": public("protein_casp"),
    "superconductivity": public("superconductivity"),
    "higgs_7k": public("higgs_7k"),
    "bank_marketing": public("bank_marketing"),
    "car_insurance": public("car_insurance"),
    "friedman1, noise 1": friedman(1, 2_000, 1.0),
    "friedman2, noise 400": friedman(2, 5_000, 400.0),
    "friedman3, noise 0.05": friedman(3, 5_000, 0.05),
    "ramps, noise 0.1": pieces("ramps", 10_000, 0.1),
    "regimes, noise 2": pieces("regimes", 10_000, 2.0),
    "highest_plane, noise 1": pieces("highest_plane", 2_000, 1.0),
    "noisy_products": lambda: noisy_products(5_000),
}
CONFIRM: dict[str, Callable[[], Rows]] = {
    "california_housing": public("california_housing"),
    "diamonds": public("diamonds"),
    "electricity_transformer": public("electricity_transformer"),
    "adult": public("adult"),
    "telco_churn": public("telco_churn"),
    "covertype, class 2": public("covertype", positive=2),
    "friedman1, noise 5": friedman(1, 5_000, 5.0),
    "friedman2, noise 10": friedman(2, 2_000, 10.0),
    "friedman3, noise 0.5": friedman(3, 5_000, 0.5),
    "ramps, noise 2": pieces("ramps", 5_000, 2.0),
    "regimes, noise 0.1": pieces("regimes", 10_000, 0.1),
    "highest_plane, noise 0.1": pieces("highest_plane", 5_000, 0.1),
    "flipped_classes": lambda: flipped_classes(5_000),
    "hastie": lambda: hastie(5_000),
}


def loss_of(settings: dict[str, Any], rows: Rows, train: Any, test: Any) -> float:
    """Return the RMSE, or the log loss with two classes, on the test rows."""
    from ceiba import CeibaClassifier, CeibaRegressor

    x, y, classes = rows
    model = (CeibaClassifier if classes else CeibaRegressor)(**SHARED, **settings)
    model.fit(x[train], y[train])
    if not classes:
        return float(np.sqrt(np.mean((model.predict(x[test]) - y[test]) ** 2)))
    p = np.clip(model.predict_proba(x[test])[:, 1], 1e-15, 1 - 1e-15)
    return float(-np.mean(np.log(np.where(y[test] == 1, p, 1 - p))))


def splits_of(name: str, n_rows: int) -> list[tuple[Any, Any]]:
    """Return the training and test rows of every split."""
    n_test = n_rows // 5
    if name == "electricity_transformer":
        return [(np.arange(n_rows - n_test), np.arange(n_rows - n_test, n_rows))]
    orders = [np.random.default_rng(2000 + split).permutation(n_rows) for split in range(N_SPLITS)]
    return [(np.sort(order[n_test:]), np.sort(order[:n_test])) for order in orders]


def run(
    tables: dict[str, Callable[[], Rows]], penalties: list[Any], n_trees: int = 200
) -> dict[str, dict[str, float]]:
    """Return the mean loss of every table and kind of leaf; None means constant leaves."""
    found: dict[str, dict[str, float]] = {}
    for name, make in tables.items():
        rows = make()
        own = found.setdefault(name, {})
        for penalty in penalties:
            settings: dict[str, Any] = {"n_estimators": n_trees}
            if penalty is not None:
                settings |= {"recipe": "plgb", "linear_lambda": penalty}
            begin = time.perf_counter()
            losses = [loss_of(settings, rows, *split) for split in splits_of(name, len(rows[1]))]
            own[str(penalty)] = float(np.mean(losses))
            own[f"{penalty}, s"] = time.perf_counter() - begin
        show(name, own)
    return found


def show(name: str, losses: dict[str, float]) -> None:
    """Print the losses of a table, with the change against constant leaves in percent."""
    base = losses.get("None")
    words = [f"{name:26}"]
    for kind, loss in losses.items():
        if kind.endswith(", s"):
            continue
        gain = "" if base is None or kind == "None" else f" ({100 * (1 - loss / base):+.2f} %)"
        words.append(f"{'constant' if kind == 'None' else kind} {loss:.5g}{gain}")
    print("  ".join(words), flush=True)


def main() -> None:
    """Run one half with constant leaves and the given penalties."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("half", choices=("choose", "confirm"))
    parser.add_argument("--penalties", default="500,1")
    given = parser.parse_args()
    penalties: list[Any] = [None]
    words = given.penalties.split(",")
    penalties += [word if word == "auto" else float(word) for word in words]
    found = run(CHOOSE if given.half == "choose" else CONFIRM, penalties)
    for penalty in penalties[1:]:
        gains = [1 - own[str(penalty)] / own["None"] for own in found.values()]
        print(f"{penalty}: mean {100 * np.mean(gains):+.2f} %, worst {100 * min(gains):+.2f} %")


if __name__ == "__main__":
    main()
