"""Leaves put in order: as the reference does it, monotone afterwards, and no more than needed."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import ceiba
from ceiba import _core
from ceiba.testing import growth_limits
from ceiba.testing.forests import random_forest, random_rows, raw_scores

SHAPE = ("tree_offsets", "feature", "threshold", "left", "right")


def order(arrays: dict[str, Any], directions: list[int]) -> dict[str, Any]:
    values = arrays["value"].copy()
    _core.make_leaves_monotone(
        **{name: arrays[name] for name in SHAPE}, directions=directions, value=values
    )
    return {**arrays, "value": values}


def is_monotone(arrays: dict[str, Any], directions: list[int], rows: np.ndarray) -> bool:
    grid = np.unique(np.r_[-np.inf, arrays["threshold"], 1e9, np.inf])
    for column, direction in enumerate(directions):
        moved = np.repeat(rows, len(grid), axis=0)
        moved[:, column] = np.tile(grid, len(rows))
        scores = raw_scores(arrays, moved, 1)[:, 0].reshape(len(rows), len(grid))
        if (direction * np.diff(scores, axis=1) < 0).any():
            return False
    return True


@pytest.mark.parametrize("kind", ["general", "symmetric", "chain"])
@pytest.mark.parametrize("seed", range(6))
def test_random_trees(seed: int, kind: Any) -> None:
    directions = [1, -1, 0]
    options = {"n_trees": 5, "n_features": 3, "n_leaves": 16, "n_thresholds": 6}
    arrays = random_forest(seed, kind=kind, **options)
    rows = random_rows(seed, 8, 3)
    assert not is_monotone(arrays, directions, rows)
    ordered = order(arrays, directions)
    assert is_monotone(ordered, directions, rows)
    np.testing.assert_array_equal(order(ordered, directions)["value"], ordered["value"])
    np.testing.assert_array_equal(order(arrays, [0, 0, 0])["value"], arrays["value"])

    offsets = arrays["tree_offsets"]
    for begin, end in pairwise(offsets):
        own = {name: arrays[name][begin:end].tolist() for name in (*SHAPE[1:], "value")}
        children = [
            None if left < 0 else (left, right)
            for left, right in zip(own["left"], own["right"], strict=True)
        ]
        growth_limits.make_leaves_monotone(
            own["feature"], own["threshold"], children, directions, own["value"]
        )
        assert own["value"] == ordered["value"][begin:end].tolist()


@pytest.mark.parametrize("decay_rate", [0.0, 0.6])
@pytest.mark.parametrize("objective", ["squared_error", "logistic", "poisson"])
def test_refitted_leaves(objective: str, decay_rate: float) -> None:
    """New rows that say the opposite do not turn the model around."""
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 2))
    y = X[:, 0] + 0.2 * random.normal(size=400)
    target = (y > 0) * 1.0 if objective != "squared_error" else y
    params = {"objective": objective, "monotone_constraints": [1, 0], "n_estimators": 10}
    model = ceiba.train(params, ceiba.Dataset(X, target))
    backwards = np.ascontiguousarray(X * [-1.0, 1.0])
    refitted = ceiba.refit(model, ceiba.Dataset(backwards, target), decay_rate=decay_rate)
    assert refitted.fingerprint() != model.fingerprint()
    line = np.stack([np.linspace(-3, 3, 200), np.zeros(200)], axis=1)
    for point in (-1.0, 0.0, 1.0):
        line[:, 1] = point
        assert (np.diff(refitted.predict_raw(line)) >= 0).all()
