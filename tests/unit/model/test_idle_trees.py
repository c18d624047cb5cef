"""Rounds that are filled up with trees that add nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ceiba
from ceiba import Dataset
from ceiba.model.idle_trees import with_further_rounds, with_idle_tree

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(200, 3))
Y = X[:, 0] + X[:, 1]
KINDS: dict[str, dict[str, Any]] = {
    "constant": {},
    "linear": {"leaf_model": "linear"},
    "classes": {"objective": "softmax", "n_classes": 3},
    "vector": {"objective": "softmax", "n_classes": 3, "multi_strategy": "vector_leaf"},
}


def rows(kind: str) -> Dataset:
    return Dataset(X, np.digitize(Y, [-1, 1]) if "n_classes" in KINDS[kind] else Y)


def trained(kind: str, **more: Any) -> Any:
    return ceiba.train({"n_estimators": 3, "subsample": 0.7, **KINDS[kind], **more}, rows(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_further_rounds_of_fewer_trees(kind: str) -> None:
    before, after = trained(kind, num_parallel_tree=3), trained(kind, random_state=1)
    forest = with_further_rounds(before.forest, after.forest)
    assert (forest.n_parallel, forest.n_iterations) == (3, 6)
    model = ceiba.train(
        {"n_estimators": 3, "subsample": 0.7, **KINDS[kind]}, rows(kind), init_model=before
    )
    assert model.n_iterations == 6
    np.testing.assert_array_equal(model.truncate(3).predict(X), before.predict(X))
    shown = model.predict_raw(X) - before.predict_raw(X)
    assert np.abs(shown).max() > 0


def test_an_idle_tree_adds_nothing() -> None:
    trees = with_idle_tree(trained("constant").trees())
    assert trees.n_trees == 4
    assert not trees.value[-1].any()
    assert trees.feature[-1] == -1


def test_more_trees_per_round_are_refused() -> None:
    with pytest.raises(ceiba.CeibaError, match="grows 1 trees"):
        ceiba.train(
            {"n_estimators": 3, "subsample": 0.7, "num_parallel_tree": 2},
            rows("constant"),
            init_model=trained("constant"),
        )
