"""One rule, from the declaration: a parameter that has no effect beside the others is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from ceiba import RECIPES, CeibaClassifier, CeibaRanker, CeibaRegressor, Dataset, cv, train
from ceiba.errors import InvalidParameterError
from ceiba.parameters import BY_NAME, DECLARED, FOLLOWS, RECIPE_NAMES, Unless
from ceiba.parameters.effects import AnyOf, NoneOf, Situation, alternatives, described, has_effect
from ceiba.parameters.foreign import same
from ceiba.parameters.resolving import POLICY_BRANCHES, resolve

X = np.arange(120.0).reshape(40, 3)
Y = np.arange(40) % 2

CONDITIONAL = [parameter for parameter in DECLARED if parameter.applies_to]

#: Given to recipe auto, each without what it belongs to.
WITHOUT_EFFECT: list[dict[str, Any]] = [
    {"drop_rate": 0.3},
    {"rate_drop": 0.3},
    {"skip_drop": 0.1},
    {"max_drop": 3},
    {"one_drop": True},
    {"drop_sampling": "uniform"},
    {"normalize": "tree"},
    {"ordered_permutations": 5},
    {"linear_fit": "gain", "recipe": "single"},
    {"linear_lambda": 3.0, "leaf_model": "constant"},
    {"max_linear_features": 2, "recipe": "single"},
    {"linear_features": [0], "leaf_model": "constant"},
    {"linear_regression": "full"},
    {"linear_regression": "full", "leaf_model": "linear"},
    {"extrapolate": "linear", "recipe": "single"},
    {"sketch_eps": 0.1},
    {"approx_scope": "node"},
    {"max_bins": 64, "split_method": "exact"},
    {"max_bin": 64, "tree_method": "approx"},
    {"top_rate": 0.4},
    {"other_rate": 0.3},
    {"mvs_reg": 1.0},
    {"bagging_temperature": 2.0},
    {"pos_subsample": 0.5, "sampling": "bootstrap"},
    {"unlisted_interactions": "never"},
    {"feature_weights": [1.0, 2.0, 1.0]},
    {"prune": "after"},
    {"min_data_in_bin": 5, "split_method": "exact"},
    {"subsample_freq": 5},
    {"bagging_freq": 5, "sampling": "goss"},
    {"sampling_unit": "query"},
    {"early_stopping_tolerance": 0.1},
    {"validation_fraction": 0.3},
    {"drop_hopeless_columns": True, "grow_policy": "symmetric", "max_depth": 3},
    {"draw_until_split": True},
    {"leaf_penalty": "step", "leaf_iterations": 1},
    {"leaf_penalty": "step", "leaf_iterations": 3, "reg_lambda": 0.0},
    {"leaf_backtracking": False, "leaf_iterations": 1},
    {"leaf_rows": "all"},
    {"penalize_bounded": False, "reg_alpha": 1.0},
    {"row_counts": "hessian", "split_method": "exact"},
    {"target_leaves": "own", "split_method": "exact"},
    {"target_bins": 0, "split_method": "approx"},
    {"target_strength": 3.0, "categorical": "subset"},
    {"target_strength": 3.0, "recipe": "lightgbm"},
    {"cat_smooth": 3.0, "categorical": "target"},
    {"max_cat_to_onehot": 3, "categorical": {"f0": "auto"}, "recipe": "xgboost", "skip_drop": 0.2},
]


@pytest.mark.parametrize("given", WITHOUT_EFFECT, ids=str)
def test_every_way_to_train_refuses(given: dict[str, Any]) -> None:
    rows = Dataset(X, Y)
    calls = [
        lambda: train(given, rows),
        lambda: cv(given, rows),
        lambda: CeibaRegressor(**given).fit(X, Y),
        lambda: CeibaClassifier(**given).fit(X, Y),
        lambda: CeibaRanker(**given).fit(X, Y, qid=Y),
    ]
    for call in calls:
        with pytest.raises(
            InvalidParameterError, match=r"has no effect with .* It applies only with"
        ):
            call()


def test_values_that_switch_a_feature_off_are_accepted() -> None:
    resolve({"subsample_freq": 0, "draw_until_split": False, "drop_hopeless_columns": False})
    resolve({"recipe": "lightgbm", "grow_policy": "symmetric", "drop_hopeless_columns": False})


def test_the_message_names_only_what_prevents_the_effect() -> None:
    with pytest.raises(
        InvalidParameterError, match=r"^row_counts='hessian' has no effect with extra_trees=True\. "
    ):
        resolve({"row_counts": "hessian", "extra_trees": True})


@pytest.mark.parametrize("objective", ["squared_error", "quantile", "huber", "gini"])
def test_leaf_guard_needs_a_loss_that_it_limits(objective: str) -> None:
    with pytest.raises(InvalidParameterError, match="leaf_guard=False has no effect with objec"):
        train({"objective": objective, "leaf_guard": False}, Dataset(X, Y))
    for other in ("logistic", "softmax", "poisson"):
        train({"objective": other, "leaf_guard": False, "n_estimators": 2}, Dataset(X, Y))


@pytest.mark.parametrize("name", ["leaf_penalty", "leaf_backtracking"])
def test_parameters_of_further_steps_need_several_steps(name: str) -> None:
    """``leaf_iterations="auto"`` depends on the objective and on the growth."""
    given = {"recipe": "single", name: {"leaf_penalty": "step"}.get(name, False)}
    given |= {"n_estimators": 2}
    rows = Dataset(X, Y)
    for more in ({}, {"objective": "logistic"}, {"grow_policy": "symmetric", "max_depth": 2}):
        for call in (train, cv):
            with pytest.raises(
                InvalidParameterError, match=f"^{name}=.* has no effect with leaf_iterations=1"
            ):
                call({**given, **more}, rows)
    train({**given, "objective": "logistic", "grow_policy": "symmetric", "max_depth": 2}, rows)
    catboost = {**given, "recipe": "catboost", "objective": "logistic", "leaf_penalty": "value"}
    with pytest.raises(InvalidParameterError, match="has no effect with leaf_iterations=1"):
        train(catboost, rows)
    train({**catboost, "n_estimators": 200}, rows)


def test_the_message_names_what_was_written() -> None:
    with pytest.raises(
        InvalidParameterError,
        match=r"^rate_drop=0.3 has no effect with boosting_type='plain'. It applies only with "
        r"boosting_type='dart'. Change that, or remove rate_drop.$",
    ):
        resolve({"rate_drop": 0.3, "boosting_type": "gbdt"})


@pytest.mark.parametrize("recipe", RECIPE_NAMES)
def test_values_of_a_recipe_may_be_given(recipe: str) -> None:
    """All of them together, as ``model.parameters`` has them, and each alone."""
    values = {name: value for name, value in RECIPES[recipe].items() if value is not None}
    resolve(values)
    for parameter in CONDITIONAL:
        if parameter.name in values:
            resolve({"recipe": recipe, parameter.name: values[parameter.name]})


def refusal(given: dict[str, Any]) -> str:
    """Return the message with which parameters are refused, or an empty string."""
    try:
        resolve(given)
    except InvalidParameterError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("recipe", RECIPE_NAMES)
@pytest.mark.parametrize("parameter", CONDITIONAL, ids=lambda parameter: parameter.name)
def test_a_value_is_taken_exactly_where_it_has_an_effect(recipe: str, parameter: Any) -> None:
    for value in parameter.constraint.valid():
        is_default = same(parameter.constraint.check(value), parameter.default_of(recipe))
        is_off = any(same(value, off) for off in parameter.off)
        # Recipe auto tries several settings, and a value limits them to where it has an effect.
        branches = POLICY_BRANCHES if recipe == "auto" else ({},)
        has_any = (
            has_effect(parameter.applies_to, {**RECIPES[recipe], **branch}) for branch in branches
        )
        taken = is_default or is_off or any(has_any)
        message = refusal({"recipe": recipe, parameter.name: value})
        assert ("has no effect" in message) == (not taken)


def test_declarations_name_parameters_and_values_that_exist() -> None:
    for parameter in CONDITIONAL:
        assert type(parameter.default) not in (*FOLLOWS, Unless)
        for part in alternatives(parameter.applies_to):
            for name, wanted in part.items():
                values = wanted.values if isinstance(wanted, AnyOf | NoneOf) else (wanted,)
                for value in values:
                    if value is not None:
                        assert BY_NAME[name].constraint.check(value) == value
        assert described(parameter.applies_to)


def test_conditions() -> None:
    assert has_effect({}, {})
    both = {"a": AnyOf(1, 2), "b": NoneOf(0.0)}
    assert has_effect(both, {"a": 2, "b": 1.0})
    assert not has_effect(both, {"a": 2, "b": 0.0})
    assert not has_effect(both, {"a": 3, "b": 1.0})
    assert has_effect(({"a": 1}, {"b": 1}), {"a": 0, "b": 1})
    assert not has_effect(({"a": 1}, {"b": 1}), {"a": 0, "b": 0})
    assert described(both) == "a=1 or 2 and b other than 0.0"
    situation = Situation("a set", {"a": 1}, both)
    assert has_effect(situation, {"a": 1, "b": 0.0})
    assert not has_effect(situation, {"a": 3, "b": 0.0})
    assert described(situation) == "a set"
    by_column = {"categorical": AnyOf("subset")}
    assert has_effect(by_column, {"categorical": {"x": "subset"}})
    assert not has_effect(by_column, {"categorical": {"x": "onehot"}})
    assert has_effect({"categorical": "auto"}, {"categorical": {"x": "onehot"}})


def test_estimators_only_check_in_fit() -> None:
    estimator = CeibaRegressor(drop_rate=0.3, linear_lambda=2.0)
    copy = clone(estimator)
    assert copy.get_params()["drop_rate"] == 0.3
    copy.set_params(boosting="dart", leaf_model="linear", n_estimators=3).fit(X, Y)


def test_sampling_of_catboost_is_known_after_the_objective() -> None:
    given = {"recipe": "catboost", "n_estimators": 2, "bagging_temperature": 2.0}
    with pytest.raises(InvalidParameterError, match="has no effect with sampling='mvs'"):
        train(given, Dataset(X, Y))
    train({**given, "objective": "softmax"}, Dataset(X, np.arange(40) % 3))
