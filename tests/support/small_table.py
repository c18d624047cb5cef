"""A small table with targets for regressors and classifiers, and quick estimators for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ceiba import CeibaClassifier, CeibaRegressor

_RANDOM = np.random.default_rng(0)
X = _RANDOM.normal(size=(400, 4))
Y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * _RANDOM.normal(size=400)
BINARY = np.where(Y > 0, "yes", "no")
THREE = np.array(["low", "mid", "top"])[np.digitize(Y, [-0.5, 0.5])]
FRAME = pd.DataFrame(X, columns=["a", "b", "c", "d"])


def regressor(**given: Any) -> CeibaRegressor:
    return CeibaRegressor(**{"n_estimators": 10, "n_jobs": 1, **given})


def classifier(**given: Any) -> CeibaClassifier:
    return CeibaClassifier(**{"n_estimators": 10, "n_jobs": 1, **given})
