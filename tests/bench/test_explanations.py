"""The benchmark of explanations: every case runs, and its times are those of the calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from benchmarks import explanations
from benchmarks.explanations import CASES, OURS, Case

CACHED = ("our_model", "our_estimator", "lightgbm_model", "xgboost_model")


@pytest.fixture
def few_rows(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    random = np.random.default_rng(0)
    x = random.normal(size=(300, 4))
    y = (x[:, 0] > 0).astype(np.int64)
    monkeypatch.setattr(explanations, "rows", lambda: (x, y, x[:50]))
    monkeypatch.setattr(explanations, "N_TREES", 3)
    monkeypatch.setattr(explanations, "N_POINTS", 5)
    for name in CACHED:
        getattr(explanations, name).cache_clear()
    yield
    for name in CACHED:
        getattr(explanations, name).cache_clear()


@pytest.mark.parametrize("name", CASES)
@pytest.mark.usefixtures("few_rows")
def test_every_case_runs(name: str) -> None:
    case = CASES[name]
    assert OURS in case.libraries
    assert set(case.wanted) <= set(case.libraries)
    # shap compiles for seconds; it has its own tests of what it is given.
    modules = {"scikit-learn": "sklearn", "shap": "no_such_module"}
    libraries = {
        library: make
        for library, make in case.libraries.items()
        if find_spec(modules.get(library, library)) is not None
    }
    found = explanations.measure(replace(case, n_rows=9, libraries=libraries), 1)
    assert found.keys() == libraries.keys()
    assert all(time_taken > 0 for time_taken in found.values())


@pytest.mark.usefixtures("few_rows")
def test_the_best_round_counts_and_parts_are_multiplied(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([3.0, 1.0, 2.0, 5.0])
    monkeypatch.setattr(explanations, "seconds", lambda explain, x: next(times))
    idle: dict[str, Any] = {OURS: lambda: len, "other": lambda: len}
    case = Case("nothing", 2, {}, idle, {"other": 4.0})
    assert explanations.measure(case, 2) == {OURS: 2.0, "other": 4.0}
