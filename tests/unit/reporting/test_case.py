"""Numbers as texts, and the columns by importance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from report_cases import case_of

from ceiba.reporting.case import measured, percent, plural


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.123456, "0.1235"),
        (0.82, "0.8200"),
        (0.5, "0.5"),
        (0.0, "0"),
        (1.0, "1"),
        (-2.5, "−2.5"),
        (9796.4, "9,796"),
        (1234567.0, "1,234,567"),
        (0.00234567, "0.002346"),
        (1.5e-7, "1.500e−07"),
        (3e12, "3.000e+12"),
        (math.nan, "–"),
        (math.inf, "inf"),
    ],
)
def test_numbers(value, text):
    assert measured(value) == text


def test_shares_and_counts():
    assert percent(0.1234) == "12.3 %"
    assert percent(0.0001) == "< 0.1 %"
    assert percent(0.0) == "0.0 %"
    assert plural(1, "row") == "1 row"
    assert plural(2000, "query", "queries") == "2,000 queries"


def test_columns_by_importance():
    case = case_of("regression")
    names = [case.schema.names[j] for j in case.explained.order]
    assert names[:2] == ["age", "city"]
    sizes = case.explained.sizes[case.explained.order]
    assert (np.diff(sizes) <= 0).all()
