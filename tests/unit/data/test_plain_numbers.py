import numpy as np
import pandas as pd
import polars as pl
import pytest

from ceiba.data.plain_numbers import check_integers, is_missing_mark, plain_numbers, read_vector
from ceiba.errors import InvalidInputError


def test_plain_numbers_stay_where_they_are():
    for dtype in ("f4", "f8", "i8", "u1", "?"):
        numbers = np.ones((2, 3), dtype=dtype)
        assert plain_numbers(numbers, "The table") is numbers
    assert plain_numbers(np.ones(2, dtype="f2"), "The table").dtype == np.float32
    assert plain_numbers(np.ones(2, dtype=">i4"), "The table").dtype.isnative
    masked = np.ma.masked_equal([1, 2], 2)
    np.testing.assert_array_equal(plain_numbers(masked, "The table"), [1, np.nan])


def test_integers_beyond_those_of_float64():
    check_integers("x", -(2**53), 2**53)
    with pytest.raises(InvalidInputError, match=r"^x: integers must lie .* Got -9007199254740993"):
        check_integers("x", -(2**53) - 1, 5)


@pytest.mark.parametrize(
    ("value", "is_mark"), [(None, True), (pd.NA, True), (pd.NaT, True), (0, False)]
)
def test_marks_of_missing_values(value, is_mark):
    assert is_missing_mark(value) is is_mark


@pytest.mark.parametrize(
    "values", [[1, 0, 1], pd.Series([1, 0, 1]), pl.Series([True, False, True])]
)
def test_vectors(values):
    numbers = read_vector(values, "target", 3)
    assert numbers.dtype == np.float64
    np.testing.assert_array_equal(numbers, [1, 0, 1])


@pytest.mark.parametrize(
    ("values", "match"),
    [
        ([1, 2], "Got 2 values for 3 rows"),
        ([[1], [2], [3]], r"one-dimensional. Got shape \(3, 1\)"),
        ([1, np.nan, 2], "must be finite. Got NaN in 1 place.*row 1"),
        (np.ma.masked_equal([1, 2, 3], 2), "must be finite. Got NaN in 1 place.*row 1"),
        ([1, 2, -np.inf], "Got infinity in 1 place.*row 2"),
        (["a", "b", "c"], "target must be numbers"),
        ([1j, 1, 1], "Complex data not supported"),
    ],
)
def test_what_cannot_be_a_vector_is_explained(values, match):
    with pytest.raises(InvalidInputError, match=match):
        read_vector(values, "target", 3)
