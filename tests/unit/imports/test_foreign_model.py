from __future__ import annotations

import numpy as np
import pytest
from imported_trees import example_trees

from ceiba.errors import ModelFileError
from ceiba.imports.foreign_model import Columns, ForeignModel
from ceiba.objectives import find_objective


def model(**changes):
    given = {
        "recipe": "lightgbm",
        "columns": Columns(2),
        "trees": example_trees(),
        "objective": find_objective("squared_error"),
        "start_scores": np.array([0.5]),
    }
    return ForeignModel(**given | changes)


def test_a_model():
    made = model(parameters={"learning_rate": 0.2, "reg_lambda": 3.0}).to_model()
    assert made.predict([[0.0, 0.0], [0.0, 1.0]]).tolist() == [60.5, 70.5]
    assert made.parameters["reg_lambda"] == 3.0
    assert made.parameters["n_estimators"] == made.n_iterations == 2
    assert not made.schema.named


def test_parameters_that_ceiba_does_not_allow_are_those_of_the_recipe():
    made = model(parameters={"learning_rate": -1.0, "max_leaves": "x"}).to_model()
    assert made.parameters["learning_rate"] == 0.1
    assert made.parameters["max_leaves"] == 31


def test_nothing_is_left_to_settle():
    for recipe in ("lightgbm", "xgboost", "catboost", "gbm", "histgb", "forest", "tree"):
        recorded = model(recipe=recipe).to_model().parameters
        settled = {recorded[name] for name in ("max_delta_step", "leaf_iterations", "sampling")}
        assert settled <= {0.0, 1, "none"}
        assert isinstance(recorded["learning_rate"], float)


def test_a_mean():
    assert model(averages=True).to_model().predict([[0.0, 0.0]]).tolist() == [0.5 + 30.0]


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"start_scores": np.array([np.nan])}, "start scores"),
        ({"start_scores": np.array([0.0, 1.0])}, "start score"),
        ({"columns": Columns(1)}, "feature"),
        ({"columns": Columns(2, ["a", "a"])}, "schema"),
        ({"columns": Columns(2, ["a", "b"], {1: ["x"]})}, "levels"),
        ({"classes": np.array(["x", "y"])}, "labels"),
    ],
)
def test_parts_that_do_not_fit(changes, what):
    with pytest.raises(ModelFileError, match=what):
        model(**changes).to_model()


def test_columns():
    columns = Columns(2, ["a", "b"], {1: ["y", "x", 3]})
    assert columns.level_numbers(1).tolist() == [2, 1, 0]
    assert columns.schema()["levels"] == {"b": [3, "x", "y"]}
    for broken in (lambda: Columns(0), lambda: Columns(2**31), lambda: Columns(2, ["a"])):
        with pytest.raises(ModelFileError):
            broken()
    with pytest.raises(ModelFileError, match="twice"):
        Columns(1, None, {0: [1, True]}).level_numbers(0)
