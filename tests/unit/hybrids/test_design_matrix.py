"""Columns of linear models: levels, missing values, names."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from ceiba.data.read_table import read_like, read_table
from ceiba.errors import InvalidInputError
from ceiba.hybrids.design_matrix import DesignMatrix
from ceiba.hybrids.rows import canonical_rows, values_of

FRAME = pd.DataFrame(
    {"size": [1.0, 2.0, np.nan, 6.0], "colour": ["red", "blue", "red", None], "same": [7.0] * 4}
)


def design() -> DesignMatrix:
    rows = canonical_rows(read_table(FRAME), np.arange(4.0), None)
    return DesignMatrix.of(rows, [0, 1, 2])


def test_names_tell_levels() -> None:
    assert design().names == ["size", "colour=blue", "colour=red", "same"]


def test_missing_values_and_new_levels_are_at_the_mean() -> None:
    made = design()
    np.testing.assert_allclose(made.means, [3.0, 1 / 3, 2 / 3, 7.0])
    later = pd.DataFrame({"size": [np.nan, 5.0], "colour": ["green", "red"], "same": [7.0, 8.0]})
    table = read_like(later, made.schema).arranged(made.schema)
    columns = made.columns(values_of(table))
    np.testing.assert_allclose(columns, [[0, 0, 0, 0], [2.0, -1 / 3, 1 / 3, 1.0]])


def test_a_column_that_is_always_the_same_has_scale_one() -> None:
    assert design().scales[3] == 1.0
    assert design().scales[0] == pytest.approx(np.std([1.0, 2.0, 6.0]))


def test_infinite_values_are_refused_by_name() -> None:
    made = design()
    values = np.array([[np.inf, 0.0, 7.0]])
    with pytest.raises(InvalidInputError, match="Column 'size' must hold finite numbers"):
        made.columns(values)


def test_huge_numbers_are_refused() -> None:
    frame = pd.DataFrame({"a": [1e308, 1.7e308, 1.6e308]})
    rows = canonical_rows(read_table(frame), np.arange(3.0), None)
    with pytest.raises(InvalidInputError, match="larger numbers in 'a'"):
        DesignMatrix.of(rows, [0])


def test_a_file_keeps_it() -> None:
    made = design()
    again = DesignMatrix.from_arrays(made.schema, made.to_arrays())
    assert again.sources == made.sources
    np.testing.assert_array_equal(again.means, made.means)
    arrays = made.to_arrays()
    arrays["linear_sources"] = np.array([0, 9], dtype=np.int64)
    with pytest.raises(ValueError, match="do not exist"):
        DesignMatrix.from_arrays(made.schema, arrays)
