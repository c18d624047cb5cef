"""Nodes of one tree predict what a model of that tree alone predicts."""

from __future__ import annotations

import numpy as np
import pytest

import ceiba
from ceiba.errors import CeibaError
from ceiba.model.tree_nodes import read_tree

RANDOM = np.random.default_rng(5)
X = RANDOM.normal(size=(300, 3))


@pytest.mark.parametrize(
    "settings",
    [
        {"objective": "squared_error"},
        {"objective": "poisson"},
        {"objective": "logistic"},
        {"objective": "softmax", "multi_strategy": "vector_leaf"},
        {"objective": "gini", "recipe": "forest", "multi_strategy": "vector_leaf"},
        {"objective": "squared_error", "recipe": "forest"},
        {"objective": "quantile", "quantile": [0.1, 0.9]},
    ],
    ids=lambda settings: f"{settings['objective']} {settings.get('recipe', '')}",
)
def test_prediction_of_a_tree_alone(settings: dict[str, object]) -> None:
    y = np.digitize(X[:, 0] + X[:, 1], [-1.0, 1.0]).astype(float)
    y = (y > 1).astype(float) if settings["objective"] == "logistic" else y
    model = ceiba.train({"n_estimators": 4, **settings}, ceiba.Dataset(X, y))
    for tree in range(4):
        nodes = read_tree(model, tree)
        own = model.predict(X, iteration_range=(tree, tree + 1))
        found = nodes.prediction[model.apply(X)[:, tree]]
        found = found[:, 1] if settings["objective"] == "logistic" else found
        np.testing.assert_allclose(found, own, rtol=1e-12, atol=1e-12)
        assert nodes.leaves_below()[0] == (nodes.nodes.left < 0).sum()
        assert nodes.depth_below(0) == nodes.depth.max()


def test_trees_of_dart_count_what_they_count_in_the_model() -> None:
    settings = {"n_estimators": 6, "boosting": "dart", "drop_rate": 0.8}
    model = ceiba.train(settings, ceiba.Dataset(X, X[:, 0]))
    total = sum(
        read_tree(model, k).prediction[model.apply(X)[:, k]] - model.start_scores[0]
        for k in range(6)
    )
    np.testing.assert_allclose(total + model.start_scores[0], model.predict(X), rtol=1e-9)


def test_numbers_of_trees() -> None:
    model = ceiba.train({"n_estimators": 2}, ceiba.Dataset(X, X[:, 0]))
    with pytest.raises(CeibaError, match="tree must be"):
        read_tree(model, 2)
    with pytest.raises(CeibaError, match="no trees"):
        read_tree(model.truncate(0), 0)
