"""Tables of every kind in fit and predict of the estimators."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from small_table import BINARY, FRAME, THREE, X, Y, classifier, regressor

from ceiba.errors import CeibaError, InvalidInputError


@pytest.mark.parametrize(
    "table",
    [
        X,
        np.asfortranarray(X),
        X.tolist(),
        FRAME,
        pl.DataFrame(FRAME),
        pa.table({name: FRAME[name].to_numpy() for name in FRAME}),
        sparse.csr_array(X),
        sparse.csc_array(X),
        sparse.csr_matrix(X),
        X.astype(object),
    ],
    ids=lambda t: f"{type(t).__module__}.{type(t).__name__}",
)
def test_tables_of_every_kind_give_the_same_predictions(table: Any) -> None:
    expected = regressor().fit(X, Y).predict(X)
    fitted = regressor().fit(table, Y)
    np.testing.assert_array_equal(fitted.predict(table), expected)
    names = getattr(fitted, "feature_names_in_", None)
    has_names = hasattr(table, "columns") or hasattr(table, "column_names")
    assert (names is not None and names.tolist() == ["a", "b", "c", "d"]) == has_names


def test_missing_values() -> None:
    holes = X.copy()
    holes[np.random.default_rng(1).random(X.shape) < 0.3] = np.nan
    fitted = regressor(n_estimators=50).fit(holes, Y)
    assert fitted.score(holes, Y) > 0.6
    frame = FRAME.where(~np.isnan(holes))
    np.testing.assert_array_equal(
        regressor(n_estimators=50).fit(frame, Y).predict(frame), fitted.predict(holes)
    )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n_rows", [1, 2, 400])
def test_the_fast_path_gives_what_the_slow_one_does(dtype: str, n_rows: int) -> None:
    rows = X[:n_rows].astype(dtype)
    for fitted in (
        regressor().fit(X, Y),
        classifier().fit(X, BINARY),
        classifier().fit(X, THREE),
    ):
        slow = np.array([fitted.predict(row.tolist())[0] for row in rows[:, None, :][:5]])
        np.testing.assert_array_equal(fitted.predict(rows)[:5], slow)
        np.testing.assert_array_equal(fitted.predict(rows[:, ::-1][:, ::-1]), fitted.predict(rows))
        with pytest.raises(InvalidInputError, match="X has 3 features, but Ceiba"):
            fitted.predict(rows[:, :3])
        with pytest.raises(CeibaError, match=r"2D|1D|dimension"):
            fitted.predict(rows[0])


def test_fitting_again_forgets_the_names() -> None:
    fitted = regressor().fit(FRAME, Y)
    assert fitted.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    with pytest.warns(UserWarning, match="valid feature names"):
        fitted.predict(X)
    fitted.fit(X, Y)
    assert not hasattr(fitted, "feature_names_in_")
    with pytest.warns(UserWarning, match="fitted without feature names"):
        fitted.predict(FRAME)
