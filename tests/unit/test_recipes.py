"""Recipes hold the public defaults of the libraries that they are named after."""

from __future__ import annotations

import inspect
import json

import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from ceiba.objectives import find_objective
from ceiba.parameters import BY_NAME, RECIPE_NAMES, resolve
from ceiba.recipes import RECIPES, TEXTS
from ceiba.starting import settle_parameters


def test_every_recipe_is_whole() -> None:
    assert tuple(RECIPES) == tuple(TEXTS) == RECIPE_NAMES
    for name, values in RECIPES.items():
        assert set(values) == set(BY_NAME)
        assert values["recipe"] == name


def test_recipes_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        RECIPES["auto"]["learning_rate"] = 1.0  # type: ignore[index]


@pytest.mark.parity
def test_histgb() -> None:
    ours = RECIPES["histgb"]
    theirs = {
        name: value.default
        for name, value in inspect.signature(HistGradientBoostingClassifier).parameters.items()
    }
    assert ours["learning_rate"] == theirs["learning_rate"]
    assert ours["n_estimators"] == theirs["max_iter"]
    assert ours["max_leaves"] == theirs["max_leaf_nodes"]
    assert ours["max_depth"] == (theirs["max_depth"] or 0)
    assert ours["min_samples_leaf"] == theirs["min_samples_leaf"]
    assert ours["reg_lambda"] == theirs["l2_regularization"]
    assert ours["colsample_bynode"] == theirs["max_features"]
    # Theirs does not count the bin for missing values.
    assert ours["max_bins"] == theirs["max_bins"] + 1
    assert ours["early_stopping_rounds"] == theirs["early_stopping"] == "auto"
    assert ours["early_stopping_tolerance"] == theirs["tol"]
    assert ours["validation_fraction"] == theirs["validation_fraction"]


@pytest.mark.parity
def test_lightgbm() -> None:
    lightgbm = pytest.importorskip("lightgbm")
    ours = RECIPES["lightgbm"]
    theirs = {
        name: value.default
        for name, value in inspect.signature(lightgbm.LGBMClassifier).parameters.items()
    }
    assert ours["grow_policy"] == "leafwise"
    assert ours["max_leaves"] == theirs["num_leaves"]
    assert ours["max_depth"] == max(0, theirs["max_depth"])
    assert ours["min_samples_leaf"] == theirs["min_child_samples"]
    for name in (
        "learning_rate",
        "n_estimators",
        "min_split_gain",
        "min_child_weight",
        "subsample",
        "colsample_bytree",
        "reg_alpha",
        "reg_lambda",
    ):
        assert ours[name] == theirs[name], name
    # Not in the signature of the estimator: see the table of parameters in its documentation.
    assert (ours["max_bins"], ours["min_data_in_bin"]) == (255, 3)


@pytest.mark.parity
def test_xgboost() -> None:
    xgboost = pytest.importorskip("xgboost")
    rows = xgboost.DMatrix([[1.0], [2.0]], label=[1.0, 2.0])

    def configuration(**params: str) -> dict[str, str]:
        config = json.loads(xgboost.train(params, rows, 1).save_config())
        found: dict[str, str] = config["learner"]["gradient_booster"]["tree_train_param"]
        return found

    config = configuration()
    ours = RECIPES["xgboost"]
    assert ours["grow_policy"] == config["grow_policy"]
    assert ours["max_bins"] == int(config["max_bin"])
    assert ours["min_split_gain"] == float(config["min_split_loss"])
    for name in (
        "learning_rate",
        "max_depth",
        "max_leaves",
        "min_child_weight",
        "reg_lambda",
        "reg_alpha",
        "subsample",
        "colsample_bytree",
        "colsample_bylevel",
        "colsample_bynode",
    ):
        assert ours[name] == pytest.approx(float(config[name])), name
    for objective in ("reg:squarederror", "count:poisson", "reg:gamma", "reg:tweedie"):
        theirs = configuration(objective=objective)["max_delta_step"]
        kind = find_objective(objective)
        settled = settle_parameters(resolve({"recipe": "xgboost"}), kind, [])
        assert settled.max_delta_step == pytest.approx(float(theirs)), objective
