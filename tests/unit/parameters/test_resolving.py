"""What a user wrote becomes parameters: aliases, recipes, ranges, misspelt names."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest

from ceiba.errors import CeibaError, InvalidParameterError, UnknownParameterError
from ceiba.parameters import ALIASES, BY_NAME, DECLARED, VALUE_TRANSLATIONS, Parameter
from ceiba.parameters.effects import AnyOf, NoneOf, alternatives
from ceiba.parameters.foreign import same
from ceiba.parameters.resolving import Parameters, resolve


@pytest.mark.parametrize("parameter", DECLARED, ids=lambda p: p.name)
def test_invalid_values_are_refused_under_every_name(parameter: Parameter) -> None:
    for name in (parameter.name, *parameter.aliases):
        for value in parameter.constraint.invalid():
            if parameter.name in VALUE_TRANSLATIONS and value in (-1, 1):
                continue  # which another library has a meaning for
            with pytest.raises(InvalidParameterError, match=rf"^{name} must be .* Got "):
                resolve({name: value})


def companions(parameter: Parameter) -> dict[str, Any]:
    """Return values of other parameters beside which a parameter has an effect."""
    given: dict[str, Any] = {} if parameter.name == "max_depth" else {"max_depth": 6}
    if parameter.name in ("boosting", "num_parallel_tree"):
        given["subsample"] = 0.5  # or the trees of a forest would all be the same
    for name, wanted in alternatives(parameter.applies_to)[0].items():
        if isinstance(wanted, NoneOf):
            valid = BY_NAME[name].constraint.valid()
            given[name] = next(value for value in valid if wanted.holds(value))
        else:
            given[name] = wanted.values[0] if isinstance(wanted, AnyOf) else wanted
    return given


@pytest.mark.parametrize("parameter", DECLARED, ids=lambda p: p.name)
def test_valid_values_are_accepted_under_every_name(parameter: Parameter) -> None:
    for name in (parameter.name, *parameter.aliases):
        for value in parameter.constraint.valid():
            resolve({name: value, **companions(parameter)})


def test_aliases_are_resolved() -> None:
    parameters = resolve({"eta": 0.5, "num_leaves": 7, "seed": 3})
    assert parameters.learning_rate == 0.5
    assert parameters.max_leaves == 7
    assert parameters.random_state == 3


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_two_names_of_one_parameter_are_an_error(alias: str, name: str) -> None:
    limit = companions(BY_NAME[name])
    values = [*BY_NAME[name].constraint.valid(), 0.123]
    value, other = values[0], next(entry for entry in values if not same(entry, values[0]))
    with pytest.raises(InvalidParameterError, match="two names of one parameter"):
        resolve({name: value, alias: other, **limit})
    resolve({name: value, alias: None, **limit})
    resolve({name: value, alias: value, **limit})


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [
        ("learning_rat", "learning_rate"),
        ("n_estimator", "n_estimators"),
        ("num_leavs", "num_leaves"),
        ("Max_Depth", "max_depth"),
        ("lamda", "lambda"),
        ("sub_sample", "subsample"),
    ],
)
def test_a_misspelt_name_is_told_the_nearest(wrong: str, nearest: str) -> None:
    with pytest.raises(UnknownParameterError, match=f"Did you mean '{nearest}"):
        resolve({wrong: 1})


def test_a_name_like_no_other_lists_the_five_nearest() -> None:
    with pytest.raises(UnknownParameterError, match=r"The closest names are (\w+, ){4}\w+\.$"):
        resolve({"zzzzzz": 1})
    with pytest.raises(UnknownParameterError):
        resolve({7: 1})  # type: ignore[dict-item]


def test_alpha_is_refused_with_the_reason() -> None:
    with pytest.raises(InvalidParameterError, match="reg_alpha"):
        resolve({"alpha": 0.5})


def test_parameters_must_be_a_dictionary() -> None:
    with pytest.raises(CeibaError, match="dictionary"):
        resolve([("eta", 1)])  # type: ignore[arg-type]


def test_none_is_the_value_of_the_recipe() -> None:
    assert resolve({"recipe": "xgboost", "learning_rate": None}).learning_rate == 0.3
    assert resolve({"recipe": "xgboost", "learning_rate": 0.2}).learning_rate == 0.2
    assert resolve({"recipe": None}) == resolve({})


def test_limits_of_auto_follow_the_growth() -> None:
    assert (resolve({}).max_leaves, resolve({}).max_depth) == (31, 0)
    for policy in ("depthwise", "symmetric", "SymmetricTree"):
        parameters = resolve({"grow_policy": policy})
        assert (parameters.max_leaves, parameters.max_depth) == (0, 6)


@pytest.mark.parametrize(
    "given",
    [
        {"grow_policy": "symmetric", "max_depth": 0},
        {"grow_policy": "symmetric", "max_depth": 17},
    ],
)
def test_impossible_combinations(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameterError, match="Got max_depth="):
        resolve(given)


def test_parameters_are_frozen_values() -> None:
    parameters = resolve({"eta": 0.5})
    with pytest.raises(AttributeError):
        parameters.learning_rate = 1.0
    with pytest.raises(AttributeError, match="Unknown parameter"):
        _ = parameters.eta
    changed = parameters.replace(learning_rate=1.0)
    assert (parameters.learning_rate, changed.learning_rate) == (0.5, 1.0)
    assert pickle.loads(pickle.dumps(parameters)) == parameters
    assert hash(Parameters(dict(parameters.items()))) == hash(parameters)
    assert "learning_rate=0.5" in repr(parameters)


def test_a_model_records_what_json_can_hold() -> None:
    recorded = resolve({"class_weight": {1: 2.0}, "base_score": [0.1, 0.9]}).for_model()
    assert "class_weight" not in recorded
    assert json.loads(json.dumps(recorded)) == recorded
