"""Columns at predict, in scikit-learn's words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ceiba.data.read_table import read_table
from ceiba.data.schema import Schema
from ceiba.errors import InvalidInputError
from ceiba.estimators.columns import check_columns

VALUES = np.array([[1.0, 2.0], [3.0, 4.0]])
FRAME = pd.DataFrame(VALUES, columns=["a", "b"])
NAMED = read_table(FRAME).schema
NAMELESS = read_table(VALUES).schema


def test_the_same_columns_pass() -> None:
    check_columns(read_table(FRAME), NAMED, "E")
    check_columns(read_table(VALUES), NAMELESS, "E")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["b", "a"], "must be in the same order as they were in fit"),
        (["a", "c"], "unseen at fit time:\n- c\nFeature names seen .* missing:\n- b"),
        (["a"], "yet now missing:\n- b\n"),
        (["a", "b", "c", "d", "e", "f", "g", "h"], "- c\n- d\n- e\n- f\n- g\n- ...\n"),
    ],
)
def test_names_that_differ(names: list[str], message: str) -> None:
    frame = pd.DataFrame(np.ones((2, len(names))), columns=names)
    with pytest.raises(InvalidInputError, match=message):
        check_columns(read_table(frame), NAMED, "E")


def test_names_on_one_side_only_are_a_warning() -> None:
    with pytest.warns(UserWarning, match="does not have valid feature names, but E was fitted"):
        check_columns(read_table(VALUES), NAMED, "E")
    with pytest.warns(UserWarning, match="X has feature names, but E was fitted without"):
        check_columns(read_table(FRAME), NAMELESS, "E")


@pytest.mark.parametrize("schema", [NAMED, NAMELESS])
def test_number_of_columns(schema: Schema) -> None:
    with pytest.raises(InvalidInputError, match="X has 3 features, but E is expecting 2 features"):
        check_columns(read_table(np.ones((2, 3))), schema, "E")
