"""Words of scikit-learn that single trees and forests share."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from ceiba import CeibaForestClassifier, CeibaForestRegressor
from ceiba.estimators.criteria import OF_CLASSES, gain_in_impurity, node_columns


def test_impurities_are_those_of_scikit_learn() -> None:
    assert gain_in_impurity("gini", 2, 1) == 2.0
    assert gain_in_impurity("gini", 3, 1) == 1.0
    assert gain_in_impurity("entropy", 2, 1) == pytest.approx(1 / np.log(2))
    assert gain_in_impurity("squared_error", 0, 4) == 0.25


@pytest.mark.parametrize(("given", "expected"), [(None, 1.0), (1, 1e-9), (3, 3), ("sqrt", "sqrt")])
def test_columns_of_a_node(given, expected) -> None:
    assert node_columns(given) == expected


@pytest.mark.parametrize("criterion", [*OF_CLASSES, "squared_error"])
def test_decreases_of_forests_are_those_of_scikit_learn(criterion) -> None:
    random = np.random.default_rng(4)
    X = random.integers(0, 30, (400, 3)).astype(float)
    y = (X[:, 0] + X[:, 1] + random.normal(scale=8, size=400) > 30).astype(int)
    numbers = criterion == "squared_error"
    ours, theirs = (
        (CeibaForestRegressor, DecisionTreeRegressor)
        if numbers
        else (CeibaForestClassifier, DecisionTreeClassifier)
    )
    shared = {"criterion": criterion, "min_impurity_decrease": 0.01, "max_features": None}
    tree = theirs(random_state=0, **shared).fit(X, y)
    grown = ours(n_estimators=1, max_samples=1.0, bootstrap=False, n_jobs=1, **shared).fit(X, y)
    assert (grown.model_.forest.arrays()["left"] < 0).sum() == tree.get_n_leaves()
