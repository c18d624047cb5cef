from __future__ import annotations

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeRegressor

import ceiba
from ceiba.errors import InvalidInputError

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(200, 3))
Y = X[:, 0] + X[:, 1] * X[:, 2]
CLASSES = np.array(["low", "middle", "high"])[np.digitize(Y, [-0.5, 0.5])]


@pytest.mark.parametrize(
    "kind", [RandomForestRegressor, ExtraTreesRegressor, DecisionTreeRegressor, ExtraTreeRegressor]
)
def test_regression(kind):
    given = {"n_estimators": 5} if "Trees" in kind.__name__ or "Forest" in kind.__name__ else {}
    original = kind(random_state=0, **given).fit(X, Y)
    model = ceiba.from_model(original)
    assert model.predict(X) == pytest.approx(original.predict(X), rel=1e-14)
    assert model.tree_weights.mean
    assert model.classes is None


@pytest.mark.parametrize("y", [CLASSES, CLASSES == "low"])
@pytest.mark.parametrize("kind", [RandomForestClassifier, DecisionTreeClassifier])
def test_classes(kind, y):
    original = kind(random_state=0, max_depth=4).fit(X, y)
    model = ceiba.from_model(original)
    assert model.predict_proba(X) == pytest.approx(original.predict_proba(X), abs=1e-15)
    assert model.classes.tolist() == original.classes_.tolist()


def test_missing_values():
    holes = X.copy()
    holes[::5, 0] = np.nan
    original = DecisionTreeRegressor(max_depth=5).fit(holes, Y)
    assert (ceiba.from_model(original).predict(holes) == original.predict(holes)).all()


def test_values_that_float32_rounds_to_a_threshold():
    original = DecisionTreeRegressor().fit(X, Y)
    model = ceiba.from_model(original)
    tree = original.tree_
    for feature, threshold in zip(tree.feature, tree.threshold, strict=True):
        if feature >= 0:
            rows = np.repeat(X[:1], 5, axis=0)
            near = np.float64(np.float32(threshold))
            rows[:, feature] = [
                threshold, near, (near + threshold) / 2, near * (1 + 4e-8), near * (1 - 4e-8),
            ]  # fmt: skip
            assert (model.predict(rows) == original.predict(rows)).all()


def test_several_targets():
    both = np.column_stack([Y, -Y])
    original = RandomForestRegressor(5, random_state=0).fit(X, both)
    assert ceiba.from_model(original).predict(X) == pytest.approx(original.predict(X))
    with pytest.raises(InvalidInputError, match="one target"):
        ceiba.from_model(RandomForestClassifier(2).fit(X, np.column_stack([CLASSES, CLASSES])))


def test_one_class():
    with pytest.raises(InvalidInputError, match="two classes"):
        ceiba.from_model(DecisionTreeClassifier().fit(X, np.zeros(200)))


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"init": "zero"},
        {"init": DummyRegressor(strategy="constant", constant=3.0)},
        {"loss": "huber"},
        {"loss": "quantile", "alpha": 0.2},
        {"loss": "absolute_error"},
    ],
)
def test_gradient_boosting(given):
    original = GradientBoostingRegressor(n_estimators=5, random_state=0, **given).fit(X, Y)
    model = ceiba.from_model(original)
    assert (model.predict(X) == original.predict(X)).all()
    assert model.parameters["learning_rate"] == 0.1


@pytest.mark.parametrize("loss", ["log_loss", "exponential"])
def test_gradient_boosting_of_classes(loss):
    y = CLASSES if loss == "log_loss" else CLASSES == "low"
    original = GradientBoostingClassifier(n_estimators=5, loss=loss, random_state=0).fit(X, y)
    model = ceiba.from_model(original)
    assert model.predict_proba(X) == pytest.approx(original.predict_proba(X), abs=1e-15)


def test_gradient_boosting_that_starts_from_a_model():
    original = GradientBoostingRegressor(n_estimators=2, init=LinearRegression()).fit(X, Y)
    with pytest.raises(InvalidInputError, match="starts from a constant"):
        ceiba.from_model(original)


def test_gains_are_those_of_importances():
    original = DecisionTreeRegressor(max_depth=4).fit(X, Y)
    ours = ceiba.from_model(original).feature_importances(kind="mdi")
    assert ours == pytest.approx(original.feature_importances_)
