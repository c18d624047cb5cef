"""Leaves of absolute, quantile and Huber loss by scikit-learn's rules, on the same partition.

scikit-learn's GradientBoosting breaks ties of sign gradients by a random order of features, so
whole trees of absolute and quantile loss need not agree. Here each tree of ours is taken as a
partition, and its values must be what scikit-learn's own loss makes of the residuals of each leaf;
the gradients must be its gradients, ties included.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn._loss.loss import AbsoluteError, HuberLoss, PinballLoss
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.utils.stats import _weighted_percentile

import ceiba
from ceiba.objectives import find_objective

pytestmark = pytest.mark.parity

Reals = NDArray[np.float64]
CASES: dict[str, tuple[dict[str, Any], Any]] = {
    "absolute_error": ({"objective": "absolute_error"}, AbsoluteError),
    "quantile 0.2": ({"objective": "quantile", "quantile": 0.2}, lambda: PinballLoss(quantile=0.2)),
    "quantile 0.9": ({"objective": "quantile", "quantile": 0.9}, lambda: PinballLoss(quantile=0.9)),
    "huber": ({"objective": "huber", "huber_quantile": 0.9}, lambda: HuberLoss(quantile=0.9)),
}
N_ROUNDS = 20


def make_data(weighted: bool, n_rows: int = 501) -> tuple[Reals, Reals, Reals]:
    random = np.random.default_rng(0)
    X = random.normal(size=(n_rows, 4))
    y = X[:, 0] + np.sin(3 * X[:, 1]) + random.standard_t(3, size=n_rows)
    return X, y, random.uniform(0.5, 2.0, size=n_rows) if weighted else np.ones(n_rows)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_leaf_values_follow_the_rule_on_the_same_partition(case: str, weighted: bool) -> None:
    params, make_loss = CASES[case]
    X, y, weights = make_data(weighted)
    loss = make_loss()
    dataset = ceiba.Dataset(X, y, weight=weights if weighted else None)
    friedman = {"leaf_rule": "friedman", "calibration_folds": 0, "reg_lambda": 0.0}
    model = ceiba.train({**params, **friedman, "n_estimators": N_ROUNDS, "n_jobs": 1}, dataset)
    arrays, leaves = model.forest.arrays(), model.apply(X)
    scores = np.full(len(y), model.start_scores[0])
    for tree in range(N_ROUNDS):
        if case == "huber":
            distances = np.abs(y - scores)
            loss.closs.delta = float(_weighted_percentile(distances, weights, 90))
        for leaf in np.unique(leaves[:, tree]):
            rows = leaves[:, tree] == leaf
            # GradientBoosting always hands over weights, if only ones.
            expected = loss.fit_intercept_only((y - scores)[rows], weights[rows])
            value = arrays["value"][arrays["tree_offsets"][tree] + leaf]
            np.testing.assert_allclose(value, 0.1 * expected, rtol=1e-12, atol=1e-14)
        scores += arrays["value"][arrays["tree_offsets"][tree] + leaves[:, tree]]


@pytest.mark.parametrize("case", CASES)
def test_gradients_are_the_same_where_rows_are_hit_too(case: str) -> None:
    params, make_loss = CASES[case]
    random = np.random.default_rng(1)
    y = random.integers(-3, 4, size=500).astype(np.float64)
    scores = random.integers(-3, 4, size=500).astype(np.float64)
    loss = make_loss()
    options = {name: value for name, value in params.items() if name != "objective"}
    objective = find_objective(params["objective"], **options, leaf_rule="friedman")
    if case == "huber":
        loss.closs.delta = float(_weighted_percentile(np.abs(y - scores), np.ones(500), 90))
    gradients = np.empty((1, 500))
    in_round = objective.in_turn(0).for_round(scores[None, :], y, None)
    in_round.gradients(scores[None, :], y, gradients, None, 1)
    np.testing.assert_allclose(gradients[0], loss.gradient(y, scores), rtol=1e-15)


@pytest.mark.parametrize("weighted", [False, True])
def test_starts_are_those_of_scikit_learn(weighted: bool) -> None:
    for n_rows in (500, 501):
        X, y, weights = make_data(weighted, n_rows)
        given = weights if weighted else None
        peer = GradientBoostingRegressor(loss="huber", n_estimators=1, max_depth=1)
        start = peer.fit(X, y, sample_weight=given).init_.constant_.item()
        own = find_objective("huber", leaf_rule="friedman").start_scores(y, given)
        np.testing.assert_allclose(own, start, rtol=1e-15)
        for level in (0.1, 0.5, 0.9):
            # Unweighted, scikit-learn interpolates its start; with weights it does as we do.
            peer = GradientBoostingRegressor(loss="quantile", alpha=level, n_estimators=1)
            start = peer.fit(X, y, sample_weight=weights).init_.constant_.item()
            own = find_objective("quantile", quantile=level).start_scores(y, given)
            assert own[0] == start


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_first_partition_and_leaves_are_those_of_gradient_boosting(
    case: str, weighted: bool
) -> None:
    """Distinct values as bins: the first tree of depth 1 is theirs, splits and values."""
    params, _ = CASES[case]
    random = np.random.default_rng(2)
    X = random.integers(0, 20, size=(400, 3)).astype(np.float64)
    y = X[:, 0] * 0.3 + random.standard_t(3, size=400)
    weights = random.uniform(0.5, 2.0, size=400)
    given = weights if weighted else None
    names = {"absolute_error": "absolute_error", "huber": "huber"}
    alpha = params.get("quantile", params.get("huber_quantile", 0.9))
    peer = GradientBoostingRegressor(
        loss=names.get(params["objective"], "quantile"), alpha=alpha, n_estimators=1, max_depth=1
    ).fit(X, y, sample_weight=given)
    start = peer.init_.constant_.item()
    growth = {"max_leaves": 2, "min_samples_leaf": 1, "min_data_in_bin": 1, "reg_lambda": 0.0}
    growth |= {"leaf_rule": "friedman", "calibration_folds": 0, "base_score": start}
    model = ceiba.train({**params, **growth, "n_estimators": 1}, ceiba.Dataset(X, y, weight=given))
    np.testing.assert_allclose(model.predict(X), peer.predict(X), rtol=1e-9)
