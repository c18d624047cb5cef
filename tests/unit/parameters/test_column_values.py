"""Values for single columns: the forms in which people and peers write them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from ceiba.errors import InvalidParameterError
from ceiba.parameters.resolving import resolve


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([1, 0, -1], [1, 0, -1]),
        ((1, 0, -1), [1, 0, -1]),
        (np.array([1, 0, -1], dtype=np.int8), [1, 0, -1]),
        ("(1,0,-1)", [1, 0, -1]),
        ("(1, )", [1]),
        ({"age": 1, "price": -1}, {"age": 1, "price": -1}),
    ],
)
def test_directions(given: Any, expected: Any) -> None:
    for name in ("monotone_constraints", "monotonic_cst"):
        found = resolve({name: given}).monotone_constraints
        assert found == expected
        assert json.loads(json.dumps(found)) == expected


@pytest.mark.parametrize("given", [[2, 0], [0.5], "up", {"age": "up"}, {0: 1}, [], {}, [[1]]])
def test_directions_that_are_none(given: Any) -> None:
    with pytest.raises(InvalidParameterError, match=r"monotonic_cst must be .*name to value.* Got"):
        resolve({"monotonic_cst": given})


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([[1, 0], [2]], [[0, 1], [2]]),
        ([{"b", "a"}, {"c"}], [["a", "b"], ["c"]]),
        (({1, "a"}, (np.int64(3),)), [[1, "a"], [3]]),
        ("[[0, 1], [2, 3, 4]]", [[0, 1], [2, 3, 4]]),
        ("pairwise", "pairwise"),
        ("no_interactions", "no_interactions"),
    ],
)
def test_sets(given: Any, expected: Any) -> None:
    for name in ("interaction_constraints", "interaction_cst"):
        assert resolve({name: given}).interaction_constraints == expected


def test_max_features() -> None:
    assert resolve({"max_features": "sqrt"}).colsample_bynode == "sqrt"
    assert resolve({"max_features": 3}).colsample_bynode == 3
    assert resolve({"colsample_bynode": 1}).colsample_bynode == 1.0
    with pytest.raises(InvalidParameterError, match=r"one column, or all of them.*Set 1\.0"):
        resolve({"max_features": 1})
    assert resolve({"max_features": np.int64(3)}).colsample_bynode == 3
    for one in (np.int64(1), np.uint8(1)):
        with pytest.raises(InvalidParameterError, match="Got the integer 1"):
            resolve({"max_features": one})
    for share in (1.0, np.float32(1.0)):
        assert resolve({"max_features": share}).colsample_bynode == 1.0
