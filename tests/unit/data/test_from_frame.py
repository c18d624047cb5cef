import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from ceiba.data.block import dense_values
from ceiba.data.from_frame import as_frame, check_in_memory, frame_columns, frame_names
from ceiba.data.read_table import read_table
from ceiba.errors import InvalidInputError, InvalidTypeError


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_names_and_columns(library):
    frame = as_frame(library({"a": [1.5, 2.5], "b": [3, 4]}))
    assert frame_names(frame) == ["a", "b"]
    columns = frame_columns(frame, ["auto", "auto"])
    assert [column.kind for column in columns] == ["numeric", "numeric"]
    np.testing.assert_array_equal([column.values for column in columns], [[1.5, 2.5], [3, 4]])


@pytest.mark.parametrize("data", [[[1]], ((1,),), 3, np.eye(2), pd.Series([1])], ids=str)
def test_what_is_no_frame(data):
    assert as_frame(data) is None


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame, pa.table])
def test_booleans_and_columns_without_any_value(library):
    table = read_table(library({"a": [True, False], "b": [True, None], "c": [None, None]}))
    np.testing.assert_array_equal(
        np.column_stack([c for (c,) in table.columns]), [[1, 1, np.nan], [0, np.nan, np.nan]]
    )


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_dates_of_which_none_is_known_are_dates(library):
    """Rows of a later table, or of another fold, may know some."""
    kinds = {"a": pl.Datetime, "b": pl.Date, "c": pl.Duration, "d": pl.Datetime(time_zone="UTC")}
    frame = pl.DataFrame({name: pl.Series([None, None], dtype=k) for name, k in kinds.items()})
    if library == "pandas":
        frame = frame.to_pandas()
    elif library == "arrow":
        frame = frame.to_arrow()
    assert read_table(frame).schema.kinds == ("date", "date", "duration", "date")


def test_frames_are_referenced():
    X = np.arange(12.0).reshape(4, 3)
    frame = pd.DataFrame(X, columns=["a", "b", "c"], copy=False)
    assert np.shares_memory(read_table(frame).parts[0], X)
    frame["d"] = 1  # two blocks now
    assert all(
        np.shares_memory(chunks[0], frame[name].to_numpy())
        for name, chunks in zip("abcd", read_table(frame).columns, strict=True)
    )
    column = pl.DataFrame({"a": X[:, 0].copy()})
    assert np.shares_memory(read_table(column).columns[0][0], column["a"].to_numpy())


def test_integer_column_labels_are_no_names():
    assert read_table(pd.DataFrame(np.eye(2))).names is None


def test_sparse_columns_of_pandas():
    dense = pd.DataFrame({"a": [0.0, 1.5, 0.0, np.nan], "b": [0, 0, 3, 0], "c": [1.0, 2.0, 3.0, 4]})
    mixed = dense.assign(
        a=pd.arrays.SparseArray(dense["a"], fill_value=0.0),
        b=pd.arrays.SparseArray(dense["b"], fill_value=0),
    )
    for frame in (mixed, mixed[["a", "b"]], dense[["b", "c"]].astype(pd.SparseDtype(float, 0.0))):
        table = read_table(frame)
        assert table.names == list(frame.columns)
        for name, (chunk,) in zip(table.names, table.columns, strict=True):
            np.testing.assert_array_equal(dense_values(chunk), dense[name])
    text = pd.DataFrame({"t": pd.arrays.SparseArray(["x", "y"])})
    with pytest.raises(InvalidInputError, match="Column 't' must be numbers"):
        read_table(text)


def test_record_batches_keep_their_names():
    batch = pa.record_batch({"a": pa.array([1.0, None]), "b": pa.array([1, 2])})
    table = read_table(batch)
    assert table.names == ["a", "b"]
    np.testing.assert_array_equal(table.columns[0][0], [1.0, np.nan])


def test_integers_of_128_bits():
    for dtype in (pl.Int128, pl.UInt128):
        for values in ([1, 2, 3], [1, None, 3]):
            (column,) = read_table(pl.DataFrame({"a": pl.Series(values, dtype=dtype)})).columns
            expected = [np.nan if value is None else value for value in values]
            np.testing.assert_array_equal(column[0], expected)
        with pytest.raises(InvalidInputError, match=r"Column 'a': integers must lie .* 2\^53"):
            read_table(pl.DataFrame({"a": pl.Series([2**100], dtype=dtype)}))


@pytest.mark.parametrize(
    ("library", "call"),
    [
        ("dask.dataframe", ".compute()"),
        ("duckdb", ".df()"),
        ("ibis.expr", ".to_pandas()"),
        ("pyspark.sql", ".toPandas()"),
    ],
)
def test_what_is_not_in_memory_is_told_how_to_get_there(library: str, call: str) -> None:
    relation = type("Relation", (), {"__module__": library})()
    owner = library.split(".")[0]
    found = rf"must be in memory. Got a lazy Relation of {owner}.*Call {re.escape(call)} on"
    with pytest.raises(InvalidTypeError, match=f"The table {found}"):
        as_frame(relation)
    with pytest.raises(InvalidTypeError, match=f"y {found}"):
        check_in_memory(relation, "y")


def test_lazy_frames_of_polars_are_collected_first() -> None:
    with pytest.raises(InvalidTypeError, match=r"Got a lazy LazyFrame of polars.*\.collect\(\)"):
        as_frame(pl.LazyFrame({"a": [1.0]}))
