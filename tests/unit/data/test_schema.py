import numpy as np
import pandas as pd
import pytest

from ceiba.data.read_table import read_table
from ceiba.data.schema import Schema
from ceiba.errors import InvalidInputError, ModelFileError

NAMED = Schema(("age", "height", "weight"), True, ("numeric",) * 3)
UNNAMED = read_table(np.ones((2, 3))).schema


def frame(*names):
    return read_table(pd.DataFrame([np.arange(len(names))], columns=names))


def first_row(columns):
    return [chunks[0][0] for chunks in columns]


def test_columns_without_names_are_numbered():
    assert UNNAMED.names == ("f0", "f1", "f2")
    assert not UNNAMED.named
    assert UNNAMED.n_features == 3


def test_the_number_type_is_no_part_of_it():
    assert read_table(np.ones((2, 3), dtype=np.int8)).schema == UNNAMED


def test_columns_are_matched_by_name():
    assert first_row(frame("weight", "age", "height").arranged(NAMED).columns) == [1, 2, 0]
    assert first_row(frame("age", "height", "weight").arranged(NAMED).columns) == [0, 1, 2]


def test_columns_without_names_are_matched_by_position():
    assert first_row(read_table([[5, 6, 7]]).arranged(NAMED).columns) == [5, 6, 7]
    assert first_row(frame("x", "y", "z").arranged(UNNAMED).columns) == [0, 1, 2]


@pytest.mark.parametrize(
    ("names", "match"),
    [
        (("age", "height"), "Missing column 'weight'"),
        (("age", "height", "weight", "sex"), "not trained on column 'sex'"),
        (("age", "heigth", "weight"), "Was 'height' renamed to 'heigth'"),
        (("other",), "Missing columns 'age', 'height', 'weight'"),
    ],
)
def test_other_columns_are_named_in_the_error(names, match):
    table = frame(*names)
    with pytest.raises(InvalidInputError, match=match):
        table.arranged(NAMED)


def test_long_lists_of_columns_are_cut():
    schema = Schema(tuple(f"c{j}" for j in range(100)), True, ("numeric",) * 100)
    with pytest.raises(InvalidInputError, match="'c4' and 95 more"):
        frame("other").arranged(schema)


@pytest.mark.parametrize("schema", [NAMED, UNNAMED])
def test_another_number_of_columns_is_an_error(schema):
    with pytest.raises(
        InvalidInputError, match=r"X has 2 features, but .* is expecting 3 features"
    ):
        read_table(np.ones((1, 2))).arranged(schema)


@pytest.mark.parametrize("schema", [NAMED, UNNAMED])
def test_it_survives_a_file(schema):
    assert Schema.from_dict(schema.to_dict()) == schema


@pytest.mark.parametrize(
    "change",
    [
        {"names": None},
        {"names": ["a", "b"]},
        {"names": ["a", "a", "b"]},
        {"names": [1, 2, 3]},
        {"names": [], "kinds": []},
        {"kinds": ["numeric", "numeric", "magic"]},
        {"kinds": "numeric"},
        {"named": 1},
    ],
)
def test_a_damaged_one_does_not_load(change):
    with pytest.raises(ModelFileError, match="schema"):
        Schema.from_dict({**NAMED.to_dict(), **change})
