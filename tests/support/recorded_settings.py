"""The settings whose models are recorded in ``tests/determinism/recorded.json`` for ever.

A setting is a plain dictionary:

    name      what the file calls it
    params    parameters of ``ceiba.train``, without ``n_jobs``
    custom    name of a function of ``CUSTOM`` that is the objective, or None
    table, target, weight, n_rows, hidden       what ``recorded_tables`` makes the rows from
    queries, init_score, sparse                 whether rows have them, or come as a sparse matrix
    dataset   further arguments of ``ceiba.Dataset``
    eval      names of eval sets, made of new rows
    further   parameters of a second training that goes on from the first, or None
    refit     decay rate of a refit on new rows, or None
    split_method   what grows the trees: hist, exact or approx. The last two need all rows in one
                   shard, or give another model where rows lie in several.
    shared_trees   whether several quantile levels share their trees

Existing lines stay as they are; new ones are added. Whoever needs the same models in another way
(rows in other processes, say) gives :func:`train_setting` its own ``train``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from recorded_modes import modes
from recorded_tables import (
    NEW_ROWS,
    as_frame,
    as_sparse,
    make_init_score,
    make_queries,
    make_table,
    make_target,
    make_weight,
)

import ceiba

__all__ = ["SETTINGS", "make_dataset", "make_params", "results", "train_setting"]

Setting = dict[str, Any]

TARGET_OF = {
    "squared_error": "real",
    "absolute_error": "real",
    "huber": "real",
    "pseudo_huber": "real",
    "quantile": "real",
    "poisson": "amounts",
    "gamma": "positive",
    "tweedie": "amounts",
    "squared_log_error": "above_minus_one",
    "cross_entropy": "shares",
    "logistic": "binary",
    "exponential": "binary",
    "softmax": "three classes",
    "pairwise": "relevance",
    "lambdarank_ndcg": "relevance",
    "lambdarank_map": "relevance",
}
RANKING = ("pairwise", "lambdarank_ndcg", "lambdarank_map")
POLICIES = {
    "leafwise": {"grow_policy": "leafwise", "max_leaves": 15},
    "depthwise": {"grow_policy": "depthwise", "max_depth": 4},
    "symmetric": {"grow_policy": "symmetric", "max_depth": 4},
}
METHODS = {
    "hist": {"split_method": "hist"},
    "exact": {"split_method": "exact"},
    "approx by tree": {"split_method": "approx", "sketch_eps": 0.05},
    "approx by node": {"split_method": "approx", "sketch_eps": 0.05, "approx_scope": "node"},
}
WEIGHTS = ("none", "whole", "real")


def lopsided(y_true: Any, raw_score: Any) -> tuple[Any, Any]:
    """Squared differences that count three times where the score is too low."""
    factor = np.where(raw_score < y_true, 3.0, 1.0)
    return factor * (raw_score - y_true), factor


def two_scores(y_true: Any, raw_score: Any) -> tuple[Any, Any]:
    """Two scores of a row: one for the target and one for its square."""
    wanted = np.column_stack([y_true, y_true * y_true])
    return raw_score - wanted, np.ones_like(raw_score)


CUSTOM: dict[str, Callable[..., Any]] = {"lopsided": lopsided, "two_scores": two_scores}


def setting(name: str, objective: str, policy: str = "leafwise", **given: Any) -> Setting:
    """Make a setting; what is no field of one is a parameter."""
    fields: Setting = {
        "name": name,
        "custom": None,
        "table": "mixed",
        "target": TARGET_OF.get(objective, "three classes" if objective == "gini" else "real"),
        "weight": "none",
        "n_rows": 500,
        "hidden": False,
        "queries": objective in RANKING,
        "init_score": False,
        "sparse": False,
        "dataset": {},
        "eval": (),
        "further": None,
        "refit": None,
    }
    method = given.pop("method", "hist")
    for field in list(fields):
        if field in given:
            fields[field] = given.pop(field)
    if objective in CUSTOM:
        fields["custom"] = objective
    else:
        given["objective"] = objective
    base = {"n_estimators": 6, "min_samples_leaf": 5, **POLICIES[policy], **METHODS[method]}
    params = given if "recipe" in given else {"recipe": "single", **base, **given}
    fields["params"] = params
    default = "exact" if params.get("recipe") in ("gbm", "tree") else "hist"
    fields["split_method"] = params.get("split_method", default)
    fields["shared_trees"] = isinstance(params.get("quantile"), list)
    return fields


# ---- the list -----------------------------------------------------------------------------------


def every_objective() -> Iterator[Setting]:
    """Every objective with every policy, and with every other split method."""
    for i, objective in enumerate(TARGET_OF):
        for j, policy in enumerate(POLICIES):
            how = {"weight": WEIGHTS[(i + j) % 3], "hidden": (i + j) % 2 == 0}
            yield setting(f"{objective}, {policy}", objective, policy, **how)
        for j, method in enumerate(list(METHODS)[1:]):
            policy = list(POLICIES)[(i + j) % 3]
            how = {"weight": WEIGHTS[(i + 2 * j) % 3], "hidden": (i + j) % 2 == 1}
            yield setting(f"{objective}, {method}", objective, policy, method=method, **how)


def policies_methods_and_weights() -> Iterator[Setting]:
    """Constant and changing hessians, with all that decides which kernels add them up."""
    for objective in ("squared_error", "logistic"):
        for policy in POLICIES:
            for method in METHODS:
                for weight in WEIGHTS:
                    name = f"{objective}, {policy}, {method}, weights {weight}"
                    how = {"weight": weight, "hidden": True, "method": method, "n_rows": 400}
                    yield setting(name, objective, policy, **how)


def sizes_and_forms() -> Iterator[Setting]:
    """Single, packed and wide sums; codes of one and of two bytes; columns that share codes."""
    for policy in POLICIES:
        forms: dict[str, dict[str, Any]] = {
            "packed": {"n_rows": 5000},
            "packed with whole weights": {"n_rows": 4500, "weight": "whole", "hidden": True},
            "wide by large weights": {"n_rows": 3000, "weight": "large whole"},
            "packed with real weights": {"n_rows": 5000, "weight": "real"},
            "two bytes": {"n_rows": 5000, "max_bins": 1000, "min_data_in_bin": 1, "hidden": True},
            "few bins": {"n_rows": 1000, "max_bins": 8, "hidden": True},
            "wide table": {"n_rows": 9000, "table": "wide", "n_estimators": 5},
            "wide table, hidden": {"n_rows": 1500, "table": "wide", "hidden": True},
            "coarse table": {"n_rows": 2000, "table": "coarse", "min_data_in_bin": 1},
        }
        for form, how in forms.items():
            yield setting(f"logistic, {policy}, {form}", "logistic", policy, **how)
        for name, how in {
            "tail": {"target": "tail", "n_rows": 5000, "weight": "real"},
            "heavy tail": {"target": "heavy tail", "n_rows": 5000},
            "wide by a heavy tail": {
                "target": "heavy tail",
                "n_rows": 5000,
                "weight": "real",
                "base_score": 0.0,
            },
            "two bytes": {"n_rows": 3000, "max_bins": 3000, "min_data_in_bin": 1},
            "large": {"n_rows": 20_000, "hidden": True, "n_estimators": 5},
            "larger": {"n_rows": 60_000, "weight": "whole", "n_estimators": 5},
        }.items():
            yield setting(f"squared_error, {policy}, {name}", "squared_error", policy, **how)
        yield setting(
            f"logistic, {policy}, large", "logistic", policy, n_rows=20_000, max_leaves=40
        )
        yield setting(
            f"softmax, {policy}, packed classes", "softmax", policy, n_rows=6000, n_estimators=5
        )
    for method in ("exact", "approx by tree", "approx by node"):
        how = {"n_rows": 6000, "method": method, "hidden": True, "n_estimators": 3}
        yield setting(f"logistic, {method}, packed", "logistic", **how)
        how = {"n_rows": 1200, "method": method, "table": "coarse", "weight": "whole"}
        yield setting(f"squared_error, {method}, coarse", "squared_error", **how)
        how = {"n_rows": 1500, "method": method, "table": "wide", "hidden": True}
        yield setting(f"logistic, {method}, wide table", "logistic", **how, n_estimators=3)
        how = {"n_rows": 1500, "method": method, "target": "tail", "weight": "real"}
        yield setting(f"squared_error, {method}, heavy tail", "squared_error", "depthwise", **how)


#: What narrows splits and leaves.
RULES: dict[str, dict[str, Any]] = {
    "monotone": {"monotone_constraints": [1, -1, 0, 1, 0, -1, 0, 1]},
    "interactions": {"interaction_constraints": [[0, 1, 5], [2, 3], [4, 6]]},
    "no interactions": {"interaction_constraints": "no_interactions"},
    "pairs of columns": {"interaction_constraints": "pairwise"},
    "unlisted together": {
        "interaction_constraints": [[0, 1], [5, 3]],
        "unlisted_interactions": "together",
    },
    "unlisted never": {
        "interaction_constraints": [[0, 1], [5, 3]],
        "unlisted_interactions": "never",
    },
    "max_delta_step": {"max_delta_step": 0.25},
    "reg_alpha": {"reg_alpha": 1.5},
    "no penalty": {"reg_lambda": 0.0, "min_child_weight": 0.0, "min_samples_leaf": 1},
    "monotone and penalties": {
        "monotone_constraints": [1, -1, 0, 1, 0, -1, 0, 1],
        "max_delta_step": 0.5,
        "reg_alpha": 0.5,
        "penalize_bounded": False,
    },
    "split gain": {"min_split_gain": 10.0},
    "prune after": {"prune": "after", "min_split_gain": 10.0},
    "ccp_alpha": {"ccp_alpha": 0.003},
    "shares of hessians": {"min_weight_fraction_leaf": 0.06, "min_impurity_decrease": 0.002},
    "shares of rows": {"min_samples_leaf": 0.03, "min_samples_split": 0.1},
    "unit hessians": {"split_hessian": "unit", "ccp_alpha": 0.001, "min_samples_split": 30},
    "subsample": {"subsample": 0.6},
    "subsample, another seed": {"subsample": 0.6, "random_state": 12345},
    "colsample_bytree": {"colsample_bytree": 0.6},
    "colsample_bylevel": {"colsample_bylevel": 0.6},
    "colsample_bynode": {"colsample_bynode": 0.5},
    "colsample by number": {"colsample_bynode": 3},
    "colsample sqrt": {"colsample_bynode": "sqrt"},
    "all samples": {
        "subsample": 0.7,
        "colsample_bytree": 0.8,
        "colsample_bylevel": 0.8,
        "colsample_bynode": 0.7,
    },
    "feature weights": {"feature_weights": [3, 1, 1, 0, 2, 1, 1, 0], "colsample_bynode": 0.5},
    "hopeless columns": {"drop_hopeless_columns": True, "min_split_gain": 0.5},
}


def has_effect(rule: str, policy: str) -> bool:
    """Return whether a rule changes trees that grow by a policy; others are refused."""
    return rule != "drop_hopeless_columns" or policy != "symmetric"


def rules() -> Iterator[Setting]:
    """Every rule with hist, in turn with each policy, objective and weights; some with others."""
    for i, (rule, params) in enumerate(RULES.items()):
        for j, policy in enumerate(POLICIES):
            objective = ("logistic", "squared_error", "poisson")[(i + j) % 3]
            how = {"weight": WEIGHTS[(i + 2 * j) % 3], "hidden": (i + j) % 2 == 0}
            how |= {name: value for name, value in params.items() if has_effect(name, policy)}
            yield setting(f"{rule}, {objective}, {policy}", objective, policy, **how)
        for j, method in enumerate(list(METHODS)[1:]):
            if (i + j) % 3 == 0:
                policy = list(POLICIES)[i // 3 % 3]
                how = {"weight": WEIGHTS[i // 2 % 3], "hidden": i % 2 == 0}
                how |= {name: value for name, value in params.items() if has_effect(name, policy)}
                yield setting(f"{rule}, {method}", "logistic", policy, method=method, **how)
    for rule in ("monotone", "interactions", "prune after", "all samples"):
        for objective in ("softmax", "absolute_error", "lambdarank_ndcg"):
            how = {"weight": "real", "hidden": True, **RULES[rule]}
            yield setting(f"{rule}, {objective}", objective, "depthwise", **how)
    together = ("monotone", "interactions", "feature weights", "prune after", "max_delta_step")
    params = {key: value for rule in together for key, value in RULES[rule].items()}
    params["min_split_gain"] = 0.25
    for method in METHODS:
        yield setting(f"rules together, {method}", "logistic", method=method, **params)


def quantiles() -> Iterator[Setting]:
    """One level and several, calibrated and not."""
    levels = [0.05, 0.25, 0.5, 0.75, 0.95]
    for i, policy in enumerate(POLICIES):
        how: dict[str, Any] = {"hidden": True, "weight": WEIGHTS[i]}
        name = f"quantile, {policy}"
        yield setting(f"{name}, five levels", "quantile", policy, quantile=levels, **how)
        how["calibration_folds"] = 0
        yield setting(
            f"{name}, five levels as they are", "quantile", policy, quantile=levels, **how
        )
        yield setting(f"{name}, level 0.9 as it is", "quantile", policy, quantile=0.9, **how)
    for method in list(METHODS)[1:]:
        how = {"method": method, "quantile": [0.1, 0.5, 0.9], "n_rows": 300}
        yield setting(f"quantile, three levels, {method}", "quantile", **how)
    more: dict[str, dict[str, Any]] = {
        "level 0.1, three folds": {"quantile": 0.1, "calibration_folds": 3},
        "two levels, three folds": {"quantile": [0.1, 0.8], "calibration_folds": 3},
        "friedman leaves": {"quantile": 0.3, "leaf_rule": "friedman"},
        "two levels, sampled": {"quantile": [0.2, 0.6], **RULES["all samples"]},
        "three levels, monotone": {"quantile": [0.2, 0.5, 0.7], **RULES["monotone"]},
        "three levels, packed": {
            "quantile": [0.1, 0.5, 0.9],
            "n_rows": 12_000,
            "n_estimators": 5,
        },
        "three levels, stopped early": {
            "quantile": [0.1, 0.5, 0.9],
            "eval": ("valid",),
            "early_stopping_rounds": 2,
            "learning_rate": 0.5,
            "n_estimators": 30,
            "calibration_folds": 0,
        },
        "three levels, refit": {"quantile": [0.1, 0.5, 0.9], "refit": 0.4},
        "three levels, further": {"quantile": [0.1, 0.5, 0.9], "further": {"n_estimators": 4}},
        "three levels, schedule": {
            "quantile": [0.1, 0.5, 0.9],
            "learning_rate": [0.5, 0.25, 0.125, 0.5, 0.25, 0.125],
        },
    }
    for name, how in more.items():
        yield setting(f"quantile, {name}", "quantile", **how)


def losses() -> Iterator[Setting]:
    """The options of the objectives, more classes, and functions of users."""
    more: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("huber, delta", "huber", {"huber_delta": 0.75}),
        ("huber, share", "huber", {"huber_quantile": 0.6, "weight": "whole"}),
        ("huber, friedman", "huber", {"leaf_rule": "friedman", "target": "tail"}),
        ("pseudo_huber, plain", "pseudo_huber", {"curvature_rule": "plain", "huber_delta": 2.0}),
        ("squared_log_error, plain", "squared_log_error", {"curvature_rule": "plain"}),
        ("absolute_error, tail", "absolute_error", {"target": "tail", "weight": "whole"}),
        ("absolute_error, friedman", "absolute_error", {"leaf_rule": "friedman"}),
        ("tweedie, 1.1", "tweedie", {"tweedie_variance_power": 1.1, "leaf_guard": False}),
        ("poisson, delta step", "poisson", {"poisson_max_delta_step": 0.7}),
        ("poisson, no guard", "poisson", {"leaf_guard": False, "learning_rate": 0.5}),
        ("softmax, 7 classes", "softmax", {"target": "seven classes", "hidden": True}),
        ("softmax, factor 2", "softmax", {"hessian_factor": 2.0, "weight": "real"}),
        ("softmax, factor classes", "softmax", {"hessian_factor": "classes"}),
        ("softmax, friedman", "softmax", {"leaf_rule": "friedman", "n_classes": 4}),
        ("logistic, rare", "logistic", {"target": "rare", "scale_pos_weight": 8.0}),
        ("logistic, base score", "logistic", {"base_score": 0.25}),
        ("logistic, zero weights", "logistic", {"weight": "whole with zeros"}),
        ("logistic, rates", "logistic", {"learning_rate": [0.5, 0.5, 0.25, 0.25, 0.125, 0.125]}),
        ("ndcg, all pairs", "lambdarank_ndcg", {"lambdarank_truncation_level": 0}),
        ("ndcg, plain gain", "lambdarank_ndcg", {"ndcg_exp_gain": False}),
        ("ndcg, no norm", "lambdarank_ndcg", {"lambdarank_norm": False, "n_rows": 5000}),
        ("pairwise, no norm", "pairwise", {"lambdarank_norm": False}),
    )
    for name, objective, how in more:
        yield setting(name, objective, **how)
    for policy in POLICIES:
        name = f"seven classes, {policy}"
        how = {"target": "seven classes", "n_rows": 1500, "n_estimators": 4}
        yield setting(name, "softmax", policy, **how)
        for objective in ("logistic", "poisson", "cross_entropy"):
            name = f"three steps of a leaf, {objective}, {policy}"
            how = {"leaf_iterations": 3, "weight": "real", "hidden": True}
            yield setting(name, objective, policy, **how)
        yield setting(f"custom, {policy}", "lopsided", policy, hidden=True, weight="whole")
    yield setting("softmax, 7 classes, exact", "softmax", method="exact", target="seven classes")
    yield setting("custom, exact", "lopsided", method="exact")
    yield setting("custom, approx", "lopsided", method="approx by tree")
    yield setting("custom, two scores", "two_scores", n_classes=2, base_score=[0.5, 1.0])


def recipes() -> Iterator[Setting]:
    """Every recipe as it is, but for the number of trees."""
    for recipe in ("auto", "single", "gbm", "histgb", "xgboost", "lightgbm"):
        for objective in ("squared_error", "logistic", "softmax", "poisson", "lambdarank_ndcg"):
            how: dict[str, Any] = {"recipe": recipe, "n_estimators": 5, "hidden": True}
            how["weight"] = "real" if objective == "logistic" else "none"
            yield setting(f"recipe {recipe}, {objective}", objective, n_rows=800, **how)
    how = {"recipe": "xgboost", "split_method": "exact", "min_split_gain": 1.0, "n_estimators": 4}
    yield setting("recipe xgboost, exact", "logistic", n_rows=800, **how)


def ways_of_training() -> Iterator[Setting]:
    """Eval sets, early stopping, continuation, refits, and other ways in which rows come."""
    stopping = {"eval": ("valid",), "early_stopping_rounds": 3, "learning_rate": 0.5}
    for objective in ("squared_error", "logistic", "softmax", "lambdarank_ndcg", "huber"):
        how: dict[str, Any] = {**stopping, "n_estimators": 40, "hidden": True}
        yield setting(f"stopped early, {objective}", objective, **how)
        yield setting(f"further, {objective}", objective, further={"n_estimators": 3})
        yield setting(f"refit, {objective}", objective, refit=0.5, weight="real")
    more: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("two eval sets", "logistic", {"eval": ("a", "b"), "eval_metric": ["auc", "logloss"]}),
        ("tolerance", "squared_error", {**stopping, "early_stopping_tolerance": 0.125}),
        ("stopped early, exact", "logistic", {**stopping, "method": "exact", "n_estimators": 20}),
        ("stopped early, approx", "logistic", {**stopping, "method": "approx by tree"}),
        ("further, other growth", "logistic", {"further": {**POLICIES["symmetric"]}}),
        ("further, sampled", "logistic", {"further": {}, **RULES["all samples"]}),
        ("refit, monotone", "logistic", {"refit": 0.0, **RULES["monotone"]}),
        ("refit, symmetric", "logistic", {"refit": 0.25, **POLICIES["symmetric"]}),
        ("refit, median", "absolute_error", {"refit": 0.5}),
        ("refit, level", "quantile", {"refit": 0.5, "quantile": 0.75}),
        ("initial scores", "logistic", {"init_score": True, "weight": "whole"}),
        ("initial scores of squares", "squared_error", {"init_score": True}),
        ("sparse", "logistic", {"table": "wide", "sparse": True, "n_rows": 1000}),
        (
            "sparse, zero as missing",
            "logistic",
            {
                "table": "wide",
                "sparse": True,
                "n_rows": 1000,
                "dataset": {"zero_as_missing": True},
            },
        ),
        ("another value is missing", "squared_error", {"dataset": {"missing": 0.0}}),
        ("names", "logistic", {"dataset": {"feature_names": list("abcdefgh")}}),
        (
            "monotone by name",
            "logistic",
            {"dataset": {"feature_names": list("abcdefgh")}, "monotone_constraints": {"b": 1}},
        ),
    )
    for name, objective, how in more:
        yield setting(name, objective, **how)


SETTINGS: tuple[Setting, ...] = (
    *every_objective(),
    *policies_methods_and_weights(),
    *sizes_and_forms(),
    *rules(),
    *quantiles(),
    *losses(),
    *recipes(),
    *ways_of_training(),
    *modes(setting),
)


# ---- what is made of them -----------------------------------------------------------------------


def make_rows(setting: Setting, n_rows: int, first: int) -> Any:
    X = make_table(setting["table"], n_rows, first, hidden=setting["hidden"])
    if setting["table"] == "categories":
        return as_frame(X)
    return as_sparse(X) if setting["sparse"] else X


def make_dataset(setting: Setting, n_rows: int | None = None, first: int = 0) -> ceiba.Dataset:
    """Return the rows of a training, or others of the same kind."""
    n_rows = setting["n_rows"] if n_rows is None else n_rows
    return ceiba.Dataset(
        make_rows(setting, n_rows, first),
        make_target(setting["target"], setting["table"], n_rows, first),
        weight=make_weight(setting["weight"], n_rows, first),
        qid=make_queries(n_rows, first) if setting["queries"] else None,
        init_score=make_init_score(n_rows, first) if setting["init_score"] else None,
        **setting["dataset"],
    )


def make_params(setting: Setting, n_jobs: int = 1) -> dict[str, Any]:
    """Return the parameters of a training."""
    params = {**setting["params"], "n_jobs": n_jobs}
    if setting["custom"] is not None:
        params["objective"] = CUSTOM[setting["custom"]]
    return params


def train_setting(
    setting: Setting, *, n_jobs: int = 1, train: Callable[..., ceiba.Model] = ceiba.train
) -> ceiba.Model:
    """Train, go on and refit, as the setting says."""
    params, dataset = make_params(setting, n_jobs), make_dataset(setting)
    third = setting["n_rows"] // 3
    evals = {
        name: make_dataset(setting, third, NEW_ROWS + number * third)
        for number, name in enumerate(setting["eval"])
    }
    model = train(params, dataset, eval_sets=evals or None)
    if setting["further"] is not None:
        model = train({**params, **setting["further"]}, dataset, init_model=model)
    if setting["refit"] is not None:
        new = make_dataset(setting, third, NEW_ROWS)
        refit = getattr(ceiba, "refit", None) or ceiba.Model.refit
        model = refit(model, new, decay_rate=setting["refit"], n_jobs=n_jobs)
    return model


def results(setting: Setting, model: ceiba.Model) -> dict[str, Any]:
    """Return what is recorded of a model."""

    def predictions(n_rows: int, first: int, **how: Any) -> str:
        found = model.predict(make_rows(setting, n_rows, first), n_jobs=1, **how)
        return hashlib.sha256(np.ascontiguousarray(found, dtype="<f8").tobytes()).hexdigest()

    some = min(setting["n_rows"], 1000)
    made = {
        "fingerprint": model.fingerprint(),
        "n_iterations": model.n_iterations,
        "on training rows": predictions(setting["n_rows"], 0),
        "on new rows": predictions(some, NEW_ROWS),
        "of three iterations": predictions(
            some, NEW_ROWS, iteration_range=(0, min(3, model.n_iterations))
        ),
    }
    if setting["eval"] and setting["refit"] is None:
        history = [
            [name, metric, [float(value).hex() for value in values]]
            for name, metrics in model.history.items()
            for metric, values in metrics.items()
        ]
        made["history"] = hashlib.sha256(repr(history).encode()).hexdigest()
    return made
