"""Windows of rows change no tree: depth first by windows, and by histograms of all columns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from agreement import check_grown
from hypothesis import given, settings
from hypothesis import strategies as st

import ceiba
from ceiba import _core
from ceiba.testing.strategies import Case, cases

#: Bytes of a window: none, some rows, all of them.
SIZES = (0, 200, 2000, 28672)


@given(cases(ruled=True, max_rows=300, max_features=12), st.sampled_from(SIZES), st.booleans())
@settings(max_examples=150)
def test_trees_of_the_reference(case: Case, window_bytes: int, avx2: bool) -> None:
    _core.change_settings(window_bytes=window_bytes)
    _core.set_avx2(avx2)
    plan = replace(case.plan, grow_policy="depthfirst", max_leaves=0)
    case = replace(case, plan=plan)
    mapper = case.bin_mapper(1)
    check_grown(case, case.grow(mapper, 1), case.grow_reference(mapper), 1)


def fingerprint(X: np.ndarray, y: np.ndarray, **given: Any) -> str:
    base = {"recipe": "forest", "n_estimators": 3, "random_state": 5}
    weight = given.pop("weight", None)
    return ceiba.train({**base, **given}, ceiba.Dataset(X, y, weight=weight)).fingerprint()


def table(n: int = 3000) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(3)
    X = random.normal(size=(n, 9))
    X[:, 3] = np.round(X[:, 3])
    X[:, 4] = X[:, 4] > 1
    X[random.random(n) < 0.2, 5] = np.nan
    return X, X[:, 0] * np.nan_to_num(X[:, 5]) + X[:, 3] + random.normal(size=n)


KINDS: dict[str, dict[str, Any]] = {
    "plain": {},
    "all columns": {"colsample_bynode": 1.0},
    "rows count once": {"min_samples_leaf": 5},
    "rows count as often as drawn": {"weighted_counts": True},
    "real weights": {"weight": np.random.default_rng(0).random(3000) + 0.5},
    "many bins": {"max_bins": 2000},
    "extra trees": {"extra_trees": True},
    "monotone": {"monotone_constraints": [1, 0, 0, -1, 0, 1, 0, 0, 0]},
    "classes": {"objective": "gini"},
    "several classes": {"objective": "gini", "multi_strategy": "vector_leaf"},
    "subsets": {"sampling": "uniform", "subsample": 0.5},
    "depth": {"max_depth": 6},
    "pruned": {"ccp_alpha": 0.01},
}


@pytest.mark.threads
@pytest.mark.parametrize("kind", KINDS)
def test_one_forest(kind: str) -> None:
    """Whatever windows, threads and kernels."""
    X, y = table()
    given = KINDS[kind]
    if given.get("objective") == "gini":
        y = np.digitize(y, [0.0] if kind == "classes" else [-1.0, 1.0]).astype(float)
    _core.change_settings(window_bytes=0)
    expected = fingerprint(X, y, n_jobs=1, **given)
    before = _core.counters()["windows"]
    for window_bytes in SIZES[1:]:
        _core.change_settings(window_bytes=window_bytes, serial_below=100)
        for avx2, n_jobs in ((True, 1), (False, 2), (True, 3)):
            _core.set_avx2(avx2)
            assert fingerprint(X, y, n_jobs=n_jobs, **given) == expected
    assert _core.counters()["windows"] > before


def test_forms_of_words() -> None:
    """Few rows of a tree whose words are packed are summed in one word; nobody can tell."""
    X, y = table(20_000)
    y = (y > 0).astype(float)
    counters = _core.counters
    before = counters()["packed_trees"]
    given = {"objective": "logistic", "n_estimators": 2, "min_samples_leaf": 3, "max_depth": 9}
    found = {}
    for window_bytes in (0, 28672, 400_000):
        _core.change_settings(window_bytes=window_bytes)
        found[window_bytes] = fingerprint(X, y, **given)
    assert len(set(found.values())) == 1
    assert counters()["packed_trees"] > before


def test_shared_columns() -> None:
    """Columns that share their codes part in windows too."""
    random = np.random.default_rng(1)
    X = (random.integers(0, 40, size=9000)[:, None] == np.arange(40)).astype(float)
    X = np.column_stack([X, random.integers(0, 3, size=(9000, 5))])
    y = X @ random.normal(size=45) + 0.1 * random.normal(size=9000)
    before = _core.counters()["shared_columns"]
    found = set()
    for window_bytes in (0, 2000, 28672):
        _core.change_settings(window_bytes=window_bytes, digit_rows=10)
        found.add(fingerprint(X, y, n_estimators=2, max_depth=12))
    assert len(found) == 1
    assert _core.counters()["shared_columns"] > before


def test_columns_are_drawn_until_one_has_a_split() -> None:
    random = np.random.default_rng(2)
    X = np.zeros((400, 30))
    X[:, 7] = random.normal(size=400)
    y = (X[:, 7] > 0).astype(float)
    X[0] = 1.0  # no column is constant in the table
    given = {
        "objective": "squared_error",
        "n_estimators": 5,
        "recipe": "forest",
        "colsample_bynode": 0.04,
    }
    found = ceiba.train(given, ceiba.Dataset(X, y)).predict(X)
    assert ((found > 0.5) == (y > 0.5)).mean() > 0.98
    few = ceiba.train({**given, "draw_until_split": False}, ceiba.Dataset(X, y)).predict(X)
    assert ((few > 0.5) == (y > 0.5)).mean() < 0.98
