"""Linear models are those of scikit-learn, whatever the units of the columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, Lasso, LinearRegression, LogisticRegression, Ridge

from ceiba.hybrids.linear_models import Penalty, fit_logistic, fit_regression

RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(80, 3)) * [1.0, 20.0, 0.1]
Y = X @ [1.0, 0.05, -4.0] + RANDOM.normal(size=80)
WEIGHTS = RANDOM.integers(1, 4, size=80).astype(float)
MEANS, SCALES = X.mean(axis=0), X.std(axis=0)


def penalty(name: Any, strength: float, *, standardized: bool) -> Penalty:
    return Penalty(name, strength, 0.3, 10_000, standardized)


@pytest.mark.parametrize("standardized", [True, False])
@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("none", LinearRegression()),
        ("ridge", Ridge(alpha=2.0)),
        ("lasso", Lasso(alpha=0.05)),
        ("elasticnet", ElasticNet(alpha=0.05, l1_ratio=0.3)),
    ],
)
def test_numbers_are_those_of_scikit_learn(name: str, model: Any, standardized: bool) -> None:
    strength = getattr(model, "alpha", 0.0)
    own = fit_regression(
        X - MEANS, Y, WEIGHTS, penalty(name, strength, standardized=standardized), SCALES
    )
    seen = (X - MEANS) / (SCALES if standardized else 1.0)
    model.fit(seen, Y, sample_weight=WEIGHTS)
    np.testing.assert_allclose(own.scores(X - MEANS)[:, 0], model.predict(seen), rtol=1e-9)
    zero = own.intercepts(MEANS)[0] + X @ own.coefficients[0]
    np.testing.assert_allclose(zero, model.predict(seen), rtol=1e-7)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(("name", "strength"), [("none", 0.0), ("ridge", 2.0)])
def test_classes_are_those_of_scikit_learn(name: str, strength: float, n_classes: int) -> None:
    target = np.digitize(Y, np.quantile(Y, np.arange(1, n_classes) / n_classes)).astype(float)
    chosen = penalty(name, strength, standardized=True)
    own = fit_logistic(X - MEANS, target, WEIGHTS, chosen, SCALES)
    seen = (X - MEANS) / SCALES
    inverse = 1 / strength if strength else np.inf
    model = LogisticRegression(C=inverse, max_iter=10_000).fit(seen, target, WEIGHTS)
    assert own.coefficients.shape == (1 if n_classes == 2 else n_classes, 3)
    scores = own.scores(X - MEANS)
    expected = model.decision_function(seen).reshape(len(X), -1)
    np.testing.assert_allclose(scores, expected, rtol=1e-6, atol=1e-8)


def test_a_strong_lasso_of_classes_leaves_no_coefficient() -> None:
    target = (Y > 0).astype(float)
    chosen = Penalty("lasso", 1e4, 1.0, 1000, True)
    own = fit_logistic(X - MEANS, target, WEIGHTS, chosen, SCALES)
    assert not own.coefficients.any()


def test_no_columns_leave_the_mean() -> None:
    own = fit_regression(np.empty((80, 0)), Y, WEIGHTS, penalty("ridge", 1.0, standardized=True),
                      np.empty(0))  # fmt: skip
    np.testing.assert_allclose(own.scores(np.empty((2, 0))), np.average(Y, weights=WEIGHTS))
