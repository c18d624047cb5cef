"""Parameters that an estimator takes from a model file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_table import BINARY, THREE, X, Y

import ceiba


@pytest.mark.parametrize(
    ("kind", "target", "given"),
    [
        ("CeibaRegressor", Y, {"n_estimators": 7, "max_leaves": 5, "learning_rate": 0.3}),
        ("CeibaRegressor", Y, {"n_estimators": 7, "objective": "huber", "reg_lambda": 2.0}),
        ("CeibaRegressor", Y, {"n_estimators": 7, "base_score": 1.5, "random_state": 3}),
        ("CeibaRegressor", Y, {"n_estimators": 4, "monotone_constraints": [1, 0, 0, -1]}),
        ("CeibaRegressor", Y, {"n_estimators": 5, "recipe": "catboost"}),
        ("CeibaRegressor", Y, {"n_estimators": 5, "split_method": "exact", "recipe": "xgboost"}),
        ("CeibaRegressor", Y, {"n_estimators": 3, "learning_rate": [0.3, 0.2, 0.1]}),
        ("CeibaClassifier", BINARY, {"n_estimators": 7, "recipe": "lightgbm"}),
        ("CeibaClassifier", THREE, {"n_estimators": 3}),
        ("CeibaClassifier", BINARY, {"n_estimators": 3, "boosting": "dart", "drop_rate": 0.5}),
        ("CeibaForestRegressor", Y, {"n_estimators": 4}),
    ],
)
def test_a_loaded_estimator_trains_again_as_the_saved_one(
    kind: str, target: Any, given: dict[str, Any], tmp_path: Path
) -> None:
    make: Any = getattr(ceiba, kind)
    fitted = make(**given).fit(X, target)
    fitted.save_model(tmp_path / "model")
    loaded = make.load_model(tmp_path / "model")
    assert {name: loaded.get_params()[name] for name in given} == given
    again = make(**loaded.get_params()).fit(X, target)
    assert again.fingerprint() == fitted.fingerprint()


def test_names_of_other_libraries_become_ours(tmp_path: Path) -> None:
    fitted = ceiba.CeibaRegressor(num_leaves=5, n_estimators=3, eta=0.2).fit(X, Y)
    fitted.save_model(tmp_path / "model")
    loaded = ceiba.CeibaRegressor.load_model(tmp_path / "model")
    found = {name: value for name, value in loaded.get_params().items() if value is not None}
    own = {"max_leaves": 5, "n_estimators": 3, "learning_rate": 0.2}
    assert found == {"recipe": "auto", **own}


def test_what_this_machine_and_the_rows_decide_is_left_out(tmp_path: Path) -> None:
    def loss(y_true: Any, raw_score: Any) -> Any:
        return raw_score - y_true, np.ones_like(raw_score)

    fitted = ceiba.CeibaRegressor(n_estimators=2, n_jobs=1, objective=loss, verbose=0).fit(X, Y)
    fitted.save_model(tmp_path / "model")
    loaded = ceiba.CeibaRegressor.load_model(tmp_path / "model")
    found = {name: value for name, value in loaded.get_params().items() if value is not None}
    assert found == {"recipe": "auto", "n_estimators": 2}


def test_parameters_that_won_a_race_do_not_bind_another_fit(tmp_path: Path) -> None:
    ceiba.CeibaRegressor().fit(X, Y).save_model(tmp_path / "model")
    loaded = ceiba.CeibaRegressor.load_model(tmp_path / "model")
    assert loaded.get_params() == ceiba.CeibaRegressor().get_params()


def test_an_estimator_that_loads_keeps_its_parameters(tmp_path: Path) -> None:
    ceiba.CeibaRegressor(n_estimators=3).fit(X, Y).save_model(tmp_path / "model")
    own = ceiba.CeibaRegressor(max_leaves=4).load_model(tmp_path / "model")
    assert own.get_params()["n_estimators"] is None
    assert own.get_params()["max_leaves"] == 4
