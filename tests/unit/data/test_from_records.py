"""Rows that are dictionaries."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ceiba import CeibaClassifier, Dataset, train
from ceiba.data.from_records import are_records, read_records
from ceiba.errors import InvalidInputError

RANDOM = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "size": RANDOM.normal(size=60),
        "rooms": RANDOM.integers(1, 5, 60),
        "city": RANDOM.choice(["rome", "bonn"], 60),
        "sold": pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(60), unit="D"),
    }
)
Y = FRAME["size"] > 0


def test_records_are_the_table_that_they_came_from() -> None:
    records = FRAME.to_dict("records")
    fitted = CeibaClassifier(n_estimators=3, min_samples_leaf=5).fit(FRAME, Y)
    again = CeibaClassifier(n_estimators=3, min_samples_leaf=5).fit(records, Y)
    assert again.fingerprint() == fitted.fingerprint()
    np.testing.assert_array_equal(fitted.predict_proba(records), fitted.predict_proba(FRAME))
    assert fitted.predict(records[:1]).tolist() == fitted.predict(FRAME[:1]).tolist()
    turned = [dict(reversed(row.items())) for row in records]
    np.testing.assert_array_equal(fitted.model_.predict(turned), fitted.model_.predict(FRAME))


@given(st.lists(st.lists(st.floats(allow_nan=False), min_size=2, max_size=2), min_size=1))
def test_values_and_names(rows: list[list[float]]) -> None:
    records = [dict(zip("ab", row, strict=True)) for row in rows]
    assert are_records(records)
    matrix, names = read_records(records)
    assert names == ["a", "b"]
    assert matrix.tolist() == rows


def test_what_is_no_table() -> None:
    for rows, message in (
        ([{"a": 1.0}, {"b": 1.0}], r"Row 1 differs from row 0 in 'a', 'b'. Pass None"),
        ([{"a": 1.0}, [1.0]], "Got list in row 1"),
    ):
        with pytest.raises(InvalidInputError, match=message):
            Dataset(rows, [1.0, 2.0])
    model = train({"n_estimators": 1}, Dataset(FRAME, Y * 1.0))
    with pytest.raises(InvalidInputError, match="Missing column 'sold'"):
        model.predict([{"size": 1.0, "rooms": 1, "city": "rome"}] * 2)
