"""Names and values of other libraries: what they mean, what is harmless, what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import CeibaError, Dataset, train
from ceiba.errors import InvalidParameterError, UnknownParameterError
from ceiba.parameters import ALIASES, BY_NAME, FOREIGN, VALUE_TRANSLATIONS
from ceiba.parameters.foreign import same
from ceiba.parameters.resolving import resolve

#: What is given, and the parameters that it must have set.
MEANINGS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"random_seed": 7}, {"random_state": 7}),
    ({"lambda": 2.0}, {"reg_lambda": 2.0}),
    ({"early_stopping_round": 5}, {"early_stopping_rounds": 5}),
    ({"silent": True}, {"verbose": 0}),
    ({"silent": False, "verbose": 5}, {"verbose": 5}),
    ({"verbose": -1}, {"verbose": 0}),
    ({"verbosity": 3}, {"verbose": 0}),
    ({"logging_level": "Silent"}, {"verbose": 0}),
    ({"logging_level": "Verbose"}, {"verbose": 1}),
    ({"early_stopping": True}, {"early_stopping_rounds": 10}),
    ({"early_stopping": True, "n_iter_no_change": 4}, {"early_stopping_rounds": 4}),
    ({"early_stopping": False, "n_iter_no_change": 4}, {"early_stopping_rounds": 0}),
    ({"early_stopping": "auto", "n_iter_no_change": 10}, {"early_stopping_rounds": "auto"}),
    ({"early_stopping": 8}, {"early_stopping_rounds": 8}),
    ({"od_type": "Iter"}, {"early_stopping_rounds": 20}),
    ({"od_type": "Iter", "od_wait": 5}, {"early_stopping_rounds": 5}),
    ({"use_best_model": True, "od_wait": 5}, {"early_stopping_rounds": 5}),
    ({"use_best_model": False}, {"early_stopping_rounds": 0}),
    ({"eval_fraction": 0.3, "od_wait": 5}, {"validation_fraction": 0.3}),
    ({"bagging_freq": 1, "bagging_fraction": 0.5}, {"subsample_freq": 1, "subsample": 0.5}),
    ({"bagging_freq": 5, "bagging_fraction": 0.5}, {"subsample_freq": 5, "subsample": 0.5}),
    ({"subsample_freq": 0, "subsample": 1.0}, {"subsample": 1.0}),
    ({"max_depth": -1}, {"max_depth": 0}),
    ({"num_leaves": -1}, {"max_leaves": 0}),
    ({"is_unbalance": True}, {"class_weight": "balanced_up"}),
    ({"auto_class_weights": "SqrtBalanced"}, {"class_weight": "sqrt_balanced_up"}),
    ({"auto_class_weights": "None"}, {"class_weight": None}),
    ({"class_weights": [1, 5]}, {"class_weight": {0: 1.0, 1: 5.0}}),
    ({"class_weights": {"a": 1, "b": 5}}, {"class_weight": {"a": 1.0, "b": 5.0}}),
    ({"importance_type": "weight"}, {"importance_type": "split"}),
    ({"importance_type": "impurity"}, {"importance_type": "mdi"}),
    ({"bootstrap_type": "No"}, {"sampling": "none", "subsample": 1.0}),
    (
        {"bootstrap_type": "Bernoulli", "subsample": 0.5},
        {"sampling": "bernoulli", "subsample": 0.5},
    ),
    ({"bootstrap_type": "MVS"}, {"sampling": "mvs", "subsample": 0.8}),
    ({"bootstrap_type": "MVS", "mvs_reg": 0.5}, {"sampling": "mvs", "mvs_reg": 0.5}),
    (
        {"bootstrap_type": "Bayesian", "bagging_temperature": 0.3},
        {"sampling": "bayesian", "bagging_temperature": 0.3, "subsample": 1.0},
    ),
    ({"sampling_unit": "Group", "subsample": 0.5}, {"sampling_unit": "query"}),
    ({"boosting": "goss"}, {"sampling": "goss"}),
    (
        {"data_sample_strategy": "goss", "top_rate": 0.3, "bagging_freq": 0},
        {"sampling": "goss", "top_rate": 0.3, "other_rate": 0.1},
    ),
    (
        {"pos_bagging_fraction": 0.5, "neg_bagging_fraction": 0.1, "bagging_freq": 2},
        {"pos_subsample": 0.5, "neg_subsample": 0.1, "subsample_freq": 2},
    ),
    ({"bagging_by_query": True, "subsample": 0.5}, {"sampling_unit": "query"}),
    (
        {"sampling_method": "gradient_based", "subsample": 0.2},
        {"sampling": "mvs", "subsample": 0.2},
    ),
    ({"score_function": "L2"}, {"split_hessian": "unit", "split_score": "newton"}),
    ({"score_function": "Cosine"}, {"split_hessian": "unit", "split_score": "cosine"}),
    ({"score_function": "NewtonCosine"}, {"split_hessian": "loss", "split_score": "cosine"}),
    ({"score": "cosine"}, {"split_score": "cosine"}),
    ({"random_strength": 1}, {"random_strength": 1.0}),
    ({"leaf_estimation_backtracking": "No"}, {"leaf_backtracking": False}),
    ({"leaf_estimation_iterations": 5}, {"leaf_iterations": 5}),
    ({"leaf_estimation_method": "Exact"}, {"leaf_rule": "exact"}),
    ({"scoring": "loss"}, {"eval_metric": "loss"}),
    ({"metric": "None"}, {"eval_metric": []}),
    ({"metric": "auc,binary_logloss"}, {"eval_metric": ["auc", "binary_logloss"]}),
    ({"metric": {"l2", "l1"}}, {"eval_metric": ["l1", "l2"]}),
    ({"custom_metric": ["AUC"]}, {"eval_metric": ["AUC", "loss"]}),
    ({"custom_loss": "AUC", "eval_metric": "F1"}, {"eval_metric": ["AUC", "F1"]}),
    ({"eval_at": [1, 3]}, {"eval_metric": ["ndcg@1", "ndcg@3"]}),
    ({"ndcg_at": 5, "metric": ["map", "rmse"]}, {"eval_metric": ["map@5", "rmse"]}),
    ({"disable_default_eval_metric": True}, {"eval_metric": []}),
    ({"bagging_seed": 3, "feature_fraction_seed": 3}, {"random_state": 3}),
    ({"bagging_seed": 3, "seed": 5}, {"random_state": 5}),
    ({"bagging_seed": 3, "feature_fraction_seed": 2}, {"random_state": 3}),
    ({"num_class": 1}, {"n_classes": None}),
    ({"loss_function": "Quantile:alpha=0.9"}, {"objective": "Quantile", "quantile": 0.9}),
    (
        {"loss_function": "MultiQuantile:alpha=0.1,0.9"},
        {"objective": "Quantile", "quantile": [0.1, 0.9]},
    ),
    ({"loss_function": "Huber:delta=2"}, {"huber_delta": 2.0}),
    ({"loss_function": "Tweedie:variance_power=1.4"}, {"tweedie_variance_power": 1.4}),
    ({"monotone_constraints": "()"}, {"monotone_constraints": None}),
    (
        {"linear_tree": True, "linear_lambda": 0.1},
        {"leaf_model": "linear", "linear_lambda": 0.1, "extrapolate": "linear"},
    ),
    ({"linear_tree": True, "extrapolate": "clip"}, {"extrapolate": "clip"}),
]


@pytest.mark.parametrize(("given", "expected"), MEANINGS, ids=lambda value: ",".join(value))
def test_exact_meanings(given: dict[str, Any], expected: dict[str, Any]) -> None:
    parameters = resolve(given)
    for name, value in expected.items():
        assert getattr(parameters, name) == value


NOTHING = [
    {"booster": "gbtree"},
    {"boosting_type": "gbdt"},
    {"boosting_type": "Plain"},
    {"num_parallel_tree": 1},
    {"sampling_method": "uniform"},
    {"data_sample_strategy": "bagging"},
    {"sampling_unit": "Object", "bagging_by_query": False},
    {"top_rate": 0.2, "other_rate": 0.1},
    {"criterion": "friedman_mse"},
    {"device": "cpu"},
    {"device": "CPU"},
    {"task_type": "CPU"},
    {"deterministic": True},
    {"force_col_wise": True, "force_row_wise": False},
    {"allow_writing_files": False, "train_dir": "here"},
    {"enable_categorical": True},
    {"validate_parameters": True},
    {"subsample_for_bin": 200000},
    {"categorical_feature": "auto"},
    {"categorical_features": "from_dtype"},
    {"linear_tree": False},
    {"extra_trees": False},
    {"path_smooth": 0},
    {"device": None, "alpha": None, "linear_tree": None},
]


@pytest.mark.parametrize("given", NOTHING, ids=str)
def test_what_changes_nothing(given: dict[str, Any]) -> None:
    assert resolve(given) == resolve({})


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"device": "cuda"}, "^device='cuda' is not supported: ceiba runs on the CPU"),
    ({"task_type": "GPU"}, "^task_type='GPU' is not supported: .* CPU"),
    ({"tree_method": "gpu_hist"}, "^tree_method='gpu_hist' is not supported: .* CPU"),
    ({"booster": "gblinear"}, "linear boosters are not"),
    ({"bootstrap_type": "Poisson"}, "'Bayesian', 'Bernoulli', 'MVS' or 'No'"),
    ({"data_sample_strategy": "all"}, "'bagging' or 'goss'"),
    ({"sampling_frequency": "PerTreeLevel"}, "once per tree"),
    ({"booster": "gblinear"}, "^booster="),
    ({"linear_tree": 2}, "True or False"),
    ({"linear_tree": True, "leaf_model": "constant"}, "True or False"),
    ({"simple_ctr": "Counter"}, "target statistics are means"),
    ({"counter_calc_method": "Full"}, "only training rows"),
    ({"has_time": True}, "random permutations"),
    ({"early_stopping": "auto", "n_iter_no_change": 3}, "waits 10 rounds"),
    ({"early_stopping": "often"}, "True, False"),
    ({"use_best_model": True}, "early_stopping_rounds"),
    (
        {"bagging_freq": 0, "bagging_fraction": 0.5},
        "bagging_freq=0 disables .*bagging_fraction=0.5, which samples",
    ),
    (
        {"bootstrap_type": "No", "subsample": 0.5},
        "bootstrap_type='none' does not support subsample=0.5",
    ),
    ({"auto_class_weights": "yes"}, "'Balanced'"),
    ({"loss_function": "Quantile:beta=0.9"}, "does not have this option"),
    ({"loss_function": "Quantile:alpha=high"}, "does not have this option"),
    ({"num_parallel_tree": 4}, "all of them are identical"),
    ({"alpha": 0.3}, "^alpha=0.3 is not supported: its meaning depends on the library"),
    ({"alpha": 0.3, "recipe": "lightgbm"}, "its meaning depends"),
    ({"alpha": 0.3, "objective": "quantile"}, "its meaning depends"),
    (
        {"alpha": 0.3, "recipe": "lightgbm", "objective": "quantile", "quantile": 0.4},
        "quantile=0.4 and alpha=0.3 are two names",
    ),
    ({"eta": 0.1, "learning_rate": 0.2}, "eta=0.1 and learning_rate=0.2 are two names"),
    ({"metric_period": 10}, "verbose=n"),
]


@pytest.mark.parametrize(("given", "message"), REFUSED, ids=lambda value: str(value)[:60])
def test_what_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameterError, match=message):
        resolve(given)


@pytest.mark.parametrize(
    ("recipe", "objective", "ours"),
    [
        ("lightgbm", "quantile", "quantile"),
        ("lightgbm", "Huber", "huber_delta"),
        ("gbm", "quantile", "quantile"),
        ("gbm", "huber", "huber_quantile"),
        ("xgboost", None, "reg_alpha"),
        ("xgboost", "quantile", "reg_alpha"),
    ],
)
def test_alpha_is_what_the_library_of_the_recipe_means(
    recipe: str, objective: str | None, ours: str
) -> None:
    parameters = resolve({"alpha": 0.3, "recipe": recipe, "objective": objective})
    assert getattr(parameters, ours) == 0.3
    assert parameters.called(ours) == "alpha"


def test_errors_name_what_was_written() -> None:
    parameters = resolve({"od_wait": 3, "silent": True, "loss": "mae"})
    assert parameters.called("early_stopping_rounds") == "od_wait"
    assert parameters.called("verbose") == "silent"
    assert parameters.replace(objective=None).called("objective") == "loss"
    assert parameters.called("max_leaves") == "max_leaves"
    with pytest.raises(InvalidParameterError, match=r"^custom_metric must be"):
        resolve({"custom_metric": [3]})
    with pytest.raises(InvalidParameterError, match=r"num_leaves=0\.$"):
        resolve({"grow_policy": "SymmetricTree", "depth": 30, "num_leaves": 0})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"objective": "quantile", "quantile_alpha": [0.9, 0.1]},
            "^quantile_alpha must be a level",
        ),
        ({"od_wait": 3}, "^od_wait=3 needs an eval set"),
        ({"objective": "pairwise", "leaf_estimation_iterations": 3}, "^leaf_estimation_iterations"),
        ({"eta": [0.1]}, "^eta must hold a rate for each"),
        ({"monotonic_cst": {"z": 1}}, "^monotonic_cst must name columns"),
        ({"metric": "rmsee"}, "^metric must be the name"),
        ({"loss_function": "RMSEE"}, "^loss_function must be the name"),
    ],
    ids=lambda value: ",".join(value)[:30],
)
def test_errors_of_a_training_name_what_was_written(given: dict[str, Any], message: str) -> None:
    rows = Dataset(np.arange(20.0).reshape(10, 2), np.arange(10.0) % 3, group=[5, 5])
    with pytest.raises(CeibaError, match=message):
        train(given, rows, eval_sets=None if "od_wait" in given else [rows])


def test_parameters_may_come_in_parts() -> None:
    assert resolve({"eta": 0.2}, {"eta": 0.2}, {}).learning_rate == 0.2
    with pytest.raises(InvalidParameterError, match=r"eta is set twice, to 0.2 and to 0.3"):
        resolve({"eta": 0.2}, {"eta": 0.3})


def test_a_name_has_one_place() -> None:
    names = [*BY_NAME, *ALIASES, *FOREIGN]
    assert len(names) == len(set(names))
    assert set(VALUE_TRANSLATIONS) <= set(BY_NAME)
    assert {row.kind for row in FOREIGN.values()} == {"meaning", "harmless", "refused"}


def test_a_refused_name_is_unknown_and_a_refused_value_is_not() -> None:
    with pytest.raises(UnknownParameterError):
        resolve({"path_smooth": 1.0})
    with pytest.raises(InvalidParameterError) as caught:
        resolve({"device": "cuda"})
    assert not isinstance(caught.value, UnknownParameterError)


def test_equal_values() -> None:
    assert same("CPU", "cpu")
    assert same([1, 2.0], (1.0, 2))
    assert same(np.array([0.1, 0.9]), [0.1, 0.9])
    assert same({"a": 1}, {"a": 1})
    assert not same([1], [1, 2])
    assert not same("1", 1)
    assert not same(np.array([1, 2]), 1)
    assert not same({"a": 1}, [1])
