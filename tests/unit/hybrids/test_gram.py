"""Losses from moments are those of models that are fitted to the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, Ridge

from ceiba.hybrids.gram import descended_losses, solved_losses

RANDOM = np.random.default_rng(5)
N, P = 300, 6


def case(collinear: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    X = RANDOM.normal(size=(N, P)) + RANDOM.normal(size=P)
    if collinear:
        X[:, 1] = X[:, 0]
        X[:, 2] = 4.0
    y = X @ RANDOM.normal(size=P) + RANDOM.normal(size=N)
    w = RANDOM.random(N) + 0.1
    part = np.column_stack([X, np.ones(N), y]) * np.sqrt(w)[:, None]
    return X, y, w, part.T @ part


def loss_of(model: Any, X: np.ndarray, y: np.ndarray, w: np.ndarray) -> float:
    model.fit(X, y, sample_weight=w)
    return float((w * (y - model.predict(X)) ** 2).sum())


@pytest.mark.parametrize("collinear", [False, True])
@pytest.mark.parametrize("alpha", [0.0, 0.5, 40.0])
def test_ridge(alpha: float, collinear: bool) -> None:
    cases = [case(collinear) for _ in range(4)]
    moments = np.stack([one[3] for one in cases])
    weights = np.array([one[2].sum() for one in cases])
    l2 = np.append(np.full(P, alpha), 0.0)
    losses = solved_losses(moments, l2, weights)
    model = Ridge(alpha=alpha) if alpha else LinearRegression()
    expected = [loss_of(model, *one[:3]) for one in cases]
    np.testing.assert_allclose(losses, expected, rtol=1e-7)


@pytest.mark.parametrize("collinear", [False, True])
@pytest.mark.parametrize("alpha", [0.01, 0.3])
@pytest.mark.parametrize("ratio", [1.0, 0.4])
def test_lasso_and_elastic_net(alpha: float, ratio: float, collinear: bool) -> None:
    cases = [case(collinear) for _ in range(4)]
    moments = np.stack([one[3] for one in cases])
    weights = np.array([one[2].sum() for one in cases])[:, None]
    ones = np.ones((4, P))
    l1, l2 = alpha * ratio * weights * ones, alpha * (1 - ratio) * weights * ones
    losses = descended_losses(moments, l1, l2, np.zeros(P))
    model = (
        Lasso(alpha, tol=1e-9, max_iter=10**5)
        if ratio == 1.0
        else ElasticNet(alpha, l1_ratio=ratio, tol=1e-9, max_iter=10**5)
    )
    expected = [loss_of(model, *one[:3]) for one in cases]
    np.testing.assert_allclose(losses, expected, rtol=1e-4)


def test_a_model_without_error_has_no_loss() -> None:
    X = RANDOM.normal(size=(N, 2))
    part = np.column_stack([X, np.ones(N), X[:, 0]])
    losses = solved_losses((part.T @ part)[None], np.zeros(3), np.array([float(N)]))
    np.testing.assert_allclose(losses, 0.0, atol=1e-6)
