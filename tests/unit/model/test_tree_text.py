"""Trees as rules in text."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ceiba
from ceiba.errors import InvalidParameterError
from ceiba.model.tree_text import tree_rules

X = np.repeat(np.arange(4.0), 10)[:, None]


def make(y: np.ndarray, table: object = X, **given: object) -> ceiba.Model:
    parameters = {"recipe": "tree", "min_samples_leaf": 5, **given}
    return ceiba.train(parameters, ceiba.Dataset(table, y))


def test_rules_of_numbers() -> None:
    y = np.repeat([1.0, 1.0, 5.0, 6.0], 10)
    assert tree_rules(make(y, pd.DataFrame({"age": X[:, 0]}))) == (
        "|--- age <= 1.5\n"
        "|   |--- value: 1.00  (20 rows)\n"
        "|--- age > 1.5\n"
        "|   |--- age <= 2.5\n"
        "|   |   |--- value: 5.00  (10 rows)\n"
        "|   |--- age > 2.5\n"
        "|   |   |--- value: 6.00  (10 rows)\n"
    )


def test_branches_that_are_not_shown() -> None:
    y = np.repeat([1.0, 1.0, 5.0, 6.0], 10)
    text = tree_rules(make(y), max_depth=1, spacing=1, decimals=0)
    assert text == (
        "|- f0 <= 1.5\n| |- value: 1  (20 rows)\n|- f0 > 1.5\n| |- … a branch of depth 1\n"
    )


def test_rules_of_classes_and_levels() -> None:
    town = pd.Categorical(np.repeat(["Bonn", "Kiel", "Ulm", "Trier"], 10))
    y = np.repeat([0.0, 1.0, 1.0, 2.0], 10)
    text = tree_rules(make(y, pd.DataFrame({"town": town}), objective="gini"), decimals=1)
    assert "class: 1  (0 0.0, 1 1.0, 2 0.0; 20 rows)" in text
    assert "town in {" in text
    assert "town not in {" in text


def test_missing_values_have_a_side() -> None:
    table = X.copy()
    table[30:] = np.nan
    y = np.repeat([1.0, 2.0, 2.0, 9.0], 10)
    text = tree_rules(make(y, table), show_missing=True)
    assert "f0 is missing\n|   |--- value: 9.00  (10 rows)" in text
    assert " or f0 is missing" in text


def test_trees_of_a_boosted_model() -> None:
    y = np.repeat([1.0, 1.0, 5.0, 6.0], 10)
    model = make(y, recipe="auto", n_estimators=3)
    assert tree_rules(model, 2) != tree_rules(model, 0)
    with pytest.raises(InvalidParameterError, match=r"one of the 3 trees\. Got 3"):
        tree_rules(model, 3)
    for name, value in (("max_depth", -1), ("spacing", 0), ("decimals", "2")):
        with pytest.raises(InvalidParameterError, match=f"{name} must be an integer"):
            tree_rules(model, **{name: value})
