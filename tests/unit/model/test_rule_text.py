"""Thresholds as text route rows as the thresholds do."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from read_rules import known, leaf_of_text

import ceiba
from ceiba.data.read_table import read_table
from ceiba.model.rule_text import RuleText, date_text, decimal, duration_text, threshold_text
from ceiba.model.tree_text import tree_rules

FINITE = st.floats(allow_nan=False, allow_infinity=False, width=64)


@given(FINITE)
def test_decimal_has_every_digit(value: float) -> None:
    assert float(decimal(value)) == value
    assert decimal(value) != "-0"


@given(FINITE, FINITE)
def test_a_threshold_divides_its_neighbors(one: float, other: float) -> None:
    low, high = min(one, other), max(one, other)
    middle = low / 2 + high / 2
    middle = middle if low < middle < high else low
    text = threshold_text(middle, low, high)
    if low < high:
        assert low <= float(text) < high
        assert len(text) <= len(decimal(middle)) or "e" in decimal(middle)


@given(st.integers(-(10**9), 10**9), st.integers(0, 6), st.integers(1, 10**6))
def test_rounding_errors_are_not_written(number: int, decimals: int, step: int) -> None:
    low, high = number / 10**decimals, (number + step) / 10**decimals
    text = threshold_text((low + high) / 2)
    assert low <= float(text) < high
    assert len(text.split(".")[-1]) <= decimals + 1 or "." not in text


def test_values_that_are_next_to_each_other() -> None:
    for low in (0.3, 1e300, 5e-324, -1.0, 123456.789):
        high = math.nextafter(low, math.inf)
        assert low <= float(threshold_text(low, low, high)) < high
    assert threshold_text(10725.5) == "10725.5"
    assert threshold_text((0.1 + 0.2) / 2) == "0.15"
    assert threshold_text(0.4938271604938271, 0.49, 0.4976) == "0.494"


@given(st.integers(-60_000_000_000_000_000, 200_000_000_000_000_000), st.integers(1, 10**12))
def test_dates_and_durations_divide_their_neighbors(start: int, step: int) -> None:
    for make, text_of in ((pd.Timestamp, date_text), (pd.Timedelta, duration_text)):
        low, high = (make(start + k * step * 1000, unit="ns").floor("us") for k in (0, 1))
        frame = pd.DataFrame({"t": [low, high]})
        values = np.asarray(read_table(frame).columns[0][0], dtype=np.float64)
        if step < 3 or not values[0] < values[1]:
            continue  # closer than float64 tells instants apart
        text = text_of(values.mean() if values[0] < values.mean() < values[1] else values[0])
        if not text.startswith("-"):
            assert low <= known(low, text) < high
        short = RuleText(read_table(frame).schema, read_table(frame))
        assert len(short.threshold(0, values.mean())) <= len(text)


def test_words_of_dates() -> None:
    assert date_text(18628.0) == "2021-01-01"
    assert date_text(18628.5) == "2021-01-01 12:00"
    assert duration_text(3.5) == "3 days 12:00"
    assert duration_text(1 / 24) == "01:00"
    assert duration_text(-1.0) == "-1 day"
    assert duration_text(0.0) == "0 days"
    assert date_text(1e9).startswith("1000000000 days")


def _frame(seed: int, n_rows: int) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "whole": random.integers(0, 30_000, n_rows),
            "tenths": np.round(random.normal(size=n_rows), 1),
            "real": random.normal(size=n_rows),
            "single": random.normal(size=n_rows).astype(np.float32),
            "near": 0.3 + random.integers(0, 9, n_rows) * 2e-15,
            "day": pd.Timestamp("2020-02-01")
            + pd.to_timedelta(random.integers(0, 900, n_rows), "D"),
            "wait": pd.to_timedelta(random.integers(0, 10**6, n_rows), "s"),
            "town": random.choice(["Bonn", "Kiel", "Ulm", "Trier"], n_rows),
        }
    )
    frame.loc[random.random(n_rows) < 0.2, "real"] = np.nan
    frame.loc[random.random(n_rows) < 0.2, "town"] = None
    return frame


@given(st.integers(0, 10_000), st.booleans(), st.sampled_from(["tree", "boosted", "forest"]))
def test_rows_reach_their_leaves_by_the_printed_rules(seed: int, short: bool, kind: str) -> None:
    frame = _frame(seed, 60)
    random = np.random.default_rng(seed)
    y = random.normal(size=60) + frame["whole"] / 10_000
    settings = {
        "tree": {"recipe": "tree"},
        "boosted": {"n_estimators": 2, "min_samples_leaf": 2, "min_data_in_bin": 1},
        "forest": {"recipe": "forest", "n_estimators": 2},
    }[kind]
    model = ceiba.train(settings, ceiba.Dataset(frame, y))
    tree = model.n_trees - 1
    rows = frame if short else frame.drop(columns="near")
    if not short:  # values that only rounding errors tell apart need the rows
        model = ceiba.train(settings, ceiba.Dataset(rows, y))
    how = {"max_depth": 60, "show_missing": True, "decimals": 9}
    text = tree_rules(model, tree, X=rows if short else None, **how)
    predicted = model.predict(rows, iteration_range=(tree, tree + 1))
    for i in range(len(rows)):
        leaf = leaf_of_text(rows.iloc[i], text)
        assert float(leaf.split()[1]) == pytest.approx(predicted[i], abs=1e-8)


def test_statistics_say_what_they_are() -> None:
    frame = _frame(1, 300)[["town", "tenths"]]
    y = frame["town"].map({"Bonn": 1.0, "Kiel": 2.0, "Ulm": 3.0, "Trier": 4.0}).fillna(0.0)
    model = ceiba.train({"n_estimators": 5, "categorical": "target"}, ceiba.Dataset(frame, y))
    text = tree_rules(model)
    assert "mean target of town <= " in text
    assert max(map(len, text.splitlines())) < 60
