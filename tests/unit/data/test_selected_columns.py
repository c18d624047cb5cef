"""Tables with more columns than a model was trained on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ceiba import CeibaRegressor, train
from ceiba.data.dataset import Dataset
from ceiba.errors import InvalidInputError

RANDOM = np.random.default_rng(0)
FRAME = pd.DataFrame(RANDOM.normal(size=(50, 3)), columns=list("abc"))
WIDE = FRAME.assign(target=FRAME["a"] * 2.0, other="text")[["target", "c", "other", "b", "a"]]
FITTED = CeibaRegressor(n_estimators=3, min_samples_leaf=5).fit(FRAME, WIDE["target"])


@pytest.mark.parametrize(
    "table",
    [WIDE, pl.from_pandas(WIDE), WIDE.to_dict("records"), WIDE.iloc[0].to_dict()],
    ids=["pandas", "polars", "records", "row"],
)
def test_other_columns_are_left_out_and_named(table: Any) -> None:
    n_rows = 1 if isinstance(table, dict) else 50
    with pytest.warns(UserWarning, match="not trained on: 'target', 'other'"):
        known = FITTED.select_columns(table)
    np.testing.assert_array_equal(
        FITTED.model_.predict(known), FITTED.model_.predict(FRAME[:n_rows])
    )


def test_one_table_serves_every_method() -> None:
    with pytest.warns(UserWarning, match="Dropped columns"):
        known = FITTED.model_.select_columns(WIDE)
    assert list(known.columns) == list("abc")
    np.testing.assert_array_equal(FITTED.predict(known), FITTED.predict(FRAME))
    assert FITTED.evaluate(known, WIDE["target"]) == FITTED.evaluate(FRAME, WIDE["target"])
    np.testing.assert_array_equal(FITTED.explain(known).values, FITTED.explain(FRAME).values)


@pytest.mark.filterwarnings("error")
def test_nothing_is_said_where_nothing_is_left_out() -> None:
    assert list(FITTED.select_columns(FRAME[["c", "b", "a"]]).columns) == list("abc")
    array = FRAME.to_numpy()
    assert FITTED.select_columns(array) is array


def test_errors() -> None:
    with pytest.raises(InvalidInputError, match=r"select_columns\(X\).* drops them"):
        FITTED.model_.predict(WIDE)
    with pytest.raises(InvalidInputError, match=r"Missing columns .*: 'b'"):
        FITTED.select_columns(WIDE[["a", "c"]])
    with pytest.raises(InvalidInputError, match="Missing column 'a' in a row"):
        FITTED.select_columns([{"a": 1, "b": 1, "c": 1}, {"b": 1, "c": 1}])
    unnamed = train({"n_estimators": 1}, Dataset(FRAME.to_numpy(), WIDE["target"]))
    with pytest.raises(InvalidInputError, match="unnamed columns"):
        unnamed.select_columns(WIDE)
