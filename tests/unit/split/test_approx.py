"""Approx through training: as good as exact, finer per node, one model, eval sets, bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ceiba
from ceiba import _core
from ceiba.errors import InvalidParameterError
from ceiba.metrics import find_metric


def read(path: Path, target: str, names: list[str] | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return columns and target as numbers; levels of categories by the order of their names."""
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(path)
    columns = []
    for name in names or [*(n for n in table.column_names if n != target), target]:
        column = table[name].combine_chunks()
        values = np.array(column.to_pylist())
        columns.append(
            np.unique(values, return_inverse=True)[1] if values.dtype.kind == "U" else values
        )
    numbers = np.column_stack(columns).astype(np.float64)
    return numbers[:, :-1], numbers[:, -1]


def halves(data_folder: Path, name: str) -> tuple[np.ndarray, ...]:
    """Return training and test rows of a data set."""
    if name == "higgs_7k":
        folder = data_folder / name
        X, y = read(folder / "train.parquet", TARGETS[name])
        test_X, test_y = read(folder / "test.parquet", TARGETS[name])
        return X, y, test_X, test_y
    X, y = read(data_folder / f"{name}.parquet", TARGETS[name])
    order = np.random.default_rng(0).permutation(len(y))
    train, test = order[len(y) // 5 :], order[: len(y) // 5]
    return X[train], y[train], X[test], y[test]


TARGETS = {"higgs_7k": "label", "bank_marketing": "y"}


def auc(model: ceiba.Model, X: np.ndarray, y: np.ndarray) -> float:
    raw = model.predict_raw(X)
    return float(find_metric("auc")(y, raw[:, None], model.predict(X)[:, None], None))


def logloss(model: ceiba.Model, X: np.ndarray, y: np.ndarray) -> float:
    raw = model.predict_raw(X)
    return float(find_metric("logloss")(y, raw[:, None], model.predict(X)[:, None], None))


LOSS = {"objective": "logistic", "grow_policy": "depthwise"}
APPROX = {**LOSS, "split_method": "approx"}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "repeats"), [("higgs_7k", 6), ("bank_marketing", 1)])
def test_as_good_as_exact(data_folder: Path, name: str, repeats: int) -> None:
    """Fifths of all rows in turn: a single small test set says more of luck than of candidates."""
    X, y, test_X, test_y = halves(data_folder, name)
    X, y = np.vstack([X, test_X]), np.concatenate([y, test_y])
    differences = []
    for seed in range(repeats):
        order = np.random.default_rng(seed).permutation(len(y))
        for fifth in range(5):
            test = order[fifth::5]
            train = np.setdiff1d(order, test)
            rows = ceiba.Dataset(X[train], y[train])
            by_method = [
                auc(ceiba.train({**LOSS, **given}, rows), X[test], y[test])
                for given in (
                    {"split_method": "approx", "sketch_eps": 1 / 256},
                    {"split_method": "exact"},
                )
            ]
            differences.append(by_method[0] - by_method[1])
    assert abs(np.mean(differences)) <= 0.001


@pytest.mark.slow
def test_candidates_of_nodes_fit_at_least_as_well_as_those_of_trees(data_folder: Path) -> None:
    X, y, _, _ = halves(data_folder, "higgs_7k")
    rows = ceiba.Dataset(X, y)
    given = {"sketch_eps": 0.1, "max_depth": 10, "n_estimators": 20, "subsample": 0.8}
    losses: dict[str, list[float]] = {"tree": [], "node": []}
    for scope, found in losses.items():
        for seed in range(10):
            params = {**APPROX, **given, "approx_scope": scope, "random_state": seed}
            found.append(logloss(ceiba.train(params, rows), X, y))
    assert np.mean(losses["node"]) <= np.mean(losses["tree"])


def some_rows(n: int = 900) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(5)
    X = random.normal(size=(n, 7))
    X[:, 2] = np.floor(2 * X[:, 2])
    X[:, 3] = np.where(random.random(n) < 0.6, 0.0, X[:, 3])
    X[random.random(X.shape) < 0.06] = np.nan
    signal = np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1] * X[:, 3])
    y = np.digitize(signal + random.normal(size=n), [-1.0, 0.7])
    return X, y.astype(np.float64), random.random(n) + 0.1


TRAININGS: dict[str, dict[str, Any]] = {
    "tree": {},
    "node": {"approx_scope": "node"},
    "symmetric": {"grow_policy": "symmetric", "max_depth": 4, "approx_scope": "node"},
    "leafwise": {"grow_policy": "leafwise", "max_leaves": 9},
    "coarse": {"sketch_eps": 0.2},
    "many": {"sketch_eps": 0.002},
    "softmax": {"objective": "softmax", "max_depth": 3},
    "columns": {"colsample_bytree": 0.6, "colsample_bynode": 0.7, "approx_scope": "node"},
}


@pytest.mark.threads
@pytest.mark.parametrize("kind", TRAININGS)
@pytest.mark.parametrize("weighted", [False, True])
def test_one_model(kind: str, weighted: bool) -> None:
    X, y, weight = some_rows()
    params = {**APPROX, "n_estimators": 6, "sketch_eps": 0.03, **TRAININGS[kind]}
    if params["objective"] == "logistic":
        y = (y > 1).astype(float)

    def fingerprint(order: np.ndarray, n_jobs: int = 1, blocks: int = 1) -> str:
        parts = [
            (X[rows], y[rows], weight[rows]) if weighted else (X[rows], y[rows])
            for rows in np.array_split(order, blocks)
        ]
        rows = ceiba.Dataset.from_blocks(parts)
        return ceiba.train({**params, "n_jobs": n_jobs}, rows).fingerprint()

    rows = np.arange(len(y))
    expected = fingerprint(rows)
    shuffled = np.random.default_rng(1).permutation(rows)
    assert fingerprint(shuffled) == expected
    assert fingerprint(rows, blocks=7) == expected
    _core.change_settings(block_rows=64, chunk_rows=64, serial_below=0)
    assert fingerprint(shuffled, n_jobs=3) == expected
    assert fingerprint(rows, n_jobs=2) == expected
    _core.change_settings(shard_rows=100)
    assert fingerprint(rows, n_jobs=2) == expected
    _core.set_avx2(not _core.uses_avx2())
    assert fingerprint(rows) == expected


def test_a_weight_is_a_row_that_stands_several_times() -> None:
    X, y, _ = some_rows(300)
    y = (y > 1).astype(float)
    times = np.random.default_rng(2).integers(1, 4, 300)
    repeated = np.repeat(np.arange(300), times)
    for scope in ("tree", "node"):
        params = {**APPROX, "n_estimators": 5, "sketch_eps": 0.05, "approx_scope": scope}
        weighted = ceiba.train(params, ceiba.Dataset(X, y, weight=times))
        plain = ceiba.train(params, ceiba.Dataset(X[repeated], y[repeated]))
        assert weighted.fingerprint() == plain.fingerprint()


@pytest.mark.parametrize("scope", ["tree", "node"])
def test_eval_sets_are_scored_as_the_model_predicts(scope: str) -> None:
    X, y, _ = some_rows()
    y = (y > 1).astype(float)
    params = {**APPROX, "n_estimators": 8, "sketch_eps": 0.1, "subsample": 0.7}
    model = ceiba.train(
        {**params, "approx_scope": scope, "eval_metric": "logloss"},
        ceiba.Dataset(X[:600], y[:600]),
        eval_sets={"same": ceiba.Dataset(X[:600], y[:600]), "new": ceiba.Dataset(X[600:], y[600:])},
    )
    assert model.history["same"]["logloss"][-1] == logloss(model, X[:600], y[:600])
    assert model.history["new"]["logloss"][-1] == logloss(model, X[600:], y[600:])
    assert model.parameters["split_method"] == "approx"


def test_few_distinct_values_are_all_candidates() -> None:
    """Then approx and exact try the same thresholds."""
    random = np.random.default_rng(3)
    X = np.floor(4 * random.normal(size=(400, 4)))
    y = X[:, 0] - np.abs(X[:, 1]) + random.normal(size=400)
    rows = ceiba.Dataset(X, y)
    params = {"objective": "squared_error", "n_estimators": 5, "grow_policy": "depthwise"}
    approx = ceiba.train({**params, "split_method": "approx", "approx_scope": "node"}, rows)
    exact = ceiba.train({**params, "split_method": "exact"}, rows)
    np.testing.assert_allclose(approx.predict(X), exact.predict(X), rtol=1e-9)


@pytest.mark.parametrize(
    "given", [{"sketch_eps": 0.0}, {"sketch_eps": 0.7}, {"approx_scope": "level"}]
)
def test_what_makes_no_sense_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameterError, match="must be"):
        ceiba.train({**APPROX, **given}, ceiba.Dataset(np.zeros((4, 1)), [0, 1, 0, 1]))
