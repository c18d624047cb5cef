"""Text and dictionaries of every library become the same codes and values."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceiba.data.from_dictionary import code_series

WORDS = st.lists(st.none() | st.sampled_from(["", "a", "b", " ", "ü", "東京"]), max_size=12)


def decoded(series: Any) -> list[Any]:
    coded = code_series(nw.from_native(series, series_only=True))
    assert coded.codes.dtype.kind in "iu"
    values = list(coded.values)
    return [None if code < 0 else values[code] for code in coded.codes.tolist()]


@given(WORDS)
def test_every_library(words: list[Any]) -> None:
    enum = pl.Enum(["b", "zz", "", "a", "ü", " ", "東京"])
    half = len(words) // 2
    text = pa.array(words, pa.string())
    chunks = [text[:half].dictionary_encode(), text[half:].dictionary_encode()]
    for series in (
        pd.Series(words, dtype="string"),
        pd.Series(words, dtype="str"),
        pd.Series(words, dtype="string[pyarrow]"),
        pd.Series(pd.Categorical(words)),
        pd.Series(pd.Categorical(words, ["ü", "never", "b", "a", "", " ", "東京"], ordered=True)),
        pl.Series(words, dtype=pl.String),
        pl.Series(words, dtype=pl.Categorical),
        pl.Series(words, dtype=enum),
        pa.chunked_array([text]),
        pa.chunked_array([text.cast(pa.large_string())]),
        pa.chunked_array([text[:half], text[half:]]),
        pa.chunked_array(chunks, chunks[0].type),
    ):
        assert decoded(series) == words, type(series)


def test_dictionaries_of_numbers_and_booleans() -> None:
    numbers = [3, 1, None, 3]
    assert decoded(pd.Series(pd.Categorical(numbers))) == numbers
    assert decoded(pa.chunked_array([pa.array(numbers).dictionary_encode()])) == numbers
    flags = pa.DictionaryArray.from_arrays(pa.array([1, 0, None]), pa.array([True, False]))
    assert decoded(pa.chunked_array([flags])) == [False, True, None]


def test_a_dictionary_that_other_columns_share() -> None:
    first = pl.Series([f"other {k}" for k in range(500)], dtype=pl.Categorical)
    words = ["b", None, "a", "b"]
    assert len(first) == 500
    assert decoded(pl.Series(words, dtype=pl.Categorical)) == words
    large = pl.Enum([f"w{k}" for k in range(5000)])
    assert decoded(pl.Series(["w4999", None, "w7"], dtype=large)) == ["w4999", None, "w7"]


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([], dtype="category"),
        pd.Series([], dtype="string"),
        pl.Series([], dtype=pl.String),
        pl.Series([], dtype=pl.Categorical),
        pa.chunked_array([], pa.string()),
        pa.chunked_array([], pa.dictionary(pa.int8(), pa.string())),
    ],
    ids=str,
)
def test_no_rows(column: Any) -> None:
    assert len(code_series(nw.from_native(column, series_only=True)).codes) == 0


def test_only_missing_values() -> None:
    nothing = [None, None]
    assert decoded(pd.Series(pd.Categorical(nothing))) == nothing
    assert decoded(pl.Series(nothing, dtype=pl.String)) == nothing
