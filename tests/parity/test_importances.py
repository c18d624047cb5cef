"""Importances under a recipe are those of the library that it is named after."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ceiba import CeibaRegressor, Dataset, _core, train
from ceiba.model.importances import tree_importances
from ceiba.model.trees import Trees

pytestmark = pytest.mark.parity

GENERATOR = np.random.default_rng(5)
X = GENERATOR.integers(1, 40, size=(600, 5)).astype(float)
Y = X[:, 0] + (20 + X[:, 0]) * X[:, 1] / 40 + 9 * np.sin(X[:, 2] / 9) + GENERATOR.normal(size=600)


def test_xgboost():
    xgboost = pytest.importorskip("xgboost")
    settings = {"max_depth": 4, "tree_method": "exact", "base_score": 0.0}
    peer = xgboost.train(settings, xgboost.DMatrix(X, Y), 5)
    ours = train({"recipe": "xgboost", "split_method": "exact", **settings}, Dataset(X, Y), 5)
    for kind in ("weight", "gain", "cover", "total_gain", "total_cover"):
        scores = peer.get_score(importance_type=kind)
        expected = [scores.get(f"f{j}", 0.0) for j in range(5)]
        np.testing.assert_allclose(ours.feature_importances(kind), expected, rtol=1e-3)


def test_lightgbm():
    lightgbm = pytest.importorskip("lightgbm")
    settings = {"num_leaves": 15, "verbosity": -1, "min_data_in_leaf": 20}
    peer = lightgbm.train(settings, lightgbm.Dataset(X, Y), 5)
    ours = train({"recipe": "lightgbm", **settings}, Dataset(X, Y), 5)
    for kind in ("split", "gain"):
        expected = peer.feature_importance(kind)
        np.testing.assert_allclose(ours.feature_importances(kind), expected, rtol=1e-4)


def test_scikit_learn():
    from sklearn.ensemble import GradientBoostingRegressor

    peer = GradientBoostingRegressor(n_estimators=8).fit(X, Y)
    ours = CeibaRegressor(recipe="gbm", n_estimators=8, importance_type="impurity").fit(X, Y)
    np.testing.assert_allclose(ours.feature_importances_, peer.feature_importances_, rtol=1e-6)


def test_catboost(tmp_path):
    catboost = pytest.importorskip("catboost")
    peer = catboost.CatBoostRegressor(
        iterations=6, depth=3, verbose=0, allow_writing_files=False, random_seed=0
    ).fit(X, Y)
    peer.save_model(tmp_path / "model.json", format="json")
    trees = json.loads((tmp_path / "model.json").read_text())["oblivious_trees"]
    forest = _core.Forest(5, 1, _arrays(trees))
    expected = peer.get_feature_importance(type="PredictionValuesChange")
    sources = [(j,) for j in range(5)]
    found = tree_importances(Trees.of(forest), "prediction_values_change", sources)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def _arrays(trees):
    """Return symmetric trees of CatBoost as arrays: the first split decides the lowest bit."""
    nodes = {name: [] for name in ("feature", "threshold", "left", "right", "value", "count")}
    offsets = [0]
    for tree in trees:
        splits = tree["splits"][::-1]
        depth = len(splits)
        for node in range(2 ** (depth + 1) - 1):
            level = (node + 1).bit_length() - 1
            place = node + 1 - 2**level
            is_leaf = level == depth
            split = {} if is_leaf else splits[level]
            nodes["feature"].append(split.get("float_feature_index", -1))
            nodes["threshold"].append(split.get("border", 0.0))
            nodes["left"].append(-1 if is_leaf else 2 * node + 1)
            nodes["right"].append(-1 if is_leaf else 2 * node + 2)
            nodes["value"].append(tree["leaf_values"][place] if is_leaf else 0.0)
            nodes["count"].append(tree["leaf_weights"][place] if is_leaf else 0.0)
        offsets.append(len(nodes["feature"]))
    arrays = {"tree_offsets": offsets, **nodes}
    types = _core.tree_array_types()
    for name in types:
        if name not in arrays:
            arrays[name] = np.zeros(offsets[-1])
    return {name: np.asarray(arrays[name]).astype(types[name]) for name in types}
