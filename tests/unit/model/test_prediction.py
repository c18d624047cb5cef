"""Prediction methods of a model; ``test_model.py`` and ``test_predict.py`` test the numbers."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba import CeibaClassifier, CeibaRegressor
from ceiba.errors import InvalidParameterError


def test_probabilities_of_a_model() -> None:
    X = np.random.default_rng(0).normal(size=(90, 3))
    for n_classes in (2, 3):
        y = np.digitize(X[:, 0], [0.0, 0.8][: n_classes - 1])
        fitted = CeibaClassifier(n_estimators=4, min_samples_leaf=5).fit(X, y)
        found = fitted.model_.predict_proba(X, iteration_range=(0, 3))
        assert found.shape == (90, n_classes)
        np.testing.assert_array_equal(found, fitted.predict_proba(X, iteration_range=(0, 3)))
    with pytest.raises(InvalidParameterError, match="need a model that predicts classes"):
        CeibaRegressor(n_estimators=1).fit(X, X[:, 0]).model_.predict_proba(X)
