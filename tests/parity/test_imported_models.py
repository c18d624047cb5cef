"""Imported models predict and explain as the libraries that made them, on the public tables."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import numpy as np
import pytest
from foreign_cases import (
    CATBOOST,
    LIGHTGBM,
    SKLEARN,
    XGBOOST,
    lightgbm_original,
    table,
    xgboost_original,
)

import ceiba

pytestmark = pytest.mark.parity

#: XGBoost adds leaf values as float32.
_RELATIVE = 1e-6
_SHAP = 1e-5


def same(ours, theirs, tolerance):
    """Compare arrays, with a tolerance relative to the largest number."""
    ours, theirs = np.asarray(ours, dtype=np.float64), np.asarray(theirs, dtype=np.float64)
    assert ours.shape == theirs.shape
    difference = np.abs(ours - theirs).max() / max(1e-300, np.abs(theirs).max())
    assert difference <= tolerance, difference


def same_file(model):
    """The imported model survives ceiba's own file format."""
    file = io.BytesIO()
    model.save(file)
    again = ceiba.load_model(io.BytesIO(file.getvalue()))
    assert again.fingerprint() == model.fingerprint()


@pytest.mark.parametrize("name", LIGHTGBM)
def test_lightgbm(name, data_folder, tmp_path):
    pytest.importorskip("lightgbm")
    original = lightgbm_original(name, data_folder)
    path = tmp_path / "model.txt"
    original.model.save_model(path)
    model = ceiba.load_model(path)
    assert ceiba.from_model(original.model).fingerprint() == model.fingerprint()
    same_file(model)
    raw = original.model.predict(original.X, raw_score=True)
    # LightGBM's raw scores of a forest are sums; ceiba's scores of classes are log-odds.
    factor = {"random forest": 1.0 / model.n_iterations, "dart": 0.7}.get(name, 1.0)
    if factor != 1.0 or name == "linear trees, missing":
        same(model.predict_raw(original.X), factor * raw, 1e-14)
    else:
        assert (model.predict_raw(original.X) == raw).all()
    same(model.predict(original.X), original.prediction, 1e-14)
    if original.contributions is not None:
        same(model.predict(original.X, pred_contrib=True), original.contributions, _SHAP)


@pytest.mark.parametrize("name", XGBOOST)
@pytest.mark.parametrize("extension", ["json", "ubj"])
def test_xgboost(name, extension, data_folder, tmp_path):
    pytest.importorskip("xgboost")
    original = xgboost_original(name, data_folder)
    path = tmp_path / f"model.{extension}"
    original.model.save_model(path)
    model = ceiba.load_model(path)
    assert ceiba.from_model(original.model).fingerprint() == model.fingerprint()
    same_file(model)
    same(*_of_xgboost(model, original.X, original.prediction), _RELATIVE)
    if original.contributions is not None:
        same(model.predict(original.X, pred_contribs=True), original.contributions, _SHAP)


def _of_xgboost(model, X, prediction):
    """Predictions of ceiba and XGBoost in comparable form.

    ceiba's quantiles do not cross. An error of a raw score in float32 is one of the logarithm of a
    prediction.
    """
    ours = model.predict(X)
    if model.objective.link.name == "sorted":
        return ours, np.sort(prediction, axis=1)
    if model.objective.link.name == "log":
        return np.log(ours), np.log(prediction)
    return ours, prediction


@pytest.mark.parametrize("name", SKLEARN)
def test_sklearn(name, data_folder):
    original = SKLEARN[name](data_folder)
    model = ceiba.from_model(original.model)
    same_file(model)
    is_classifier = hasattr(original.model, "classes_")
    ours = (model.predict_proba if is_classifier else model.predict)(original.X)
    is_double = not is_classifier and "forest" not in name
    same(ours, original.prediction, 0.0 if is_double else 1e-14)
    if original.contributions == "shap":
        same(*_against_shap(original.model, model, original.X.iloc[:100]), _SHAP)


def _against_shap(original, model, X):
    """SHAP values of ceiba and of shap.TreeExplainer, in the shape of ceiba's."""
    shap = pytest.importorskip("shap")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = np.asarray(shap.TreeExplainer(original).shap_values(X, check_additivity=False))
    except shap.utils._exceptions.InvalidModelError:
        pytest.skip("shap cannot explain this model")
    ours = model.explain(X).values
    if theirs.ndim == 3 and ours.ndim == 2:
        theirs = theirs[:, :, 1]  # of two classes
    return ours, theirs


@pytest.mark.parametrize("name", CATBOOST)
def test_catboost(name, data_folder, tmp_path):
    catboost = pytest.importorskip("catboost")
    original = CATBOOST[name](data_folder)
    path = tmp_path / "model.json"
    categorical = original.model.get_cat_feature_indices()
    pool = catboost.Pool(original.X, cat_features=categorical)
    original.model.save_model(str(path), format="json", pool=pool)
    model = ceiba.load_model(path)
    assert ceiba.from_model(original.model, original.X).fingerprint() == model.fingerprint()
    same_file(model)
    is_classifier = hasattr(original.model, "predict_proba")
    ours = (model.predict_proba if is_classifier else model.predict)(original.X)
    same(ours, original.prediction, 1e-14)
    explained = model.explain(original.X)
    theirs = original.contributions
    if theirs.ndim == 3:
        theirs = theirs.transpose(0, 2, 1)
    same(explained.values, theirs[:, :-1], _SHAP)
    base = explained.base_values if theirs.ndim == 3 else explained.base_values.reshape(-1)
    same(np.broadcast_to(base, theirs[:, -1].shape), theirs[:, -1], _SHAP)


FOREIGN = Path(__file__).parents[1] / "model_files" / "foreign"


@pytest.mark.parametrize("number", range(len(XGBOOST)))
@pytest.mark.parametrize("release", ["3_4"])
def test_xgboost_files_of_other_releases(release, number, data_folder):
    name = list(XGBOOST)[number]
    stored = np.load(FOREIGN / f"xgboost_{release}" / f"{number:02}.npz")
    model = ceiba.load_model(io.BytesIO(stored["model"].tobytes()))
    prediction = stored["prediction"]
    X = table(data_folder, XGBOOST[name][0]).X.iloc[: len(prediction)]
    same(*_of_xgboost(model, X, prediction), _RELATIVE)
    if "contributions" in stored:
        same(model.predict(X, pred_contribs=True), stored["contributions"], _SHAP)
