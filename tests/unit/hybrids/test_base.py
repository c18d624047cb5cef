"""What all hybrids share: tables, missing values, one model, files, parameters."""

from __future__ import annotations

import io
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hybrid_cases import CLASSIFIERS, HYBRIDS, mixed_frame, mixed_target, target_for
from sklearn.base import clone

import ceiba
from ceiba.errors import CeibaError, InvalidParameterError, LoadError, ModelFileError

FRAME = mixed_frame()
Y = mixed_target(FRAME)
EACH = pytest.mark.parametrize("hybrid", HYBRIDS, ids=lambda one: type(one).__name__)


def answers(hybrid: Any, X: Any) -> np.ndarray:
    return hybrid.predict_proba(X) if hasattr(hybrid, "predict_proba") else hybrid.predict(X)


@EACH
@pytest.mark.threads
def test_one_model_whatever_threads_and_order(hybrid: Any) -> None:
    target = target_for(hybrid, Y)
    weights = np.random.default_rng(2).integers(0, 3, size=len(Y))
    order = np.random.default_rng(3).permutation(len(Y))
    repeated = np.repeat(order, weights[order])
    fits = [
        clone(hybrid).set_params(n_jobs=1).fit(FRAME, target, weights),
        clone(hybrid).set_params(n_jobs=3).fit(FRAME, target, weights),
        clone(hybrid).fit(FRAME.iloc[order], target[order], weights[order]),
        clone(hybrid).fit(FRAME.iloc[repeated], target[repeated]),
    ]
    assert len({one.fingerprint() for one in fits}) == 1


@EACH
def test_files_and_pickles_keep_everything(hybrid: Any, tmp_path: Any) -> None:
    fitted = clone(hybrid).fit(FRAME, target_for(hybrid, Y))
    fitted.save_model(tmp_path / "model.ceiba")
    loaded = type(hybrid)().load_model(tmp_path / "model.ceiba")
    copied = pickle.loads(pickle.dumps(fitted))
    later = mixed_frame(seed=9)
    for other in (loaded, copied):
        assert answers(other, later).tobytes() == answers(fitted, later).tobytes()
        assert other.fingerprint() == fitted.fingerprint()
        assert other.summary() == fitted.summary()
        assert other.feature_names_in_.tolist() == fitted.feature_names_in_.tolist()
    file = io.BytesIO()
    loaded.save_model(file)
    again = type(hybrid)().load_model(io.BytesIO(file.getvalue()))
    assert again.fingerprint() == fitted.fingerprint()


def test_files_of_other_kinds_say_how_to_load_them(tmp_path: Any) -> None:
    path = tmp_path / "tree.ceiba"
    ceiba.LinearTreeRegressor().fit(FRAME, Y).save_model(path)
    with pytest.raises(LoadError, match=r"ceiba\.LinearTreeRegressor\(\)\.load_model"):
        ceiba.load_model(path)
    with pytest.raises(LoadError, match=r"holds a LinearTreeRegressor"):
        ceiba.BoostedLinearRegressor().load_model(path)
    ceiba.train({"n_estimators": 1}, ceiba.Dataset(FRAME, Y)).save(path)
    with pytest.raises(LoadError, match=r"Use ceiba\.load_model"):
        ceiba.LinearTreeRegressor().load_model(path)
    path.write_bytes(b"something else")
    with pytest.raises(ModelFileError):
        ceiba.LinearTreeRegressor().load_model(path)


@EACH
def test_missing_values_and_new_levels_are_predicted(hybrid: Any) -> None:
    fitted = clone(hybrid).fit(FRAME, target_for(hybrid, Y))
    later = pd.DataFrame(
        {"age": [np.nan, 40.0], "income": [np.nan, 1e6], "city": ["bonn", None], "same": [3.0, 9.0]}
    )
    later["twice"] = [np.nan, 80.0]
    assert np.isfinite(answers(fitted, later)).all()


@EACH
def test_odd_tables_are_learned_from(hybrid: Any) -> None:
    random = np.random.default_rng(4)
    y = random.normal(size=12)
    wide = random.normal(size=(12, 30))
    cases = {
        "fewer rows than columns": wide,
        "constant columns": np.ones((12, 2)),
        "collinear columns": np.column_stack([wide[:, 0]] * 4),
        "a column that is always missing": np.column_stack([wide[:, 0], np.full(12, np.nan)]),
    }
    for X in cases.values():
        fitted = clone(hybrid).fit(X, target_for(hybrid, y))
        assert np.isfinite(answers(fitted, X)).all()


@pytest.mark.parametrize("hybrid", CLASSIFIERS, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_probabilities(hybrid: Any, n_classes: int) -> None:
    target = target_for(hybrid, Y, n_classes)
    fitted = clone(hybrid).fit(FRAME, target)
    probabilities = fitted.predict_proba(FRAME)
    assert probabilities.shape == (len(Y), n_classes)
    assert (probabilities >= 0).all()
    assert (probabilities <= 1).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    assert fitted.score(FRAME, target) > 0.8
    picked = fitted.classes_[probabilities.argmax(axis=1)]
    np.testing.assert_array_equal(fitted.predict(FRAME), picked)
    assert fitted.predict_log_proba(FRAME).shape == probabilities.shape


@EACH
def test_a_target_may_be_named(hybrid: Any) -> None:
    target = target_for(hybrid, Y)
    named = clone(hybrid).fit(FRAME.assign(y=target), "y")
    assert named.fingerprint() == clone(hybrid).fit(FRAME, target).fingerprint()
    assert named.score(FRAME.assign(y=target), "y") == named.score(FRAME, target)


@EACH
def test_one_row_by_itself_and_no_rows_are_predicted(hybrid: Any) -> None:
    """As all other estimators do; services ask for one row, and filters may leave none."""
    fitted = clone(hybrid).fit(FRAME, target_for(hybrid, Y))
    for place in (0, 3, 17):
        row = FRAME.iloc[place]
        expected = answers(fitted, FRAME[place : place + 1])
        for given in (row.to_dict(), dict(reversed(row.to_dict().items())), row, row.tolist()):
            np.testing.assert_array_equal(answers(fitted, given), expected)
    expected, found = answers(fitted, FRAME), answers(fitted, FRAME[:0])
    assert (found.shape, found.dtype) == ((0, *expected.shape[1:]), expected.dtype)
    labels = fitted.predict(FRAME[:0])
    assert (labels.shape, labels.dtype) == ((0,), fitted.predict(FRAME).dtype)
    with pytest.warns(UserWarning, match="feature names"):
        assert fitted.predict(FRAME.to_numpy()[:0]).shape == (0,)


@EACH
def test_linear_features_are_those_of_the_linear_part(hybrid: Any) -> None:
    fitted = clone(hybrid).set_params(linear_features=["income", 2])
    fitted.fit(FRAME, target_for(hybrid, Y))
    named = set(fitted.coefficients_["column"])
    assert named == {"(intercept)", "income", "city=lima", "city=oslo", "city=rome"}


@EACH
def test_parameters_are_checked_by_name(hybrid: Any) -> None:
    wrong = {
        "penalty": "l3", "l1_ratio": 2.0, "standardize": "yes", "linear_max_iter": 0,
        "min_samples_leaf": 0, "max_depth": -1, "n_jobs": 0, "linear_features": "age",
        "categorical_features": "city",
    }  # fmt: skip
    for name, value in wrong.items():
        with pytest.raises(InvalidParameterError, match=name):
            clone(hybrid).set_params(**{name: value}).fit(FRAME, target_for(hybrid, Y))
    with pytest.raises(InvalidParameterError, match=r"linear_features.*'agee'"):
        clone(hybrid).set_params(linear_features=["agee"]).fit(FRAME, target_for(hybrid, Y))
    with pytest.raises(CeibaError, match="not fitted yet"):
        clone(hybrid).predict(FRAME)


def test_weights_that_add_up_to_one_still_grow_trees() -> None:
    weights = np.full(len(Y), 1.0 / len(Y))
    forest = ceiba.EnhancedForestRegressor(n_estimators=2).fit(FRAME, Y, weights)
    assert forest.forest_.trees_to_frame().shape[0] > 50
