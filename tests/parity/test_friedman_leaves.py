"""Leaves of classes are those of scikit-learn's GBM on the same rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier

from ceiba import Dataset, train

pytestmark = pytest.mark.parity

RANDOM = np.random.default_rng(0)
N_ROWS = 300
# One feature of two values: both libraries can only make the one split.
X = RANDOM.integers(0, 2, size=(N_ROWS, 1)).astype(np.float64)
WEIGHTS = RANDOM.gamma(2.0, size=N_ROWS)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["unweighted", "weighted"])
@pytest.mark.parametrize(
    ("loss", "objective", "n_classes"),
    [("log_loss", "softmax", 3), ("log_loss", "logistic", 2), ("exponential", "exponential", 2)],
)
def test_scores_after_some_rounds(loss: str, objective: str, n_classes: int, weights: Any) -> None:
    noise = RANDOM.random(N_ROWS)
    y = np.minimum((noise * n_classes + 0.7 * X[:, 0]).astype(np.int64), n_classes - 1)
    theirs = GradientBoostingClassifier(loss=loss, n_estimators=10, max_depth=1)
    theirs.fit(X, y, sample_weight=weights)
    given = {"n_estimators": 10, "max_depth": 1, "min_samples_leaf": 1, "min_child_weight": 0.0}
    ours = train(
        {"objective": objective, "leaf_rule": "friedman", "reg_lambda": 0.0, **given},
        Dataset(X, y.astype(np.float64), weight=weights),
    )
    decision, raw = theirs.decision_function(X), ours.predict_raw(X)
    if n_classes == 3:
        # Their start is centred, which changes no probability.
        raw = raw + (decision[:, :1] - raw[:, :1])
    np.testing.assert_allclose(raw, decision, rtol=1e-9, atol=1e-12)
    if n_classes == 3:
        newton = train(
            {"objective": objective, "reg_lambda": 0.0, **given},
            Dataset(X, y.astype(np.float64), weight=weights),
        )
        one, other = (model.forest.arrays()["value"][:3] for model in (newton, ours))
        np.testing.assert_allclose(other, one * 2.0 / 3.0, rtol=1e-12)
