"""Weights of classes that other libraries find by themselves are the weights found here."""

from __future__ import annotations

from typing import Any

import catboost
import lightgbm
import numpy as np
import pytest

from ceiba.estimators.targets import weigh_classes
from ceiba.parameters.resolving import resolve

pytestmark = [pytest.mark.parity, pytest.mark.filterwarnings("ignore")]

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(500, 4))


def labels(shares: list[float]) -> np.ndarray:
    return np.digitize(X[:, 0] + RANDOM.normal(size=500), np.quantile(X[:, 0], shares)).astype(int)


def found(given: dict[str, Any], y: np.ndarray) -> np.ndarray:
    weights = weigh_classes(resolve(given).class_weight, np.unique(y), y.astype(float), None)
    assert weights is not None
    return weights


@pytest.mark.parametrize("share", [0.1, 0.9])
def test_is_unbalance_of_lightgbm(share: float) -> None:
    y = labels([share])
    # LightGBM leaves these weights out of the start score, which they are part of here.
    how = {"n_estimators": 5, "num_leaves": 7, "verbose": -1, "boost_from_average": False}
    own = lightgbm.LGBMClassifier(is_unbalance=True, **how).fit(X, y)
    weighed = lightgbm.LGBMClassifier(**how).fit(X, y, found({"is_unbalance": True}, y))
    np.testing.assert_allclose(own.predict_proba(X), weighed.predict_proba(X), rtol=1e-6)


@pytest.mark.parametrize("word", ["Balanced", "SqrtBalanced"])
@pytest.mark.parametrize("shares", [[0.1], [0.1, 0.4]], ids=["two", "three"])
def test_auto_class_weights_of_catboost(word: str, shares: list[float]) -> None:
    y = labels(shares)
    how = {"iterations": 5, "depth": 3, "silent": True, "allow_writing_files": False}
    own = catboost.CatBoostClassifier(auto_class_weights=word, **how).fit(X, y)
    weights = found({"auto_class_weights": word}, y)
    by_class = [weights[y == label][0] for label in np.unique(y)]
    np.testing.assert_allclose(own.get_all_params()["class_weights"], by_class, rtol=1e-6)
