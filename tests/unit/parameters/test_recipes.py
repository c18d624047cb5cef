"""Recipes hold the public defaults of the libraries that they are named after."""

from __future__ import annotations

import inspect
import json
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
)

from ceiba.boosting.prepare import settle_parameters
from ceiba.data.schema import Schema
from ceiba.objectives import find_objective
from ceiba.parameters import BY_NAME, RECIPE_NAMES
from ceiba.parameters.recipes import RECIPES, TEXTS
from ceiba.parameters.resolving import check_name, resolve


def test_every_recipe_is_whole() -> None:
    assert tuple(RECIPES) == tuple(TEXTS) == RECIPE_NAMES
    for name, values in RECIPES.items():
        assert set(values) == set(BY_NAME)
        assert values["recipe"] == name


def test_recipes_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        RECIPES["auto"]["learning_rate"] = 1.0  # type: ignore[index]


def assert_defaults(recipe: str, peer: Any, others: dict[str, Any], absent: set[str]) -> None:
    """Compare every parameter of a peer with the recipe, under its own name or as ``others`` say.

    ``absent`` are those that we do not have, or that are no matter of a recipe.
    """
    ours, theirs = RECIPES[recipe], peer.get_params()
    for name, value in theirs.items():
        if name in absent:
            continue
        canonical = check_name(name)
        expected = others.get(name, value)
        assert ours[canonical] == expected, (name, canonical, ours[canonical], expected)
    assert absent <= set(theirs)
    assert set(others) <= set(theirs)


@pytest.mark.parity
@pytest.mark.parametrize("peer", [HistGradientBoostingClassifier, HistGradientBoostingRegressor])
def test_histgb(peer: Any) -> None:
    others = {
        "loss": None,
        "max_depth": 0,  # unlimited
        "max_bins": 256,  # theirs does not count the bin for missing values
        "n_iter_no_change": "auto",  # theirs are two: early_stopping='auto' waits 10 rounds
        "random_state": 0,
    }
    absent = {"categorical_features", "early_stopping", "scoring", "warm_start"}
    if peer is HistGradientBoostingRegressor:
        absent.add("quantile")
    assert_defaults("histgb", peer(), others, absent)
    found = peer().get_params()
    assert (found["early_stopping"], found["n_iter_no_change"]) == ("auto", 10)
    assert RECIPES["histgb"]["grow_policy"] == "leafwise"


@pytest.mark.parity
@pytest.mark.parametrize("peer", [GradientBoostingClassifier, GradientBoostingRegressor])
def test_gbm(peer: Any) -> None:
    others = {
        "loss": None,
        "max_features": 1.0,  # None: all columns
        "max_leaf_nodes": 0,  # None: unlimited
        "n_iter_no_change": 0,  # None: no early stopping
        "random_state": 0,
    }
    # criterion: the squared error of the gradients, which is split_hessian='unit'.
    absent = {"criterion", "ccp_alpha", "init", "min_weight_fraction_leaf", "warm_start"}
    if peer is GradientBoostingRegressor:
        absent.add("alpha")
    assert_defaults("gbm", peer(), others, absent)
    ours = RECIPES["gbm"]
    if peer is GradientBoostingRegressor:  # one parameter for two losses
        assert ours["quantile"] == ours["huber_quantile"] == peer().alpha
    assert (ours["split_hessian"], ours["leaf_rule"]) == ("unit", "friedman")
    assert (ours["reg_lambda"], ours["reg_alpha"], ours["min_child_weight"]) == (0.0, 0.0, 0.0)
    if "split_method" in BY_NAME:
        assert ours["split_method"] == "exact"


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
    assert (ours["max_bins"], ours["min_data_in_bin"], ours["quantile"]) == (255, 3, 0.9)


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
    assert ours["n_estimators"] == xgboost.XGBModel().get_num_boosting_rounds()
    assert config["monotone_constraints"] == "()"
    assert config["interaction_constraints"] == ""
    assert (ours["monotone_constraints"], ours["interaction_constraints"]) == (None, None)
    # after with exact, before otherwise
    assert ours["prune"] == "auto"
    schema = Schema.of(None, 1)
    for objective in ("reg:squarederror", "count:poisson", "reg:gamma", "reg:tweedie"):
        theirs = configuration(objective=objective)["max_delta_step"]
        kind = find_objective(objective)
        settled = settle_parameters(resolve({"recipe": "xgboost"}), schema, kind, [], 1)
        assert settled.max_delta_step == pytest.approx(float(theirs)), objective


def test_catboost() -> None:
    catboost = pytest.importorskip("catboost")
    X, y = np.arange(150.0)[:, None], np.arange(150.0) % 2
    quiet = {"verbose": 0, "allow_writing_files": False, "iterations": 250}
    theirs = catboost.CatBoostClassifier(**quiet).fit(X, y).get_all_params()
    ours = RECIPES["catboost"]
    for name, their_name in (
        ("max_depth", "depth"),
        ("reg_lambda", "l2_leaf_reg"),
        ("random_strength", "random_strength"),
        ("subsample", "subsample"),
        ("min_samples_leaf", "min_data_in_leaf"),
        ("colsample_bynode", "rsm"),
    ):
        assert ours[name] == pytest.approx(theirs[their_name]), name
    assert ours["max_bins"] == theirs["border_count"] + 1
    assert (ours["n_estimators"], ours["max_leaves"]) == (1000, 0)
    words = {"grow_policy": "SymmetricTree", "score_function": "Cosine", "boosting_type": "Plain"}
    words |= {"leaf_estimation_backtracking": "AnyImprovement", "bootstrap_type": "MVS"}
    assert words.items() <= theirs.items()
    pasted = resolve({"recipe": "catboost", **words})
    changed = {name for name, value in pasted.items() if value != ours[name]}
    assert changed <= {"sampling"}  # mvs, which recipe catboost has for most losses
    kind = find_objective("logistic")
    given = resolve({"recipe": "catboost", "n_estimators": 250})
    settled = settle_parameters(given, Schema.of(None, 1), kind, [], 1)
    assert settled.leaf_iterations == theirs["leaf_estimation_iterations"]
    assert settled.sampling == "mvs"
    several = settle_parameters(given, Schema.of(None, 1), find_objective("softmax"), [], 3)
    assert (several.sampling, several.subsample, several.leaf_iterations) == ("bayesian", 1.0, 1)


def test_the_rule_of_catboost_is_for_its_own_penalty_and_steps() -> None:
    def rate(**given: object) -> object:
        return resolve({"recipe": "catboost", **given}).learning_rate

    assert rate() == rate(depth=4) == "auto"
    assert rate(l2_leaf_reg=3) == rate(leaf_estimation_iterations=5) == 0.03
    assert rate(l2_leaf_reg=3, learning_rate=0.2) == 0.2
