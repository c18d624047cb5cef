"""Targets, labels and weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.exceptions import DataConversionWarning

from ceiba.errors import CeibaError, InvalidInputError, InvalidParameterError
from ceiba.estimators.targets import (
    encode_labels,
    find_classes,
    read_column,
    read_numbers,
    weigh_classes,
    weigh_labels,
)

LABELS: list[Any] = [
    np.array([3, 1, 1, 3, 7]),
    np.array([3, 1, 1, 3, 7], dtype=np.uint8),
    np.array([-100, 100, 100, -100, 127], dtype=np.int8),
    np.array([10**12, 1, 1, 10**12, 7]),
    np.array([2**63 + 1, 2**63, 2**63, 2**63 + 1, 2**63 + 3], dtype=np.uint64),
    np.array([True, False, False, True, True]),
    np.array(["b", "a", "a", "b", "c"]),
    np.array(["b", "a", "a", "b", "c"], dtype=object),
    np.array([3.0, 1.0, 1.0, 3.0, 7.0]),
]


@pytest.mark.parametrize("labels", LABELS, ids=lambda y: f"{y.dtype} {y[0]}")
def test_classes_are_those_of_numpy_unique(labels: np.ndarray) -> None:
    classes, target = find_classes(labels, None)
    expected, codes = np.unique(labels, return_inverse=True)
    np.testing.assert_array_equal(classes, expected)
    assert classes.dtype == labels.dtype
    np.testing.assert_array_equal(target, codes)
    assert target.dtype == np.float64
    np.testing.assert_array_equal(encode_labels(labels[1:], classes), target[1:])


def test_a_class_without_weight_is_no_class() -> None:
    labels, weights = np.array([5, 6, 7, 6]), np.array([1.0, 0.0, 1.0, 0.0])
    classes, target = find_classes(labels, weights)
    assert classes.tolist() == [5, 7]
    assert target[[0, 2]].tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (np.array([1, 1, 1]), r"at least 2 classes .* Got only 1\."),
        (np.array([0.5, 1.5, 2.5]), "Unknown label type: continuous"),
        (np.array([1, "a", 2.5], dtype=object), "cannot be compared .* float, int, str"),
        (np.array([1, 2, 1], dtype=object), r"objects of the types int\. .* y\.astype\(int\)"),
        (np.array([b"a", b"b"]), "represented as bytes"),
        (np.array(["2020-01-01", "NaT"], dtype="M8[D]"), r"datetime64\[D\]\. .* y\.astype\(str\)"),
        (np.array([1.0, 1.0]), r"Got only 1\.0\. A classifier"),
    ],
)
def test_labels_that_are_none(labels: np.ndarray, message: str) -> None:
    with pytest.raises(CeibaError, match=message):
        find_classes(labels, None)


def test_labels_that_training_did_not_see() -> None:
    with pytest.raises(InvalidInputError, match=r"'d'\. The classes are 'a', 'b'"):
        encode_labels(np.array(["a", "d"]), np.array(["a", "b"]))
    with pytest.raises(InvalidInputError, match="do not"):
        encode_labels(np.array([0, 1]), np.array(["a", "b"]))
    with pytest.raises(CeibaError, match="cannot be compared"):
        encode_labels(np.array([0, "a"], dtype=object), np.array(["a", "b"]))


@pytest.mark.parametrize(
    "make", [list, np.array, pd.Series, pl.Series, pa.array, lambda y: pa.chunked_array([y])]
)
def test_a_column_of_any_kind(make: Any) -> None:
    assert read_numbers(make([1, 2, 3]), "E").tolist() == [1.0, 2.0, 3.0]
    assert read_column(make(["a", "b"]), "E").tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y to be passed, but the target y is None"),
        ([1.0, np.nan, 2.0], "y must be finite. Got NaN in 1 place.*row 1"),
        ([1.0, 2.0, -np.inf], "y must be finite. Got infinity in 1 place.*row 2"),
        (np.array([1, None], dtype=object), "missing values. Got one in row 1"),
        (["a", "b"], "must hold numbers"),
        (["1", "2"], "must hold numbers"),
        (np.array(["1", 2], dtype=object), "must hold numbers"),
        (np.array(["2020-01-01", "NaT"], dtype="M8[D]"), r"numbers\. .* of type datetime64\[D\]"),
        (pd.Series(pd.to_timedelta([1, 2])), r"must hold numbers\. .* of type timedelta64"),
        (np.ma.masked_array([1, 2, 3], [0, 0, 1]), "missing values. Got one in row 2"),
        (np.ones((3, 2)), "1d array"),
        (np.ones(3) * 1j, "Complex data not supported$"),
    ],
)
def test_targets_that_are_refused(y: Any, message: str) -> None:
    with pytest.raises(CeibaError, match=message):
        read_numbers(y, "E")


def test_rows_of_weight_zero_may_have_any_label() -> None:
    labels, classes = np.array(["b", "else", "a"]), np.array(["a", "b"])
    codes = encode_labels(labels, classes, np.array([1.0, 0.0, 2.0]))
    assert codes[[0, 2]].tolist() == [1.0, 0.0]
    with pytest.raises(InvalidInputError, match="do not occur in training: 'else'"):
        encode_labels(labels, classes, np.ones(3))


def test_weights_of_classes() -> None:
    classes, target = np.array(["a", "b"]), np.array([0.0, 1.0, 1.0, 1.0])
    assert weigh_classes(None, classes, target, None) is None
    balanced = weigh_classes("balanced", classes, target, None)
    np.testing.assert_allclose(balanced, [2, 2 / 3, 2 / 3, 2 / 3])  # type: ignore[arg-type]
    three = np.array(["a", "b", "c"])  # of a model to go on with; the new rows lack c
    np.testing.assert_array_equal(weigh_classes("balanced", three, target, None), balanced)  # type: ignore[arg-type]
    given = weigh_classes({"b": 3.0}, classes, target, np.array([1.0, 1.0, 2.0, 1.0]))
    np.testing.assert_array_equal(given, [1, 3, 6, 3])  # type: ignore[arg-type]
    with pytest.raises(InvalidParameterError, match=r"'c'\. The classes are 'a', 'b'"):
        weigh_classes({"c": 3.0}, classes, target, None)
    with pytest.raises(InvalidParameterError, match="zero"):
        weigh_classes({"a": 0.0, "b": 0.0}, classes, target, None)


def test_weights_of_labels() -> None:
    labels = np.array([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    of_first, of_second = [2, 2 / 3, 2 / 3, 2 / 3], [2 / 3, 2 / 3, 2, 2 / 3]
    expected = np.multiply(of_first, of_second)
    np.testing.assert_allclose(weigh_labels("balanced", labels, None), expected)
    twice = np.concatenate([labels, 1 - labels])
    weights = np.repeat([3.0, 0.0], 4)
    for _ in range(3):  # rows of weight 0 stay at 0 whatever memory held before
        junk = np.full(8, np.nan)
        del junk
        found = weigh_labels("balanced", twice, weights)
        np.testing.assert_allclose(found, np.concatenate([3 * expected, np.zeros(4)]))
    with pytest.raises(InvalidParameterError, match="Got dict"):
        weigh_labels({1: 2.0}, labels, None)
    with pytest.raises(InvalidParameterError, match="Got 'balanced_subsample'"):
        weigh_labels("balanced_subsample", labels, None)


@pytest.mark.parametrize("dtype", ["Int64", "boolean", "string", "object", "Float64", "category"])
def test_pandas_na_is_a_missing_label(dtype: str) -> None:
    values: list[Any] = {"string": ["a", "b"], "boolean": [True, False]}.get(dtype, [1, 2])
    y = pd.Series([*values, pd.NA, values[0]], dtype=dtype)
    for read in (read_column, read_numbers):
        with pytest.raises(InvalidInputError, match=r"(missing values\. Got one|NaN) .*row 2"):
            read(y, "CeibaClassifier")


@pytest.mark.parametrize(
    ("dtype", "kind"), [("Int64", "i"), ("boolean", "b"), ("UInt8", "u"), ("int64[pyarrow]", "i")]
)
def test_nullable_labels_keep_their_kind(dtype: str, kind: str) -> None:
    y = pd.Series([1, 0, 0, 1], dtype=dtype)
    with pytest.warns(DataConversionWarning):
        of_frame = read_column(y.to_frame(), "CeibaClassifier")
    for column in (of_frame, *(read_column(given, "CeibaClassifier") for given in (y, y.array))):
        assert column.dtype.kind == kind
        classes, target = find_classes(column, None)
        assert classes.tolist() == [0, 1]
        assert classes.dtype.kind == kind
        assert target.tolist() == [1.0, 0.0, 0.0, 1.0]
