from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

import ceiba

RANDOM = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "size": RANDOM.normal(size=300),
        "color": pd.Categorical(RANDOM.choice(["blue", "green", "red"], 300)),
        "age": RANDOM.integers(0, 9, 300).astype(float),
        "code": pd.Categorical(RANDOM.choice([7, 3, 11], 300)),
    }
)
FRAME.loc[::7, "size"] = np.nan
Y = FRAME["size"].fillna(0.0) + FRAME["age"] * (FRAME["color"] == "red")


@pytest.mark.parametrize(
    "loss", ["squared_error", "absolute_error", "quantile", "poisson", "gamma"]
)
def test_regression(loss):
    X = FRAME[["size", "age"]]
    y = Y - Y.min() + 1.0
    given = {"quantile": 0.3} if loss == "quantile" else {}
    original = HistGradientBoostingRegressor(max_iter=5, loss=loss, **given).fit(X, y)
    model = ceiba.from_model(original)
    assert model.predict(X) == pytest.approx(original.predict(X), rel=1e-14)
    assert (model.predict_raw(X) == original._raw_predict(X)[:, 0]).all()


def test_categories_missing_values_and_unseen_ones():
    original = HistGradientBoostingRegressor(max_iter=20, categorical_features="from_dtype")
    original.fit(FRAME, Y)
    model = ceiba.from_model(original)
    assert model.schema.levels_of("color") == ("blue", "green", "red")
    assert model.schema.levels_of("code") == (3, 7, 11)
    assert (model.predict(FRAME) == original.predict(FRAME)).all()
    other = FRAME.copy()
    other["color"] = pd.Categorical(RANDOM.choice(["black", "green", "red"], 300))
    other.loc[::3, "color"] = None
    assert (model.predict(other) == original.predict(other)).all()


def test_categories_as_codes():
    X = np.column_stack([FRAME["size"], FRAME["age"]])
    original = HistGradientBoostingRegressor(max_iter=10, categorical_features=[1]).fit(X, Y)
    model = ceiba.from_model(original)
    assert (model.predict(X) == original.predict(X)).all()


def test_categories_that_only_held_out_rows_have():
    X = FRAME[["color", "age"]].astype({"color": object})
    X.loc[0, "color"] = "rare"
    original = HistGradientBoostingClassifier(
        max_iter=10, early_stopping=True, random_state=0, categorical_features=[0]
    )
    original.fit(X.astype({"color": "category"}), Y > 1)
    model = ceiba.from_model(original)
    X = X.astype({"color": "category"})
    assert model.predict_proba(X) == pytest.approx(original.predict_proba(X), abs=1e-15)


def test_classes():
    y = np.digitize(Y, [0.0, 2.0])
    X = FRAME[["size", "age"]]
    original = HistGradientBoostingClassifier(max_iter=5).fit(X, y)
    model = ceiba.from_model(original)
    assert model.predict_proba(X) == pytest.approx(original.predict_proba(X), abs=1e-15)
    assert model.classes.tolist() == [0, 1, 2]
