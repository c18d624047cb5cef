"""Names of other libraries whose values have an exact translation.

A name with the same values as a canonical parameter is not here: it is an entry of ``aliases`` in
the declaration of that parameter.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ceiba.parameters.foreign import Foreign, Settings, meaning, same

__all__ = ["MEANINGS", "RUNS_ON_CPU", "is_count", "several"]

RUNS_ON_CPU = "ceiba runs on the CPU. Remove it."
_BOOSTING = (
    "linear boosters are not available. Remove it, or set boosting to 'plain', 'dart' or 'forest'."
)


_MVS = {"sampling": "mvs"}


def is_count(value: Any) -> bool:
    """Return whether a value is an integer and not a boolean."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool | np.timedelta64)


def _early_stopping(value: Any, given: Settings) -> Settings | None:
    """Translate scikit-learn's switch (beside n_iter_no_change) and LightGBM's number."""
    patience = given.get("early_stopping_rounds")
    if is_count(value):
        return {"early_stopping_rounds": value} if patience in (None, value) else None
    if value is True:
        return {"early_stopping_rounds": patience or 10}
    if value is False:
        return {"early_stopping_rounds": 0}
    if value == "auto" and patience in (None, "auto", 10):
        return {"early_stopping_rounds": "auto"}
    return None


def _detector(value: Any, given: Settings) -> Settings | None:
    """Translate CatBoost's overfitting detector: Iter waits od_wait rounds, by default 20."""
    waits = isinstance(value, str) and value.lower() == "iter"
    return {"early_stopping_rounds": given.get("early_stopping_rounds") or 20} if waits else None


def _best_model(value: Any, given: Settings) -> Settings | None:
    return {} if bool(value) == bool(given.get("early_stopping_rounds")) else None


def _held_out(value: Any, given: Settings) -> Settings | None:
    if not value:
        return {}
    return {"validation_fraction": value} if given.get("early_stopping_rounds") else None


def _further_metrics(value: Any, given: Settings) -> Settings:
    """Add metrics before the one that decides early stopping, which comes last."""
    return {"eval_metric": [*several(value), *several(given.get("eval_metric", "loss"))]}


def _positions(value: Any, given: Settings) -> Settings:
    """Add positions (NDCG@k) to ranking metrics that have none."""
    ranked = ("ndcg", "map", "precision")
    return {
        "eval_metric": [
            f"{metric}@{position}" if metric in ranked else metric
            for metric in several(given.get("eval_metric", "ndcg"))
            for position in (several(value) if metric in ranked else [None])
        ]
    }


def _no_default_metric(value: Any, given: Settings) -> Settings:
    return {"eval_metric": given.get("eval_metric", [])} if value else {}


def _shifted(value: Any, given: Settings) -> Settings:
    """Translate CatBoost's inclusive limit of levels for one-hot to an exclusive one."""
    return {"max_cat_to_onehot": value + 1 if is_count(value) else value}


def types_of_columns(value: Any, given: Settings) -> Settings | None:
    """Translate XGBoost's column types; 'c' is a category."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        return None
    types = list(value)
    if not {"q", "i", "int", "float", "num", "c"}.issuperset(types):
        return None
    return {"categorical_features": [j for j, kind in enumerate(types) if kind == "c"]}


def _weights_of_classes(value: Any, given: Settings) -> Settings | None:
    """Translate weights by label, or a list of weights for the labels 0, 1, …"""
    if isinstance(value, Mapping):
        return {"class_weight": value}
    listed = isinstance(value, Iterable) and not isinstance(value, str)
    return {"class_weight": dict(enumerate(value))} if listed else None


def _one_seed(value: Any, given: Settings) -> Settings:
    """Use the seed of one kind of sampling for all, unless random_state is set."""
    return {"random_state": given.get("random_state", value)}


def _seed_of_drops(value: Any, given: Settings) -> Settings:
    return _one_seed(value, given) if same(given.get("boosting"), "dart") else {}


def _seed_of_thresholds(value: Any, given: Settings) -> Settings:
    return _one_seed(value, given) if same(given.get("extra_trees"), True) else {}


def _booster(value: Any, given: Settings) -> Settings | None:
    """Translate XGBoost's booster; its dart has other defaults than LightGBM's."""
    if same(value, "dart") and same(given.get("boosting", "dart"), "dart"):
        defaults = {"drop_rate": 0.0, "skip_drop": 0.0, "max_drop": 0}
        words = {"drop_sampling": "uniform", "normalize": "tree"}
        return {"boosting": "dart"} | {
            name: given.get(name, default) for name, default in (defaults | words).items()
        }
    return {} if same(value, "gbtree") else None


def _linear_tree(value: Any, given: Settings) -> Settings | None:
    """Translate LightGBM's switch: linear leaves fitted after growth, which extrapolate."""
    if same(value, False):
        return {}
    if not same(value, True) or not same(given.get("leaf_model", "linear"), "linear"):
        return None
    return {
        "leaf_model": "linear",
        "linear_fit": given.get("linear_fit", "after"),
        "extrapolate": given.get("extrapolate", "linear"),
    }


#: Parameter that alpha means under a recipe, by objective; None: for any objective.
_ALPHA: Mapping[str, Mapping[str | None, str]] = {
    "gbm": {"quantile": "quantile", "huber": "huber_quantile"},
    "lightgbm": {"quantile": "quantile", "huber": "huber_delta"},
    "xgboost": {None: "reg_alpha"},
}


def _alpha(value: Any, given: Settings) -> Settings | None:
    """Translate alpha: an L1 penalty, a quantile level or a Huber threshold."""
    by_objective = _ALPHA.get(_lower(given.get("recipe")), {})
    ours = by_objective.get(None) or by_objective.get(_lower(given.get("objective")))
    return None if ours is None else {ours: value}


def _lower(value: Any) -> str:
    return value.lower() if isinstance(value, str) else ""


def several(value: Any) -> list[Any]:
    """Return one or several metrics as a list; sets are sorted."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        return [value]
    return sorted(value) if isinstance(value, set | frozenset) else list(value)


def _all_mean(values: tuple[str, ...], settings: Settings) -> dict[str, Settings]:
    return dict.fromkeys(values, settings)


#: Names with an exact translation of all values, or of those listed.
MEANINGS: tuple[Foreign, ...] = (
    *meaning(
        "silent", {True: {"verbose": 0}, False: {}}, "it must be True or False. Set verbose."
    ),
    *meaning(
        "logging_level",
        {"Silent": {"verbose": 0}} | _all_mean(("Verbose", "Info", "Debug"), {"verbose": 1}),
        "it must be 'Silent', 'Verbose', 'Info' or 'Debug'. Set verbose.",
    ),
    Foreign(
        "alpha", "meaning", _alpha,
        "its meaning depends on the library. Set reg_alpha for the L1 penalty, or quantile for "
        "the level of a quantile. recipe='xgboost' accepts it as the L1 penalty; recipe='lightgbm' "
        "and 'gbm' accept it with objective='quantile' or 'huber'.",
    ),
    # ---- when to stop ---------------------------------------------------------------------------
    *meaning(
        "early_stopping", _early_stopping,
        "it must be True, False, a number of rounds or 'auto', which waits 10 rounds. Set "
        "early_stopping_rounds.",
    ),
    *meaning(
        "od_type", _detector,
        "early stopping waits for a number of rounds. Set od_type='Iter', or "
        "early_stopping_rounds.",
    ),
    *meaning(
        "use_best_model", _best_model,
        "it must be True if early_stopping_rounds is set, and False otherwise. To keep all rounds, "
        "use callbacks=[EarlyStopping(rounds, keep_best=False)].",
    ),
    *meaning(
        "eval_fraction", _held_out,
        "rows are held out for early stopping only. Set early_stopping_rounds too.",
    ),
    *meaning("custom_metric custom_loss", _further_metrics, ""),
    *meaning("eval_at map_at ndcg_at map_eval_at ndcg_eval_at", _positions, ""),
    *meaning("disable_default_eval_metric", _no_default_metric, ""),
    # ---- weights of classes ---------------------------------------------------------------------
    *meaning(
        "is_unbalance unbalance unbalanced_sets",
        {True: {"class_weight": "balanced_up"}, False: {}},
        "it must be True or False. Set class_weight.",
    ),
    *meaning(
        "auto_class_weights",
        {
            "Balanced": {"class_weight": "balanced_up"},
            "SqrtBalanced": {"class_weight": "sqrt_balanced_up"},
            "None": {},
        },
        "it must be 'Balanced', 'SqrtBalanced' or 'None'. Set class_weight.",
    ),
    *meaning(
        "class_weights", _weights_of_classes,
        "it must contain a weight for each class. Set class_weight, a dictionary from label to "
        "weight.",
    ),
    # ---- boosting and trees ---------------------------------------------------------------------
    *meaning("booster", _booster, _BOOSTING),
    *meaning(
        "uniform_drop", {True: {"drop_sampling": "uniform"}, False: {"drop_sampling": "weighted"}},
        "it must be True or False. Set drop_sampling.",
    ),
    *meaning(
        "xgboost_dart_mode", {True: {"normalize": "tree"}, False: {"normalize": "lightgbm"}},
        "it must be True or False. Set normalize.",
    ),
    *meaning("drop_seed", _seed_of_drops, ""),
    *meaning("extra_seed", _seed_of_thresholds, ""),
    *meaning(
        "linear_tree linear_trees", _linear_tree,
        "it must be True or False. Set leaf_model.",
    ),
    *meaning(
        "criterion", _all_mean(("friedman_mse", "squared_error", "deprecated"), {}),
        "splits minimize the squared error of gradients. Remove it.",
    ),
    *meaning(
        "score_function",
        {
            "Cosine": {"split_score": "cosine", "split_hessian": "unit"},
            "L2": {"split_score": "newton", "split_hessian": "unit"},
            "NewtonCosine": {"split_score": "cosine", "split_hessian": "loss"},
            "NewtonL2": {"split_score": "newton", "split_hessian": "loss"},
        },
        "it must be 'Cosine', 'L2', 'NewtonCosine' or 'NewtonL2'. Set split_score and "
        "split_hessian.",
    ),
    *meaning(
        "leaf_estimation_method", {"Newton": {}, "Exact": {"leaf_rule": "exact"}},
        "leaf values are Newton steps, or exact where the objective allows it. Remove it.",
    ),
    *meaning(
        "leaf_estimation_backtracking",
        {"AnyImprovement": {"leaf_backtracking": True}, "No": {"leaf_backtracking": False}},
        "it must be 'AnyImprovement' or 'No'. Set leaf_backtracking.",
    ),
    *meaning(
        "random_score_type", {"NormalWithModelSizeDecrease": {}},
        "noise on split scores decreases as training proceeds. Remove it, or set "
        "'NormalWithModelSizeDecrease'.",
    ),
    *meaning("one_hot_max_size", _shifted, ""),
    *meaning(
        "counter_calc_method", {"SkipTest": {}},
        "only training rows are counted. Remove it, or set 'SkipTest'.",
    ),
    *meaning(
        "final_ctr_computation_mode", {"Default": {}},
        "target statistics at predict use all training rows. Remove it.",
    ),
    *meaning("store_all_simple_ctr", {True: {}, False: {}}, "it must be True or False."),
    *meaning(
        "model_size_reg", {0.5: {}},
        "the penalty of combinations with many levels is fixed. Remove it.",
    ),
    *meaning(
        "feature_types", types_of_columns,
        "it must contain 'c' for categories and 'q', 'i', 'int' or 'float' for other columns. Set "
        "categorical_features.",
    ),
    *meaning(
        "lambdarank_pair_method", {"topk": {}},
        "pairs contain a document among the top lambdarank_truncation_level. Remove it.",
    ),
    # ---- samples --------------------------------------------------------------------------------
    *meaning(
        "data_sample_strategy", {"bagging": {}, "goss": {"sampling": "goss"}},
        "it must be 'bagging' or 'goss'. Set sampling.",
    ),
    *meaning(
        "sampling_method", {"uniform": {"sampling": "bernoulli"}, "gradient_based": _MVS},
        "it must be 'uniform' or 'gradient_based'. Set sampling.",
    ),
    *meaning(
        "bootstrap_type",
        {
            "No": {"sampling": "none"},
            "Bernoulli": {"sampling": "bernoulli"},
            "Bayesian": {"sampling": "bayesian"},
            "MVS": _MVS,
        },
        "it must be 'Bayesian', 'Bernoulli', 'MVS' or 'No'. Set sampling.",
    ),
    *meaning(
        "sampling_frequency", {"PerTree": {}},
        "rows are sampled once per tree. Remove it, or set 'PerTree'.",
    ),
    *meaning(
        "bagging_by_query", {True: {"sampling_unit": "query"}, False: {}},
        "it must be True or False. Set sampling_unit.",
    ),
    *meaning("bagging_seed bagging_fraction_seed feature_fraction_seed", _one_seed, ""),
)  # fmt: skip
