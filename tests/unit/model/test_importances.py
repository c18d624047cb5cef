"""Importances that the trees tell: their definitions, names and tables."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from small_table import FRAME, Y, regressor

from ceiba import _core
from ceiba.errors import InvalidParameterError
from ceiba.model.importances import KINDS, column_names, tree_importances
from ceiba.model.trees import Trees
from ceiba.testing.forests import random_model

#: Each column that trees read is a column of the table.
SOURCES = [(j,) for j in range(5)]


def by_hand(model, kind):
    arrays = model.forest.arrays()
    own = [arrays["feature"] == j for j in range(model.n_features)]
    name = {"split": None, "mean_rows": "count"}.get(kind, kind.removeprefix("mean_"))
    sums = [np.sum(mask if name is None else arrays[name][mask]) for mask in own]
    n_splits = [max(1, mask.sum()) for mask in own]
    return np.array(sums) / (n_splits if kind.startswith("mean_") else 1)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "mdi"])
def test_sums_counts_and_means_are_those_of_the_splits(kind):
    model = random_model(0, n_iterations=6)
    np.testing.assert_allclose(model.feature_importances(kind), by_hand(model, kind))


def test_impurity_is_a_share_of_gains_by_tree():
    model = random_model(1, n_iterations=4)
    arrays = model.forest.arrays()
    expected, averaged = np.zeros(5), np.zeros(5)
    for first, end in zip(arrays["tree_offsets"], arrays["tree_offsets"][1:], strict=False):
        features = arrays["feature"][first:end]
        gains = np.where(features >= 0, arrays["gain"][first:end], 0)
        for j in range(5):
            expected[j] += gains[features == j].sum() / arrays["count"][first]
            averaged[j] += gains[features == j].sum() / gains.sum()
    np.testing.assert_allclose(model.feature_importances("mdi"), expected / expected.sum())
    np.testing.assert_allclose(model.feature_importances("impurity"), expected / expected.sum())
    found = tree_importances(model.trees(), "mdi", SOURCES, averaged=True)
    np.testing.assert_allclose(found, averaged / averaged.sum())


def under(recipe):
    model = random_model(0, n_iterations=6)
    return dataclasses.replace(model, parameters={"recipe": recipe})


def test_names_are_those_of_the_recipe():
    ours, xgboost = under("auto"), under("xgboost")

    def same(name, meant):
        np.testing.assert_array_equal(
            xgboost.feature_importances(name), ours.feature_importances(meant)
        )

    for name, meant in (
        ("weight", "split"),
        ("gain", "mean_gain"),
        ("cover", "mean_cover"),
        ("total_gain", "gain"),
        ("total_cover", "cover"),
        ("mean_rows", "mean_rows"),
    ):
        same(name, meant)
    np.testing.assert_array_equal(
        ours.feature_importances("weight"), ours.feature_importances("split")
    )


@pytest.mark.parametrize("recipe", ["auto", "gbm", "lightgbm", "xgboost"])
def test_a_table_has_names_that_ask_for_its_columns_and_is_sorted(recipe):
    model = under(recipe)
    for kind in column_names(recipe).values():
        table = model.importances(kind)
        assert list(table) == ["feature", *column_names(recipe).values()]
        assert (np.diff(table[kind]) <= 0).all()
        for name in list(table)[1:]:
            by_name = dict(zip(table["feature"], table[name], strict=True))
            found = [by_name[feature] for feature in model.feature_names]
            assert found == model.feature_importances(name).tolist()


def test_columns_keep_their_names():
    fitted = regressor().fit(FRAME, Y)
    assert sorted(fitted.importances()["feature"]) == ["a", "b", "c", "d"]
    assert fitted.set_params(importance_type="mdi").feature_importances_.sum() == pytest.approx(1)


def test_values_change_needs_symmetric_trees():
    with pytest.raises(InvalidParameterError, match="symmetric trees"):
        random_model(0).feature_importances("PredictionValuesChange")
    symmetric = random_model(0, kind="symmetric", n_outputs=3, leaf_width=3, objective="quantile")
    assert symmetric.feature_importances("PredictionValuesChange").sum() == pytest.approx(100)


def test_a_forest_of_leaves_has_no_importances():
    arrays = random_model(0, n_leaves=1).forest.arrays()
    forest = _core.Forest(5, 1, {name: array.copy() for name, array in arrays.items()})
    for kind in (*KINDS, "prediction_values_change"):
        assert tree_importances(Trees.of(forest), kind, SOURCES).tolist() == [0, 0, 0, 0, 0]


def test_what_is_no_kind_and_rows_that_have_no_use():
    model = random_model(0)
    for nonsense in ("splits", 3, None):
        with pytest.raises(InvalidParameterError, match="kind must be one of 'gain'"):
            model.feature_importances(nonsense)
    rows = np.zeros((3, len(model.feature_names)))
    for asked in (model.importances, regressor().fit(FRAME, Y).importances):
        with pytest.raises(InvalidParameterError, match=r"one of 'gain'.*'shap'.*'mean_abs_shap'"):
            asked("mean_abs_shap", rows, np.zeros(3))
    with pytest.raises(InvalidParameterError, match="take no rows"):
        model.importances("gain", [[1.0] * 5])
