from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeRegressor

import ceiba
from ceiba.errors import InvalidInputError, InvalidTypeError, LoadError

RANDOM = np.random.default_rng(0)
X = pd.DataFrame({"a": RANDOM.normal(size=300), "b": RANDOM.normal(size=300)})
Y = X["a"] + X["b"] * (X["a"] > 0)
CLASSES = np.where(Y > 0, "yes", "no")


def test_lightgbm_estimators():
    lightgbm = pytest.importorskip("lightgbm")
    original = lightgbm.LGBMClassifier(n_estimators=5, verbose=-1).fit(X, CLASSES)
    model = ceiba.from_model(original)
    assert model.classes.tolist() == ["no", "yes"]
    assert model.predict_proba(X) == pytest.approx(original.predict_proba(X), abs=1e-15)
    stopped = lightgbm.LGBMRegressor(n_estimators=500, verbose=-1, learning_rate=0.5)
    stopped.fit(
        X[:150], Y[:150], eval_X=X[150:], eval_y=Y[150:],
        callbacks=[lightgbm.early_stopping(5, verbose=False)],
    )  # fmt: skip
    model = ceiba.from_model(stopped)
    assert model.n_iterations == stopped.best_iteration_ < 500
    assert (model.predict(X) == stopped.predict(X)).all()
    ranker = lightgbm.LGBMRanker(n_estimators=5, verbose=-1)
    ranker.fit(X, np.digitize(Y, [0.0, 1.0]), group=[100, 200])
    assert (ceiba.from_model(ranker).predict(X) == ranker.predict(X)).all()


def test_xgboost_estimators():
    xgboost = pytest.importorskip("xgboost")
    original = xgboost.XGBClassifier(n_estimators=5).fit(X, CLASSES == "yes")
    model = ceiba.from_model(original)
    assert model.predict_proba(X) == pytest.approx(original.predict_proba(X), abs=1e-6)
    assert model.classes.tolist() == [0, 1]
    stopped = xgboost.XGBRegressor(n_estimators=500, early_stopping_rounds=5, learning_rate=0.5)
    stopped.fit(X[:150], Y[:150], eval_set=[(X[150:], Y[150:])], verbose=False)
    model = ceiba.from_model(stopped)
    assert model.n_iterations == stopped.best_iteration + 1 < 500
    assert model.predict(X) == pytest.approx(stopped.predict(X), abs=1e-5)
    assert model.parameters["learning_rate"] == 0.5


def test_catboost_estimators():
    catboost = pytest.importorskip("catboost")
    quiet = {"iterations": 5, "verbose": 0, "allow_writing_files": False}
    original = catboost.CatBoostClassifier(**quiet).fit(X, CLASSES)
    model = ceiba.from_model(original)
    assert model.classes.tolist() == ["no", "yes"]
    assert model.predict_proba(X) == pytest.approx(original.predict_proba(X), abs=1e-15)
    named = X.assign(name=CLASSES)
    original = catboost.CatBoostRegressor(cat_features=["name"], one_hot_max_size=5, **quiet)
    original.fit(named, Y)
    with pytest.raises(LoadError, match="rows that have all categories"):
        ceiba.from_model(original)
    for rows in (named, catboost.Pool(named, cat_features=["name"])):
        model = ceiba.from_model(original, rows)
        assert model.predict(named) == pytest.approx(original.predict(named), abs=1e-12)


def test_models_of_ceiba_are_returned():
    model = ceiba.train({"n_estimators": 2}, ceiba.Dataset(X, Y))
    assert ceiba.from_model(model) is model
    estimator = ceiba.CeibaRegressor(n_estimators=2).fit(X, Y)
    assert ceiba.from_model(estimator) is estimator.model_


def test_models_that_are_not_fitted():
    given = [HistGradientBoostingRegressor(), RandomForestRegressor(), DecisionTreeRegressor()]
    given += [
        getattr(pytest.importorskip(library), f"{short}Regressor")()
        for library, short in (("lightgbm", "LGBM"), ("xgboost", "XGB"), ("catboost", "CatBoost"))
    ]
    for model in given:
        with pytest.raises(InvalidInputError, match="not fitted"):
            ceiba.from_model(model)


@pytest.mark.parametrize("model", [None, 3, "model.txt", object()])
def test_other_objects(model):
    with pytest.raises(InvalidTypeError, match="from_model takes"):
        ceiba.from_model(model)


def test_other_estimators():
    pipeline = make_pipeline(DecisionTreeRegressor()).fit(X, Y)
    for model in (LinearRegression().fit(X, Y), pipeline):
        with pytest.raises(InvalidTypeError, match="pipeline"):
            ceiba.from_model(model)
    lightgbm = pytest.importorskip("lightgbm")
    with pytest.raises(InvalidTypeError):
        ceiba.from_model(lightgbm.Dataset(X))
    xgboost = pytest.importorskip("xgboost")
    with pytest.raises(InvalidTypeError):
        ceiba.from_model(xgboost.DMatrix(X))
    catboost = pytest.importorskip("catboost")
    with pytest.raises(InvalidTypeError):
        ceiba.from_model(catboost.Pool(X))


def test_imported_models_are_explained_refitted_and_trained_further():
    original = HistGradientBoostingRegressor(max_iter=20).fit(X, Y)
    model = ceiba.from_model(original)
    explanation = model.explain(X)
    assert explanation.base_values + explanation.values.sum(axis=1) == pytest.approx(
        model.predict(X)
    )
    rows = ceiba.Dataset(X, Y)
    longer = ceiba.train({"n_estimators": 20}, rows, init_model=model)
    assert longer.n_iterations == 40
    assert longer.evaluate(rows, metric="rmse") < model.evaluate(rows, metric="rmse")
    fresh = ceiba.refit(model, ceiba.Dataset(X, Y + 10.0), decay_rate=0.0)
    assert abs(fresh.predict(X).mean() - Y.mean() - 10.0) < 1.5
    assert model.trees_to_frame().shape[0] == model.trees().n_nodes
