"""Columns by name and by position, found in the table; what is not there is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import ceiba
from ceiba import _core
from ceiba.boosting.column_constraints import column_constraints, columns_by_node, columns_by_path
from ceiba.data.schema import Schema
from ceiba.errors import InvalidParameterError
from ceiba.parameters.resolving import resolve

SCHEMA = Schema(("age", "price", "size", "year"), True, ("numeric",) * 4)


def rules(**given: Any) -> _core.ColumnConstraints:
    return column_constraints(resolve(given), SCHEMA)


def test_without_rules_there_is_nothing() -> None:
    found = rules()
    assert (found.monotone, found.interactions, found.weights) == ([], [], [])
    assert rules(monotone_constraints=[0, 0, 0, 0]).monotone == []


def test_names_become_positions() -> None:
    assert rules(monotone_constraints={"year": -1, "price": 1}).monotone == [0, 1, 0, -1]
    assert rules(monotone_constraints=[1, 0, 0, -1]).monotone == [1, 0, 0, -1]
    assert rules(feature_weights={"size": 3}, colsample_bytree=0.5).weights == [1.0, 1.0, 3.0, 1.0]
    assert rules(interaction_constraints=[["year", 0], ["size"]]).interactions == [[0, 3], [2]]


@pytest.mark.parametrize(("word", "limit"), [("no_interactions", 1), ("pairwise", 2)])
def test_a_word_is_a_limit_and_no_sets(word: str, limit: int) -> None:
    assert rules(interaction_constraints=word).interactions == []
    assert columns_by_path(resolve({"interaction_constraints": word})) == limit
    for given in ({}, {"interaction_constraints": [[0, 1]]}):
        assert columns_by_path(resolve(given)) == 0


def test_columns_in_no_set() -> None:
    sets = [["age", "price"]]
    assert rules(interaction_constraints=sets).interactions == [[0, 1]]
    assert not rules(interaction_constraints=sets).listed_only
    for given in ({"unlisted_interactions": "together"}, {"recipe": "histgb"}):
        assert rules(interaction_constraints=sets, **given).interactions == [[0, 1], [2, 3]]
    for given in ({"unlisted_interactions": "never"}, {"recipe": "lightgbm"}):
        assert rules(interaction_constraints=sets, **given).interactions == [[0, 1]]
        assert rules(interaction_constraints=sets, **given).listed_only


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"monotone_constraints": {"prize": 1}}, r"Got 'prize'.*Did you mean 'price'\?"),
        ({"monotone_constraints": [1, 0]}, "each of the 4 columns. Got 2"),
        ({"feature_weights": [1.0] * 5, "colsample_bytree": 0.5}, "each of the 4 columns. Got 5"),
        ({"feature_weights": [0.0] * 4, "colsample_bynode": 2}, "Got only zeros"),
        ({"interaction_constraints": [[0, 4]]}, "between 0 and 3. Got 4"),
        ({"interaction_constraints": [["xyz"]]}, "Got 'xyz'.*The columns are 'age', 'price'"),
    ],
)
def test_columns_that_are_not_there(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidParameterError, match=words):
        rules(**given)


def test_number_of_columns_of_a_node() -> None:
    def number(share: Any, n_features: int = 20) -> int:
        return columns_by_node(resolve({"colsample_bynode": share}), n_features)

    assert [number(share) for share in (1.0, 0.3, "sqrt", "log2", 7)] == [0, 0, 4, 4, 7]
    assert [number("log2", n) for n in (1, 2, 3, 4, 1024)] == [1, 1, 1, 2, 10]
    assert [number("sqrt", n) for n in (1, 2, 3, 4, 99)] == [1, 1, 1, 2, 9]


def test_an_estimator_takes_names_and_keeps_what_was_written() -> None:
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.uniform(size=(300, 2)), columns=["age", "price"])
    y = -X["price"] + 0.3 * random.normal(size=300)
    model = ceiba.CeibaRegressor(monotonic_cst={"price": 1}, n_estimators=20).fit(X, y)
    assert model.get_params()["monotonic_cst"] == {"price": 1}
    line = pd.DataFrame({"age": 0.5, "price": np.linspace(0, 1, 50)})
    assert (np.diff(model.predict(line)) >= 0).all()
    assert model.model_.parameters["monotone_constraints"] == {"price": 1}
