"""Pseudo-Huber and squared log error, and metrics by XGBoost's names: the same numbers as there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import CeibaClassifier, CeibaRegressor
from ceiba.data.queries import Queries
from ceiba.metrics import find_metric

pytestmark = pytest.mark.parity

Floats = np.ndarray[Any, np.dtype[np.float64]]
PLAIN = {"n_estimators": 10, "n_jobs": 1}


def make_columns(n_rows: int = 400) -> tuple[Floats, np.random.Generator]:
    random = np.random.default_rng(0)
    return random.normal(size=(n_rows, 4)).astype(np.float32).astype(np.float64), random


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("objective", "options", "base_score"),
    [
        ("reg:pseudohubererror", {}, 0.3),
        ("reg:pseudohubererror", {"huber_slope": 2.5}, -0.2),
        ("reg:squaredlogerror", {}, 1.2),
    ],
)
def test_objectives(
    objective: str, options: dict[str, float], base_score: float, weighted: bool
) -> None:
    xgboost = pytest.importorskip("xgboost")
    X, random = make_columns()
    y = 2.0 * X[:, 0] + random.standard_t(3, size=400)
    if objective == "reg:squaredlogerror":
        y = np.exp(0.5 * y)
    y = y.astype(np.float32).astype(np.float64)
    weights = random.gamma(2.0, size=400) if weighted else None
    shared: dict[str, Any] = {**PLAIN, **options, "objective": objective, "base_score": base_score}
    peer = xgboost.XGBRegressor(tree_method="exact", **shared)
    own = CeibaRegressor(recipe="xgboost", split_method="exact", **shared)
    expected = peer.fit(X, y, sample_weight=weights).predict(X)
    found = own.fit(X, y, weights).predict(X)
    assert np.ptp(found) > 1.0
    np.testing.assert_allclose(found, expected, atol=1e-5)


def scores_of(peer: Any, own: Any, X: Floats, y: Any) -> tuple[Any, Any]:
    own.fit(X, y, eval_set=[(X, y)])
    peer.fit(X, y, eval_set=[(X, y)], verbose=False)
    return own.evals_result_["validation_0"], peer.evals_result()["validation_0"]


def test_metrics_of_rows() -> None:
    xgboost = pytest.importorskip("xgboost")
    X, random = make_columns()
    y = np.exp(X[:, 0] + 0.3 * random.normal(size=400))
    shared: dict[str, Any] = {**PLAIN, "base_score": 1.0, "huber_slope": 0.5}
    names = ["mphe", "rmsle", "gamma-deviance"]
    own, peer = scores_of(
        xgboost.XGBRegressor(
            objective="reg:gamma", tree_method="exact", eval_metric=names, **shared
        ),
        CeibaRegressor(
            objective="reg:gamma",
            recipe="xgboost",
            split_method="exact",
            eval_metric=names,
            **shared,
        ),
        X,
        y,
    )
    for name, values in zip(
        ("pseudo_huber", "rmsle", "gamma_deviance"), peer.values(), strict=True
    ):
        np.testing.assert_allclose(own[name], values, rtol=1e-5)


@pytest.mark.parametrize("family", ["poisson", "gamma"])
def test_likelihoods_are_half_of_deviances_but_for_a_constant(family: str) -> None:
    xgboost = pytest.importorskip("xgboost")
    X, random = make_columns()
    y = np.exp(X[:, 0] + 0.3 * random.normal(size=400))
    objective = {"poisson": "count:poisson", "gamma": "reg:gamma"}[family]
    shared: dict[str, Any] = {**PLAIN, "base_score": 1.0, "objective": objective}
    own, peer = scores_of(
        xgboost.XGBRegressor(tree_method="exact", eval_metric=f"{family}-nloglik", **shared),
        CeibaRegressor(recipe="xgboost", split_method="exact", **shared),
        X,
        y,
    )
    (deviances,), (likelihoods,) = own.values(), peer.values()
    differences = np.array(likelihoods) - 0.5 * np.array(deviances)
    np.testing.assert_allclose(differences, differences[0], atol=1e-5)
    assert np.ptp(likelihoods) > 0.05


def test_error_at_a_threshold() -> None:
    xgboost = pytest.importorskip("xgboost")
    X, random = make_columns()
    y = (X[:, 0] + random.normal(size=400) > 0.0).astype(int)
    shared: dict[str, Any] = {**PLAIN, "base_score": 0.5, "eval_metric": ["error@0.3", "error@0.8"]}
    own, peer = scores_of(
        xgboost.XGBClassifier(tree_method="exact", **shared),
        CeibaClassifier(recipe="xgboost", split_method="exact", **shared),
        X,
        y,
    )
    assert list(own) == list(peer)
    for name, values in peer.items():
        np.testing.assert_allclose(own[name], values, atol=1e-6)


def test_precision_of_the_first_positions() -> None:
    xgboost = pytest.importorskip("xgboost")
    X, random = make_columns(600)
    y = (X[:, 0] + random.normal(size=600) > 1.0).astype(int)
    qid = np.sort(random.integers(0, 60, 600))
    assert 0 < sum(y[qid == q].sum() == 0 for q in range(60)) < 60
    shared: dict[str, Any] = {**PLAIN, "objective": "rank:pairwise", "base_score": 0.0}
    names = ["pre@1", "pre@3", "pre@50"]
    peer = xgboost.XGBRanker(tree_method="exact", eval_metric=names, **shared)
    peer.fit(X, y, qid=qid, eval_set=[(X, y)], eval_qid=[qid], verbose=False)
    scores = peer.predict(X).astype(np.float64)
    for name in names:
        metric = find_metric(name).for_queries(Queries.of_numbers(qid))
        found = metric(y.astype(np.float64), scores[:, None], scores, None)
        assert found == pytest.approx(peer.evals_result()["validation_0"][name][-1], abs=1e-6)
