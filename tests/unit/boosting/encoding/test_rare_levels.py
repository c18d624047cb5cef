"""Levels that LightGBM drops are missing values under its recipe, and under no other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ceiba import Dataset, train
from ceiba.boosting.encoding.rare_levels import kept_levels

COUNTS = {"a": 500, "b": 300, "c": 190, "rare": 7, "two": 2, "one": 1}


def kept(counts: list[int], has_missing: bool = False, bins: int = 255, fewest: int = 3) -> Any:
    return np.flatnonzero(kept_levels(np.array(counts), has_missing, bins, fewest)).tolist()


def test_the_rarest_level_has_no_bin() -> None:
    assert kept([100, 900]) == [0, 1]  # more than 1 % of the rows
    assert kept([5, 995]) == [1]
    assert kept([5, 995], has_missing=True) == [0, 1]
    assert kept([500, 4, 492, 4]) == [0, 1, 2]  # of two that are as rare, the last
    assert kept([1000]) == [0]
    assert kept([]) == []


def test_levels_of_too_few_rows_and_too_many_levels() -> None:
    assert kept([100, 2, 100, 1], has_missing=True) == [0, 2]
    assert kept([100, 2], fewest=3, has_missing=True) == [0, 1]  # the first two stay
    assert kept([10] * 300, bins=255) == list(range(297))  # until they are 99 % of the rows
    assert kept([1000, *[10] * 8], bins=4) == list(range(8))


def test_statistics_are_those_of_all_levels() -> None:
    """A level that was dropped would be missing in training, and unknown at predict."""
    table = frame()
    rows = Dataset(table, 10.0 * (table["word"] == "b") + table["x"])
    params = {"recipe": "lightgbm", "categorical": "target", "n_jobs": 1}
    whole = train({**params, "n_estimators": 6}, rows)
    assert whole.schema.levels_of("word") == tuple(sorted(COUNTS))
    begun = train({**params, "n_estimators": 2}, rows)
    on = train({**params, "n_estimators": 4}, rows, init_model=begun)
    assert on.fingerprint() == whole.fingerprint()


def frame() -> Any:
    words = np.repeat(list(COUNTS), list(COUNTS.values()))
    return pd.DataFrame({"word": words, "x": np.arange(1000) % 7.0})


@pytest.mark.parametrize(
    ("given", "levels"),
    [
        ({"recipe": "lightgbm"}, ("a", "b", "c", "rare")),
        ({"recipe": "lightgbm", "min_data_in_bin": 1}, ("a", "b", "c", "rare", "two")),
        ({"recipe": "lightgbm", "unseen_category": "error"}, tuple(sorted(COUNTS))),
        ({}, tuple(sorted(COUNTS))),
        ({"recipe": "xgboost"}, tuple(sorted(COUNTS))),
    ],
)
def test_the_model_knows_the_kept_levels(given: dict[str, Any], levels: tuple[str, ...]) -> None:
    table = frame()
    y = 10 * (table["word"] == "b") + table["x"]
    rows = Dataset(table, y)
    model = train({"n_estimators": 3, "n_jobs": 1, **given}, rows, eval_sets=[rows])
    assert model.schema.levels_of("word") == levels
    assert rows.schema.levels_of("word") == tuple(sorted(COUNTS))
    dropped = table.assign(word="one")[:3]
    if "one" not in levels:
        missing = model.predict(dropped.assign(word=None))
        np.testing.assert_array_equal(model.predict(dropped), missing)
    more = train({"n_estimators": 2, "n_jobs": 1, **given}, rows, init_model=model)
    assert more.schema == model.schema
    nodes = model.trees_to_frame()
    if given == {"recipe": "lightgbm"}:  # missing values always go right there
        assert set(nodes.query("feature == 'word'")["missing"]) == {"right"}
