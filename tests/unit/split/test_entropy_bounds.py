"""Splits by entropy, on bins and on exact values, as the reference finds them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ceiba
from ceiba import _core
from ceiba.errors import InvalidParameterError
from ceiba.testing import reference

NAMES = ("feature", "threshold", "left", "right", "missing_left", "gain", "count", "value")


@st.composite
def trainings(draw: st.DrawFn) -> dict:
    n_rows, n_classes = draw(st.integers(5, 300)), draw(st.integers(2, 5))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = random.integers(0, draw(st.sampled_from([3, 30, 1000])), (n_rows, draw(st.integers(1, 4))))
    X = X.astype(np.float64)
    score = X[:, 0] / (1 + X[:, 0].max()) + random.random(n_rows) * draw(st.sampled_from([0.3, 2]))
    classes = np.minimum(n_classes - 1, (score * n_classes / 1.3).astype(int))
    if draw(st.booleans()):
        X[random.random(X.shape) < 0.2] = np.nan
    indicators = (classes == np.arange(n_classes)[:, None]).astype(np.float64)
    weights = draw(st.sampled_from(["none", "whole", "real"]))
    return {
        "X": X,
        "gradients": -(indicators[1:] if n_classes == 2 else indicators),
        "weights": {
            "none": None,
            "whole": random.integers(1, 4, size=n_rows).astype(np.float64),
            "real": random.random(n_rows) + 0.1,
        }[weights],
        "plan": reference.Plan(
            score="entropy",
            grow_policy=draw(st.sampled_from(["leafwise", "depthwise"])),
            max_depth=draw(st.sampled_from([0, 3])),
            max_leaves=draw(st.integers(2, 12)),
            min_samples_leaf=draw(st.sampled_from([1, 3])),
            vector_leaves=n_classes > 2,
        ),
    }


def grow(case: dict, exact: int, n_threads: int = 1) -> dict:
    X = case["X"]
    columns = [[X[:, j]] for j in range(X.shape[1])]
    mapper = _core.BinMapper.find(columns, None, exact or 255, 1, 1)
    binned = _core.BinnedMatrix.build(mapper, columns, 1, lists=False)
    ranked = _core.RankedColumns.build(columns, 1) if exact else None
    plan = case["plan"].for_engine()
    grower = _core.Grower(_core.GrowerTable(binned, ranked), plan, case["weights"], n_threads)
    given = case["gradients"], None, 1.0
    grown = grower.grow(*given, None, 3, leaf_width=len(case["gradients"]))
    _core.fit_constant_leaves(grown, *given, 1.0)
    return grown.arrays()


def grow_reference(case: dict, exact: int) -> dict:
    X = case["X"]
    columns = [[X[:, j]] for j in range(X.shape[1])]
    mapper = _core.BinMapper.find(columns, None, 65535 if exact else 255, 1, 1)
    return reference.grow(
        mapper,
        reference.bin_codes(mapper, X),
        case["gradients"],
        None,
        1.0,
        case["weights"],
        None,
        case["plan"],
        3,
        1.0,
        reference.distinct_values(X) if exact else None,
    )


@given(trainings(), st.sampled_from([0, 3, 16, 255]), st.booleans())
@settings(max_examples=200)
def test_grown_as_the_reference_does(case: dict, exact: int, avx2: bool) -> None:
    _core.set_avx2(avx2)
    grown, expected = grow(case, exact), grow_reference(case, exact)
    for name in NAMES:
        np.testing.assert_array_equal(grown[name], expected[name], err_msg=name)


@given(trainings())
@settings(max_examples=50)
def test_levels_and_drawn_thresholds(case: dict) -> None:
    for changes in ({"grow_policy": "symmetric", "max_depth": 3}, {"extra_trees": True}):
        own = {**case, "plan": replace(case["plan"], **changes)}
        grown, expected = grow(own, 0), grow_reference(own, 0)
        for name in NAMES:
            np.testing.assert_array_equal(grown[name], expected[name], err_msg=name)


@pytest.mark.threads
@given(trainings(), st.sampled_from([0, 16]))
@settings(max_examples=25)
def test_threads_change_nothing(case: dict, exact: int) -> None:
    grown = grow(case, exact)
    _core.change_settings(block_rows=64, chunk_rows=64, serial_below=0)
    again = grow(case, exact, n_threads=2)
    for name in NAMES:
        np.testing.assert_array_equal(grown[name], again[name], err_msg=name)


def test_only_counts_of_classes_have_an_entropy() -> None:
    data = ceiba.Dataset(np.arange(40.0)[:, None], np.arange(40.0) % 2)
    forest = {"boosting": "forest", "n_estimators": 1, "split_score": "entropy"}
    with pytest.raises(InvalidParameterError, match="only objective gini has"):
        ceiba.train({**forest, "objective": "logistic"}, data)
    with pytest.raises(InvalidParameterError, match="boosting='forest'"):
        ceiba.train({"objective": "gini", "split_score": "entropy"}, data)
    with pytest.raises(InvalidParameterError, match="without base_score"):
        ceiba.train({**forest, "objective": "gini", "base_score": 0.5}, data)
    with pytest.raises(InvalidParameterError, match="does not support monotone_constraints"):
        ceiba.train({**forest, "objective": "gini", "monotone_constraints": [1]}, data)
