"""Tables, values, targets and weights that are bad, empty or extreme: each has a clear error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from bad_input import (
    FRAME,
    LABELS,
    ONES,
    BadCall,
    X,
    Y,
    check_error,
    classifier,
    each_of,
    regressor,
)

from ceiba import Dataset, train
from ceiba.errors import CeibaError


def with_value(values: np.ndarray, value: float) -> np.ndarray:
    changed = values.copy()
    changed.flat[1] = value
    return changed


def of_dtype(values: Any) -> pd.DataFrame:
    return FRAME.assign(height=values)


ERRORS: list[BadCall] = [
    # ---- empty and misshapen tables -------------------------------------------------------------
    ("no rows", lambda: regressor().fit(X[:0], Y[:0]), ValueError, r"0 sample\(s\)"),
    ("no columns", lambda: regressor().fit(X[:, :0], Y), ValueError, r"0 feature\(s\)"),
    ("no rows in a Dataset", lambda: Dataset(X[:0], Y[:0]), ValueError, "row"),
    ("no columns in a Dataset", lambda: Dataset(X[:, :0], Y), ValueError, "column|feature"),
    ("empty list", lambda: regressor().fit([], []), ValueError, "2D"),
    ("one dimension", lambda: regressor().fit(Y, Y), ValueError, "2D|1D|dimension"),
    ("three dimensions", lambda: regressor().fit(np.ones((60, 2, 2)), Y), ValueError, "2D|3D|dim"),
    (
        "ragged list",
        lambda: regressor().fit([[1.0], [1.0, 2.0]], [1, 2]),
        ValueError,
        "same length",
    ),
    ("a word for a table", lambda: regressor().fit("table.csv", Y), TypeError, "Got str"),
    ("None for a table", lambda: regressor().fit(None, Y), TypeError, "Got None"),
    ("more rows than labels", lambda: regressor().fit(X, Y[:-1]), ValueError, "60 rows .* 59"),
    ("Dataset of two lengths", lambda: Dataset(X, Y[:-1]), ValueError, "59|60"),
    # ---- values ---------------------------------------------------------------------------------
    ("complex values", lambda: regressor().fit(X * 1j, Y), ValueError, "Complex data not supp"),
    (
        "words, and no categories",
        lambda: regressor(categorical_features="none").fit(of_dtype("tall"), Y),
        CeibaError,
        "Column 'height' must be numbers",
    ),
    ("object column", lambda: regressor().fit(of_dtype([{}] * 60), Y), CeibaError, "height"),
    (
        "categories, and none wanted",
        lambda: regressor(categorical_features="none").fit(
            of_dtype(pd.Categorical(["a", "b"] * 30)), Y
        ),
        CeibaError,
        "height",
    ),
    (
        "integers beyond 2^53",
        lambda: regressor().fit(np.full((60, 1), 2**53 + 1), Y),
        ValueError,
        r"2\^53",
    ),
    (
        "names given twice",
        lambda: Dataset(FRAME.set_axis(["a", "a", "b"], axis=1), Y),
        CeibaError,
        "a",
    ),
    # ---- targets --------------------------------------------------------------------------------
    ("no target", lambda: regressor().fit(X, None), ValueError, "y is None"),
    ("NaN target", lambda: regressor().fit(X, with_value(Y, np.nan)), ValueError, "row 1"),
    ("infinite target", lambda: regressor().fit(X, with_value(Y, np.inf)), ValueError, "infinity"),
    (
        "NaN target of a Dataset",
        lambda: Dataset(X, with_value(Y, np.nan)),
        ValueError,
        "NaN|finite",
    ),
    ("words as target", lambda: regressor().fit(X, LABELS), ValueError, "CeibaClassifier"),
    (
        "two columns of targets for a loss of one",
        lambda: regressor(objective="absolute_error").fit(X, X[:, :2]),
        ValueError,
        "takes one target for each row. Got 2",
    ),
    (
        "three dimensions of targets",
        lambda: regressor().fit(X, np.ones((len(X), 2, 2))),
        ValueError,
        "dim",
    ),
    (
        "numbers as labels of several columns",
        lambda: classifier().fit(X, X[:, :2]),
        ValueError,
        "labels of 0 and 1",
    ),
    ("numbers as labels", lambda: classifier().fit(X, Y), ValueError, "Unknown label type"),
    ("NaN label", lambda: classifier().fit(X, with_value(ONES, np.nan)), ValueError, "NaN"),
    (
        "missing label",
        lambda: classifier().fit(X, np.array([None, *LABELS[1:]], dtype=object)),
        ValueError,
        "row 0",
    ),
    ("one class", lambda: classifier().fit(X, ONES), ValueError, "at least 2 classes"),
    (
        "one row of one class",
        lambda: classifier().fit(X[:1], [1]),
        ValueError,
        "at least 2 classes",
    ),
    (
        "one class of weight above zero",
        lambda: classifier().fit(X, LABELS, sample_weight=LABELS == "yes"),
        ValueError,
        "only .*'yes'",
    ),
    (
        "labels that are not 0 and 1",
        lambda: train({"objective": "logistic"}, Dataset(X, Y)),
        ValueError,
        "0 and 1",
    ),
    (
        "class indices with a gap",
        lambda: train({"objective": "softmax"}, Dataset(X, np.arange(60) % 2 * 2.0)),
        ValueError,
        "class 1",
    ),
    # ---- weights --------------------------------------------------------------------------------
    (
        "negative weight",
        lambda: regressor().fit(X, Y, sample_weight=with_value(ONES, -1)),
        ValueError,
        "Got -1 in row 1",
    ),
    (
        "NaN weight",
        lambda: regressor().fit(X, Y, sample_weight=with_value(ONES, np.nan)),
        ValueError,
        "sample_weight must be finite. Got NaN .*row 1",
    ),
    (
        "infinite weight",
        lambda: regressor().fit(X, Y, sample_weight=with_value(ONES, np.inf)),
        ValueError,
        "sample_weight must be finite. Got infinity .*row 1",
    ),
    ("all weights zero", lambda: regressor().fit(X, Y, sample_weight=0 * ONES), ValueError, "zero"),
    ("too few weights", lambda: regressor().fit(X, Y, sample_weight=ONES[1:]), ValueError, "59"),
    ("negative weight, Dataset", lambda: Dataset(X, Y, weight=-ONES), ValueError, "weight"),
    ("NaN weight, Dataset", lambda: Dataset(X, Y, weight=np.nan * ONES), ValueError, "weight"),
    ("all weights zero, Dataset", lambda: Dataset(X, Y, weight=0 * ONES), ValueError, "zero|0"),
    (
        "weight of a class that is not there",
        lambda: classifier(class_weight={"maybe": 2}).fit(X, LABELS),
        ValueError,
        "'maybe'",
    ),
]


@each_of(ERRORS)
def test_error(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    check_error(call, kind, message)
