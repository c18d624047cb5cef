import decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from ceiba import Dataset, train
from ceiba.data.read_table import read_table
from ceiba.data.schema import Schema
from ceiba.data.table import join_tables
from ceiba.errors import InvalidInputError, InvalidTypeError

NUMBER_TYPES = ["f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"]


def values_of(table):
    """The table as one float64 matrix."""
    return np.column_stack([np.concatenate(chunks).astype(float) for chunks in table.columns])


@pytest.mark.parametrize("dtype", NUMBER_TYPES)
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_plain_numbers_are_referenced(dtype, order):
    X = np.arange(12).reshape(4, 3).astype(dtype, order=order)
    table = read_table(X)
    assert table.parts[0] is X
    assert table.names is None
    assert (table.n_rows, table.n_columns) == (4, 3)
    assert all(np.shares_memory(X, chunks[0]) for chunks in table.columns)


def test_views_of_any_stride_are_referenced():
    X = np.arange(60.0).reshape(10, 6)[::-2, ::2]
    table = read_table(X)
    assert np.shares_memory(table.parts[0], X)
    np.testing.assert_array_equal(values_of(table), X)


@pytest.mark.parametrize("dtype", ["f2", ">f8", ">f4", ">i4", np.longdouble, object])
def test_other_numbers_are_converted(dtype):
    X = np.array([[1, 2], [3, 4]]).astype(dtype)
    table = read_table(X)
    assert table.parts[0].dtype.isnative
    assert table.parts[0].dtype.kind in "fi"
    np.testing.assert_array_equal(values_of(table), [[1, 2], [3, 4]])


@pytest.mark.parametrize(
    "data",
    [
        [[1, 2.5], [3, None]],
        np.array([[1, 2.5], [3, None]], dtype=object),
        np.array([[1, 2.5], [3, pd.NA]], dtype=object),
        np.ma.masked_greater([[1, 2.5], [3, 4]], 3),
        pd.DataFrame({"a": [1, 3], "b": [2.5, np.nan]}),
        pd.DataFrame(
            {"a": pd.array([1, 3], dtype="Int8"), "b": pd.array([2.5, None], dtype="Float64")}
        ),
        pd.DataFrame({"a": [1, 3], "b": np.array([2.5, None], dtype=object)}),
        pd.DataFrame({"a": [1, 3], "b": pd.array([2.5, None], dtype="double[pyarrow]")}),
        pl.DataFrame({"a": [1, 3], "b": [2.5, None]}),
        pl.DataFrame({"a": [1, 3], "b": [decimal.Decimal("2.5"), None]}),
        pa.table({"a": pa.chunked_array([[1], [3]]), "b": [2.5, None]}),
    ],
)
def test_every_kind_of_table_gives_the_same_numbers(data):
    table = read_table(data)
    np.testing.assert_array_equal(values_of(table), [[1, 2.5], [3, np.nan]])
    assert table.names == (["a", "b"] if hasattr(data, "columns") else None)


@pytest.mark.parametrize(
    ("data", "error", "match"),
    [
        (np.ones(3), InvalidInputError, "Expected 2D array, got 1D array.*Reshape your data"),
        (np.float64(1), InvalidInputError, "got scalar array"),
        (object(), InvalidTypeError, "Got object"),
        (np.ones((2, 2, 2)), InvalidInputError, "got 3D array"),
        (np.ones((3, 0)), InvalidInputError, r"0 feature\(s\) \(shape=\(3, 0\)\) while a minimum"),
        (np.eye(2) * 1j, InvalidInputError, "Complex data not supported"),
        (np.array([[1j, 1], [1, 1]], dtype=object), InvalidInputError, "Complex data not support"),
        (scipy.sparse.csr_matrix(np.eye(2) * 1j), InvalidInputError, "Complex data not supported"),
        ([[1], [2, 3]], InvalidInputError, "same length"),
        ([[2**80]], InvalidInputError, "2\\^53"),
        (np.array([[{}, 1]], dtype=object), InvalidTypeError, "argument must be .*string.*number"),
        ({"a": [1]}, InvalidTypeError, "Got dict"),
        (None, InvalidTypeError, "Got NoneType"),
        ("table.csv", InvalidTypeError, "Got str"),
        (pd.Series([1, 2]), InvalidInputError, "Expected 2D array"),
        (
            pd.DataFrame({"a": np.array(["x", 1], dtype=object)}),
            InvalidInputError,
            r"Column 'a' must contain values of one type. Got 'x' \(text\) and 1 \(int\)",
        ),
        (pl.DataFrame({"a": [[1, 2]]}), InvalidInputError, "'a'.*List"),
        (pl.DataFrame({"a": [2**60, None]}), InvalidInputError, "'a'.*2\\^53"),
        (pl.LazyFrame({"a": [1]}), InvalidTypeError, "collect"),
        (pd.DataFrame(np.eye(2), columns=["a", "a"]), InvalidInputError, "names must be unique"),
        (pd.DataFrame(np.eye(2), columns=["a", 1]), InvalidTypeError, "all input features have"),
    ],
)
def test_what_cannot_be_a_table_is_explained(data, error, match):
    with pytest.raises(error, match=match):
        read_table(data)


@pytest.mark.parametrize(
    ("data", "match"),
    [
        (
            np.array([["a", "b"]]),
            "2 columns are not readable.*\n- Column 0 must be.*\n- Column 1 must",
        ),
        ([[1, "x"], [2, "y"]], "Column 1 .*could not convert string.*'x'"),
        (pd.DataFrame({"a": ["x"]}), "Column 'a' must be numbers. Got the type String. Encode"),
        (pd.DataFrame({"a": pd.Categorical(["x"])}), "Column 'a'.*Categorical"),
    ],
)
def test_without_categories_columns_must_be_numbers(data: Any, match: str) -> None:
    with pytest.raises(InvalidInputError, match=match):
        read_table(data, categorical="none")


def test_feature_names_replace_those_of_the_table():
    frame = pd.DataFrame({"a": [1], "b": [2]})
    assert read_table(frame, feature_names=["x", "y"]).names == ["x", "y"]
    with pytest.raises(InvalidInputError, match="1 names for 2 columns"):
        read_table(frame, feature_names=["x"])
    with pytest.raises(InvalidInputError, match="column 'x'"):
        read_table(frame, feature_names=["x", "x"])
    with pytest.raises(InvalidTypeError, match="must be strings"):
        read_table(frame, feature_names=["x", 1])


def test_rows_are_taken_and_columns_arranged_across_blocks():
    X = np.arange(30.0).reshape(10, 3)
    blocks = [read_table(X[:4]), read_table(pd.DataFrame({"a": X[4:, 0], "b": 1, "c": X[4:, 2]}))]
    X = np.column_stack([X[:, 0], np.where(np.arange(10) < 4, X[:, 1], 1), X[:, 2]])
    table = join_tables(blocks)
    keep = np.arange(10) % 3 > 0
    np.testing.assert_array_equal(values_of(table.take(keep)), X[keep])
    named = table.renamed(["a", "b", "c"])
    other = Schema.of(["c", "a", "b"], 3)
    np.testing.assert_array_equal(values_of(named.arranged(other)), X[:, [2, 0, 1]])
    assert named.arranged(other).names == ["c", "a", "b"]


@pytest.mark.parametrize(
    ("table", "name"),
    [
        (np.array([[1, 2], [3, 2**60]]), "Column 1"),
        (pd.DataFrame({"a": [1, 2], "b": [3, -(2**60)]}), "Column 'b'"),
        (pl.DataFrame({"a": [1.5, 2.5], "b": [3, 2**60]}), "Column 'b'"),
    ],
    ids=["array", "pandas", "polars"],
)
def test_integers_that_are_too_large_are_told_by_their_column(table: Any, name: str) -> None:
    message = rf"^{name}: integers must lie between -2\^53 and 2\^53"
    dataset = Dataset(table, [0.0, 1.0])
    with pytest.raises(InvalidInputError, match=message):
        train({"n_estimators": 1}, dataset)
    with pytest.raises(InvalidInputError, match=message):
        train({"n_estimators": 1, "split_method": "exact"}, dataset)
    rows = Dataset(np.array([[0.0, 0.0], [0.0, 1.0]]), [0.0, 1.0])
    model = train({"n_estimators": 1, "min_samples_leaf": 1, "reg_lambda": 0.0}, rows)
    for predict in (model.predict, model.apply):
        with pytest.raises(InvalidInputError, match=message):
            predict(table)
