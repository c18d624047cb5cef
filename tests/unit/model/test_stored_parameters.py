"""Parameters of a model file must be values that a user could give."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from small_table import BINARY, FRAME, X, Y, classifier, regressor

from ceiba.errors import ModelFileError
from ceiba.model.file import decode, encode
from ceiba.model.model import _from_bytes
from ceiba.model.stored_parameters import check_stored
from ceiba.parameters import BY_NAME


def with_parameter(name: str, value: Any) -> bytes:
    parts = decode(regressor().fit(X, Y).model_.to_bytes())
    return encode(replace(parts, parameters={**parts.parameters, name: value}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("missing", "none"),
        ("missing", [1.0]),
        ("missing", True),
        ("zero_as_missing", "yes"),
        ("learning_rate", 0.0),
        ("learning_rate", None),
        ("n_estimators", 1.5),
        ("quantile", []),
        ("max_bins", 2),
        ("grow_policy", "sideways"),
        ("monotone_constraints", [2]),
    ],
)
def test_a_value_that_is_none_is_found_at_load(name: str, value: Any) -> None:
    with pytest.raises(ModelFileError, match=rf"its parameter {name} must be"):
        _from_bytes(with_parameter(name, value))


def test_names_of_later_versions_say_nothing() -> None:
    assert _from_bytes(with_parameter("from_the_future", {"a": 1})).n_iterations == 10


@pytest.mark.parametrize(
    "given",
    [
        {"learning_rate": lambda number: 0.1 / (number + 1)},
        {"eval_metric": lambda y_true, y_pred: 0.0},
        {"eval_metric": []},
        {"monotone_constraints": {"a": 1}, "interaction_constraints": [["a", "b"], ["c"]]},
        {"max_features": "sqrt", "verbose": True, "missing": -999.0},
        {"objective": "quantile", "quantile": [0.1, 0.9], "calibration_folds": 2},
        {"recipe": "xgboost"},
        {"recipe": "lightgbm"},
        {"recipe": "gbm"},
        {"recipe": "histgb", "early_stopping": True},
    ],
    ids=lambda given: ",".join(given),
)
def test_what_trainings_record_is_sound(given: dict[str, Any]) -> None:
    model = regressor(**given).fit(FRAME, Y, eval_set=[(FRAME, Y)]).model_
    assert _from_bytes(model.to_bytes()).fingerprint() == model.fingerprint()
    check_stored(classifier(class_weight="balanced").fit(X, BINARY).model_.parameters)


def test_none_is_for_parameters_that_are_found_from_the_data() -> None:
    for name, parameter in BY_NAME.items():
        if parameter.default is None:
            check_stored({name: None})
