"""Bounds of monotone trees on small tables, worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ceiba
from ceiba import _core

POLICIES = ("leafwise", "depthwise", "symmetric")


def grow(X: np.ndarray, y: np.ndarray, monotone: list[int], **plan: Any) -> dict[str, np.ndarray]:
    columns = [[np.ascontiguousarray(X[:, j])] for j in range(X.shape[1])]
    mapper = _core.BinMapper.find(columns, None, 256, 1, 1)
    binned = _core.BinnedMatrix.build(mapper, columns, 1)
    given = {"max_leaves": 0, **plan, "columns": _core.ColumnConstraints(monotone=monotone)}
    grower = _core.Grower(_core.GrowerTable(binned), _core.GrowPlan(**given), None, 1)
    gradients = np.ascontiguousarray(-y[None, :])
    trees = grower.grow(gradients, None, 1.0, None, 0)
    _core.fit_constant_leaves(trees, gradients, None, 1.0, 1.0)
    return trees.arrays()


@pytest.mark.parametrize("policy", POLICIES)
def test_a_split_against_the_direction_is_none(policy: str) -> None:
    X, y = np.arange(6.0)[:, None], np.array([3.0, 3, 3, 0, 0, 0])
    assert len(grow(X, y, [1], grow_policy=policy, max_depth=2)["value"]) == 1
    falling = grow(X, y, [-1], grow_policy=policy, max_depth=1)
    assert falling["value"][1:].tolist() == [3.0, 0.0]


def test_the_line_lies_half_way_and_holds_below() -> None:
    """Left mean 0, right mean 4: no leaf on the left is above 2, none on the right below."""
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.float64)
    y = np.array([-3.0, 3.0, 2.5, 5.5])
    free = grow(X, y, [0, 0], max_depth=2)
    assert sorted(free["value"][free["feature"] == -1]) == [-3.0, 2.5, 3.0, 5.5]
    # Column 1 parts the means -0.25 and 4.25: the line is 2.
    bound = grow(X, y, [0, 1], max_depth=2)
    assert bound["feature"][0] == 1
    leaves = bound["value"][bound["feature"] == -1]
    assert sorted(leaves) == [-3.0, 2.0, 3.0, 5.5]


def test_a_shared_split_that_runs_backwards_in_a_node_changes_nothing_there() -> None:
    """Column 1 rises where column 0 is 0, and would fall where it is 1."""
    X = np.array([[a, b] for a in (0, 1) for b in (0, 1)] * 2, dtype=np.float64)
    y = np.array([0.0, 8.0, 21.0, 19.0] * 2)
    arrays = grow(X, y, [0, 1], grow_policy="symmetric", max_depth=2)
    assert arrays["feature"].tolist() == [0, 1, 1, -1, -1, -1, -1]
    assert arrays["value"][3:].tolist() == [0.0, 8.0, 20.0, 20.0]
    assert arrays["gain"][2] == 0.0


def test_missing_rows_have_no_place_in_the_order() -> None:
    """Missing rows are the highest, on the left; values still rise."""
    X = np.array([np.nan, np.nan, 0, 0, 1, 1, 2, 2])[:, None]
    y = np.array([9.0, 9, 0, 0, 1, 1, 2, 2])
    arrays = grow(X, y, [1], max_depth=3)
    model_free = grow(X, y, [0], max_depth=3)
    assert sorted(model_free["value"][model_free["feature"] == -1]) == [0.0, 1.0, 2.0, 9.0]
    assert arrays["value"].max() == 9.0


@pytest.mark.parametrize("method", ["hist", "exact", "approx"])
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("value", [9.0, -9.0])
def test_missing_against_present_may_run_either_way(
    value: float, direction: int, policy: str, method: str
) -> None:
    X = np.array([np.nan, np.nan, 0, 0, 1, 1, 2, 2])[:, None]
    y = np.array([value, value, 0, 0, 1, 1, 2, 2]) * [1, 1, *[direction] * 6]
    params = {"objective": "squared_error", "monotone_constraints": [direction], "n_estimators": 1}
    params |= {"grow_policy": policy, "split_method": method, "max_depth": 3, "max_leaves": 0}
    params |= {"learning_rate": 1.0, "reg_lambda": 0.0, "min_samples_leaf": 1, "n_jobs": 1}
    if method == "hist":
        params["min_data_in_bin"] = 1
    model = ceiba.train(params, ceiba.Dataset(X, y))
    np.testing.assert_allclose(model.predict(X), y, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("policy", POLICIES)
def test_limits_of_steps_hold_too(policy: str) -> None:
    random = np.random.default_rng(0)
    X, y = random.normal(size=(100, 3)), 10 * random.normal(size=100)
    plan = {"grow_policy": policy, "max_depth": 4, "max_delta_step": 0.5}
    values = grow(X, y, [1, -1, 0], **plan)["value"]
    assert np.abs(values).max() <= 0.5


def test_rules_must_fit_the_table() -> None:
    with pytest.raises(ValueError, match=r"each of the 1 columns\. Got 2"):
        grow(np.arange(4.0)[:, None], np.arange(4.0), [1, 0])
