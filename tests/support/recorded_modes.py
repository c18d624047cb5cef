"""Recorded settings of boosting modes, samples, leaf models, category encodings and recipes.

These follow the settings of ``recorded_settings`` in recorded.json and have the same fields. Trees
of several outputs, of categories and of linear leaves are here too, so that every part of the
engine has recorded models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["modes"]

Setting = dict[str, Any]
Make = Callable[..., Setting]

POLICIES = ("leafwise", "depthwise", "symmetric")
WEIGHTS = ("none", "whole", "real")


def boosting_modes(setting: Make) -> Iterator[Setting]:
    """DART, ordered boosting, forests, and several trees in each round."""
    dart = {"boosting": "dart", "drop_rate": 0.4, "skip_drop": 0.1, "n_estimators": 8}
    for i, objective in enumerate(
        ("squared_error", "logistic", "softmax", "poisson", "absolute_error", "lambdarank_ndcg")
    ):
        how: Setting = {"weight": WEIGHTS[i % 3], "hidden": i % 2 == 0, "eval": ("valid",)}
        yield setting(f"dart, {objective}", objective, POLICIES[i % 3], **dart, **how)
    for name, more in {
        "normalize tree": {"normalize": "tree"},
        "normalize forest": {"normalize": "forest"},
        "uniform": {"drop_sampling": "uniform"},
        "at least one": {"drop_rate": 0.01, "one_drop": True},
        "at most two": {"drop_rate": 0.9, "max_drop": 2},
        "sampled": {"subsample": 0.7, "colsample_bytree": 0.7},
        "linear leaves": {"leaf_model": "linear", "eval": ("valid",)},
        "stopped early": {"eval": ("valid",), "early_stopping_rounds": 2, "n_estimators": 25},
        "further": {"further": {"n_estimators": 4}},
        "refit": {"refit": 0.5},
        "quantiles": {"objective": "quantile", "quantile": [0.1, 0.5, 0.9]},
    }.items():
        given = {**dart, **more}
        objective = given.pop("objective", "squared_error")
        yield setting(f"dart, {name}", objective, hidden=True, **given)
    ordered = {"boosting": "ordered", "n_estimators": 8}
    for i, objective in enumerate(("squared_error", "logistic", "softmax", "poisson")):
        for policy in ("symmetric", "depthwise"):
            how = {"weight": WEIGHTS[i % 3], "eval": ("valid",)}
            yield setting(f"ordered, {objective}, {policy}", objective, policy, **ordered, **how)
    yield setting("ordered, two permutations", "logistic", ordered_permutations=2, **ordered)
    yield setting("ordered, further", "logistic", further={"n_estimators": 3}, **ordered)
    for i, objective in enumerate(("squared_error", "logistic", "softmax", "absolute_error")):
        how = {"boosting": "forest", "subsample": 0.6, "colsample_bynode": 0.6}
        how |= {"weight": WEIGHTS[i % 3], "hidden": True, "eval": ("valid",)}
        yield setting(f"mean of trees, {objective}", objective, POLICIES[i % 3], **how)
        how = {"num_parallel_tree": 3, "subsample": 0.6, "n_estimators": 4}
        yield setting(f"three trees a round, {objective}", objective, POLICIES[i % 3], **how)
    yield setting(
        "mean of trees, further", "logistic", boosting="forest", subsample=0.5, further={}
    )


def samples(setting: Make) -> Iterator[Setting]:
    """Rows drawn by their gradients, with replacement, by query, by class, and with noise."""
    kinds: dict[str, Setting] = {
        "goss": {"sampling": "goss", "learning_rate": 0.5, "n_estimators": 8},
        "goss, other rates": {"sampling": "goss", "learning_rate": 1.0, "top_rate": 0.1},
        "mvs": {"sampling": "mvs", "subsample": 0.6},
        "mvs, own penalty": {"sampling": "mvs", "subsample": 0.5, "mvs_reg": 0.3},
        "bayesian": {"sampling": "bayesian", "bagging_temperature": 0.7},
        "bootstrap": {"sampling": "bootstrap"},
        "exact number": {"sampling": "uniform", "subsample": 0.5},
        "every second round": {"subsample": 0.6, "subsample_freq": 2},
        "all rows in leaves": {"subsample": 0.5, "leaf_rows": "all"},
        "noise": {"random_strength": 1.0},
        "cosine": {"split_score": "cosine"},
        "cosine with noise": {"split_score": "cosine", "random_strength": 2.0},
        "extra trees": {"extra_trees": True},
    }
    for i, (name, params) in enumerate(kinds.items()):
        for j, policy in enumerate(("leafwise", "symmetric")):
            objective = ("logistic", "squared_error", "poisson")[(i + j) % 3]
            how = {"n_rows": 1500, "weight": WEIGHTS[(i + j) % 3], "hidden": j == 0}
            yield setting(f"{name}, {policy}", objective, policy, **how, **params)
    yield setting("goss, softmax", "softmax", n_rows=1500, **kinds["goss"])
    how = {"subsample": 0.5, "sampling_unit": "query"}
    yield setting("queries sampled", "lambdarank_ndcg", **how)
    how = {"target": "rare", "pos_subsample": 0.9, "neg_subsample": 0.3, "n_rows": 1500}
    yield setting("classes sampled", "logistic", **how)


def linear_leaves(setting: Make) -> Iterator[Setting]:
    """Linear leaves fitted after growth, and splits chosen by their gain."""
    for i, objective in enumerate(
        ("squared_error", "logistic", "softmax", "poisson", "absolute_error", "huber")
    ):
        for j, policy in enumerate(("leafwise", "symmetric")):
            how: Setting = {"leaf_model": "linear", "eval": ("valid",)}
            how |= {"weight": WEIGHTS[(i + j) % 3], "hidden": (i + j) % 2 == 0}
            yield setting(f"linear leaves, {objective}, {policy}", objective, policy, **how)
    for name, more in {
        "exact": {"method": "exact"},
        "approx": {"method": "approx by tree"},
        "penalty": {"linear_lambda": 10.0},
        "one column": {"max_linear_features": 1},
        "named columns": {"linear_features": [0, 2]},
        "extrapolated": {"extrapolate": "linear"},
        "sampled": {"subsample": 0.6},
        "goss": {"sampling": "goss", "learning_rate": 0.5},
        "further": {"further": {"n_estimators": 3}},
        "refit": {"refit": 0.5},
        "forest": {"boosting": "forest", "subsample": 0.6},
    }.items():
        yield setting(f"linear leaves, {name}", "squared_error", leaf_model="linear", **more)
    for regression in ("additive", "half_additive", "full"):
        for objective in ("squared_error", "logistic"):
            how = {"leaf_model": "linear", "linear_fit": "gain", "linear_regression": regression}
            how |= {"n_rows": 1000, "hidden": objective == "logistic"}
            yield setting(f"linear gain, {regression}, {objective}", objective, **how)


def several_outputs(setting: Make) -> Iterator[Setting]:
    """Vector leaves of classes and of targets, and one tree for each target."""
    for policy in POLICIES:
        how: Setting = {"multi_strategy": "vector_leaf", "hidden": True}
        yield setting(f"vector leaves, softmax, {policy}", "softmax", policy, **how)
        how |= {"target": "two reals", "weight": "whole"}
        yield setting(f"vector leaves, two targets, {policy}", "squared_error", policy, **how)
        how = {"target": "two reals"}
        yield setting(f"a tree each, two targets, {policy}", "squared_error", policy, **how)
    how = {"multi_strategy": "vector_leaf", "target": "seven classes", "n_rows": 1500}
    yield setting("vector leaves, seven classes", "softmax", **how)
    yield setting(
        "vector leaves, exact", "squared_error", method="exact", **how | {"target": "two reals"}
    )
    yield setting("vector leaves, dart", "softmax", **how, boosting="dart", drop_rate=0.5)
    yield setting(
        "two targets, linear leaves", "squared_error", target="two reals", leaf_model="linear"
    )
    yield setting("two targets, pseudo huber", "pseudo_huber", target="two reals")


def categories(setting: Make) -> Iterator[Setting]:
    """Category encodings with each policy, rule and kind of target."""
    kinds: dict[str, Setting] = {
        "auto": {},
        "onehot": {"categorical": "onehot"},
        "subset": {"categorical": "subset"},
        "target": {"categorical": "target"},
        "lightgbm": {"categorical": "subset", "cat_rule": "lightgbm"},
        "xgboost": {"categorical": "subset", "cat_rule": "xgboost"},
        "histgb": {"categorical": "subset", "cat_rule": "histgb"},
    }
    for i, (name, params) in enumerate(kinds.items()):
        for j, policy in enumerate(POLICIES):
            objective = ("logistic", "squared_error", "softmax")[(i + j) % 3]
            how: Setting = {"table": "categories", "n_rows": 1200, "hidden": True}
            how["weight"] = WEIGHTS[(i + 2 * j) % 3]
            yield setting(f"categories {name}, {policy}", objective, policy, **how, **params)
    for name, more in {
        "own leaves": {"categorical": "target", "target_leaves": "own"},
        "two permutations": {"categorical": "target", "target_permutations": 2},
        "combinations": {"categorical": "target", "max_combination": 2, "target_bins": 15},
        "ordered": {"categorical": "target", "boosting": "ordered"},
        "dart": {"categorical": "subset", "boosting": "dart", "drop_rate": 0.4},
        "linear leaves": {"categorical": "subset", "leaf_model": "linear"},
        "missing right": {"categorical": "subset", "cat_missing": "right"},
        "stopped early": {"categorical": "target", "eval": ("valid",), "early_stopping_rounds": 2},
        "further": {"categorical": "target", "further": {"n_estimators": 3}},
        "refit": {"categorical": "subset", "refit": 0.5},
        "vector leaves": {"categorical": "onehot", "multi_strategy": "vector_leaf"},
        "vector leaves, subset": {"categorical": "subset", "multi_strategy": "vector_leaf"},
    }.items():
        objective = "softmax" if "vector" in name else "logistic"
        how = {"table": "categories", "n_rows": 1200, **more}
        yield setting(f"categories, {name}", objective, **how)


def recipes(setting: Make) -> Iterator[Setting]:
    """The remaining recipes as they are, but for the number of trees."""
    for recipe in ("catboost", "dart", "plgb", "forest"):
        for i, objective in enumerate(("squared_error", "logistic", "softmax")):
            for table in ("mixed", "categories"):
                how: Setting = {"recipe": recipe, "n_estimators": 5, "table": table}
                how |= {"weight": WEIGHTS[i], "n_rows": 800, "hidden": table == "mixed"}
                yield setting(f"recipe {recipe}, {objective}, {table}", objective, **how)
    for i, objective in enumerate(("squared_error", "gini")):
        for table in ("mixed", "coarse", "categories"):
            how = {"recipe": "tree", "table": table, "weight": WEIGHTS[i], "hidden": i == 1}
            yield setting(f"recipe tree, {objective}, {table}", objective, **how)
    for name, more in {
        "entropy": {"objective": "gini", "split_score": "entropy"},
        "bins": {"objective": "squared_error", "split_method": "hist"},
        "pruned": {"objective": "squared_error", "ccp_alpha": 0.01},
        "few leaves": {"objective": "gini", "max_leaves": 12, "grow_policy": "leafwise"},
        "two targets": {"objective": "squared_error", "target": "two reals"},
        "some columns": {"objective": "gini", "colsample_bynode": 2},
    }.items():
        objective = more.pop("objective")
        yield setting(f"recipe tree, {name}", objective, recipe="tree", n_rows=600, **more)
    yield setting("recipe forest, gini", "gini", recipe="forest", n_estimators=5, n_rows=800)
    how = {"recipe": "forest", "n_estimators": 5, "target": "two reals", "n_rows": 800}
    yield setting("recipe forest, two targets", "squared_error", **how)


def modes(setting: Make) -> Iterator[Setting]:
    """Return every setting of this module, made by ``setting``."""
    for make in (boosting_modes, samples, linear_leaves, several_outputs, categories, recipes):
        yield from make(setting)
