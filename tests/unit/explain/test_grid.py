"""Points at which dependence is looked at."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba.data.read_table import read_table
from ceiba.errors import InvalidParameterError
from ceiba.explain.grid import GridRule, axis_of_column, is_pair, read_grid

pd = pytest.importorskip("pandas")

FRAME = pd.DataFrame(
    {
        "few": [3.0, 1.0, np.nan, 3.0, 2.0, 1.0] * 20,
        "many": np.arange(120.0),
        "mostly": [0.0] * 115 + [1.0, 2.0, 3.0, 4.0, 5.0],
        "colour": ["red", "green", "red", "blue", "red", "green"] * 20,
        "day": pd.date_range("2024-01-01", periods=120),
        "nothing": [np.nan] * 120,
    }
)
TABLE = read_table(FRAME)
SCHEMA = TABLE.schema


def axis(name, n_points=4, percentiles=(0.05, 0.95)):
    position = SCHEMA.names.index(name)
    return axis_of_column(
        SCHEMA, position, TABLE.columns[position], GridRule(n_points, percentiles)
    )


def test_points_that_rows_suggest():
    assert axis("few").values.tolist() == [1, 2, 3]
    np.testing.assert_allclose(axis("many", 3).numbers, np.linspace(5.95, 113.05, 3))
    np.testing.assert_allclose(axis("many", 3, (0, 1)).numbers, [0, 59.5, 119])
    assert axis("mostly", 3).numbers.tolist() == [0, 2, 5]
    assert axis("colour").values.tolist() == ["blue", "green", "red"]
    assert axis("colour", 2).values.tolist() == ["green", "red"]
    assert axis("day", 2, (0, 1)).values.astype(str).tolist() == [
        "2024-01-01T00:00:00",
        "2024-04-29T00:00:00",
    ]
    with pytest.raises(InvalidParameterError, match="'nothing' has no finite value"):
        axis("nothing")


def test_points_that_are_given():
    axes = read_grid(
        SCHEMA, {"colour": ["red", "blue"], "few": [2, np.nan], "day": FRAME["day"][:1]}
    )
    by_name = {own.name: own for own in axes.values()}
    assert by_name["colour"].numbers.tolist() == [2, 0]
    assert by_name["few"].numbers[0] == 2
    assert by_name["day"].numbers.tolist() == [19723]
    for grid, message in (
        ([1, 2], "must be a dictionary"),
        ({"colour": ["pink"]}, "levels of the column"),
        ({"colour": []}, "levels of the column"),
        ({"few": []}, "at least one number"),
        ({"few": "red"}, "at least one number"),
        ({"fewer": [1]}, "Did you mean 'few'"),
    ):
        with pytest.raises(InvalidParameterError, match=message):
            read_grid(SCHEMA, grid)


def test_pairs():
    assert is_pair(("a", "b"))
    assert is_pair((0, np.int64(1)))
    assert not is_pair(["a", "b"])
    assert not is_pair(("a", "b", "c"))
    assert not is_pair("ab")
