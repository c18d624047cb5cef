"""`python -m benchmarks.frequencies`: test deviance of claim frequencies by library.

freMTPL2 frequencies: the target is ClaimNb / Exposure, the weight is the exposure, the loss is
poisson. All libraries use the same columns (categories as ordinal codes), random splits, 31 leaves
and learning rate 0.1; all other parameters are their defaults.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import mean_poisson_deviance

from benchmarks.datasets import read_parquet

Floats = NDArray[np.float64]
Fit = Callable[[Floats, Floats, Floats, int, int], Any]

TOLERANCE = 0.001
TEST_SHARE = 0.25


def load() -> tuple[Floats, Floats, Floats]:
    """Columns as numbers, frequencies and exposures."""
    table = read_parquet("fremtpl2_freq.parquet")
    columns = []
    for name in table.column_names:
        if name in ("ClaimNb", "Exposure", "IDpol"):
            continue
        values = table[name].to_numpy()
        if values.dtype.kind == "O":
            values = np.unique(values.astype(str), return_inverse=True)[1]
        columns.append(values.astype(np.float64))
    exposure = table["Exposure"].to_numpy().astype(np.float64)
    return np.column_stack(columns), table["ClaimNb"].to_numpy() / exposure, exposure


def fit_ceiba(**given: Any) -> Fit:
    """Return a CeibaRegressor with some parameters."""

    def fit(x: Floats, y: Floats, weight: Floats, rounds: int, threads: int) -> Any:
        from ceiba import CeibaRegressor

        regressor = CeibaRegressor(
            objective="poisson", n_estimators=rounds, n_jobs=threads, **given
        )
        return regressor.fit(x, y, sample_weight=weight)

    return fit


def fit_lightgbm(x: Floats, y: Floats, weight: Floats, rounds: int, threads: int) -> Any:
    """LightGBM's defaults."""
    import lightgbm

    regressor = lightgbm.LGBMRegressor(
        objective="poisson", n_estimators=rounds, n_jobs=threads, verbosity=-1
    )
    return regressor.fit(x, y, sample_weight=weight)


def fit_histgb(x: Floats, y: Floats, weight: Floats, rounds: int, threads: int) -> Any:
    """scikit-learn with default parameters, without early stopping, which would change the size."""
    from sklearn.ensemble import HistGradientBoostingRegressor
    from threadpoolctl import threadpool_limits

    regressor = HistGradientBoostingRegressor(
        loss="poisson", max_iter=rounds, early_stopping=False, random_state=0
    )
    with threadpool_limits(threads):
        return regressor.fit(x, y, sample_weight=weight)


def fit_xgboost(x: Floats, y: Floats, weight: Floats, rounds: int, threads: int) -> Any:
    """XGBoost at the same size as the others."""
    import xgboost

    regressor = xgboost.XGBRegressor(
        objective="count:poisson", n_estimators=rounds, n_jobs=threads, learning_rate=0.1,
        grow_policy="lossguide", max_leaves=31, max_depth=0,
    )  # fmt: skip
    return regressor.fit(x, y, sample_weight=weight)


LIBRARIES: dict[str, Fit] = {
    "lightgbm": fit_lightgbm,
    "scikit-learn": fit_histgb,
    "xgboost": fit_xgboost,
    "ceiba auto": fit_ceiba(),
    "ceiba lightgbm": fit_ceiba(recipe="lightgbm"),
    "ceiba histgb": fit_ceiba(recipe="histgb", early_stopping_rounds=0),
}
JUDGES = ("lightgbm", "scikit-learn")


def deviance(
    fit: Fit, data: tuple[Floats, Floats, Floats], seed: int, rounds: int, threads: int
) -> float:
    """Test deviance of one random split, weighted by exposure."""
    x, y, exposure = data
    order = np.random.default_rng(seed).permutation(len(y))
    test, train = np.split(order, [int(TEST_SHARE * len(y))])
    model = fit(x[train], y[train], exposure[train], rounds, threads)
    prediction = model.predict(x[test])
    return float(mean_poisson_deviance(y[test], prediction, sample_weight=exposure[test]))


def main() -> None:
    """Measure and print one line for each library."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--splits", type=int, default=3, help="random splits (default 3)")
    parser.add_argument("--rounds", type=int, default=100, help="boosting rounds (default 100)")
    parser.add_argument("--threads", type=int, default=2, help="threads (default 2)")
    given = parser.parse_args()
    x, y, exposure = load()
    found: dict[str, list[float]] = {name: [] for name in LIBRARIES}
    for seed in range(given.splits):
        for name, fit in LIBRARIES.items():
            start = time.perf_counter()
            found[name].append(deviance(fit, (x, y, exposure), seed, given.rounds, given.threads))
            seconds = time.perf_counter() - start
            print(f"split {seed}  {name:<15} {found[name][-1]:.6f}  {seconds:6.2f} s", flush=True)
    print("\n" + table(found))


def against_judges(found: dict[str, list[float]]) -> dict[str, NDArray[np.float64]]:
    """Return the difference of each library to the better judge, split by split."""
    best = np.minimum.reduce([found[name] for name in JUDGES])
    return {name: np.array(values) / best - 1.0 for name, values in found.items()}


def table(found: dict[str, list[float]]) -> str:
    """Return one line for each library."""
    lines = [f"{'library':<15} {'deviance':>9}  against the better of {' and '.join(JUDGES)}"]
    for name, above in against_judges(found).items():
        verdict = "kept" if above.mean() <= TOLERANCE else "missed"
        spread = f"{above.mean():+.4%} (worst {above.max():+.4%})"
        lines.append(f"{name:<15} {np.mean(found[name]):9.6f}  {spread} {verdict}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
