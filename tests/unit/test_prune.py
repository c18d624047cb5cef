"""Pruning after growth keeps a poor split above a good one; pruning before never sees it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ceiba

# Only both columns together say anything: the first split gains almost nothing.
X = np.array([[a, b] for a in (0.0, 1.0) for b in (0.0, 1.0) for _ in range(10)])
Y = np.where(X[:, 0] == X[:, 1], 1.0, -1.0) + 0.1 * X[:, 0]


def train(policy: str = "depthwise", **given: Any) -> ceiba.Model:
    params = {
        "grow_policy": policy,
        "max_depth": 2,
        "n_estimators": 1,
        "min_samples_leaf": 1,
        "min_data_in_bin": 1,
        "reg_lambda": 0.0,
        **given,
    }
    return ceiba.train(params, ceiba.Dataset(X, Y))


def gains(model: ceiba.Model) -> np.ndarray:
    arrays = model.forest.arrays()
    return arrays["gain"][arrays["feature"] >= 0]


@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
def test_a_poor_split_above_a_good_one(policy: str) -> None:
    grown = gains(train(policy))
    assert grown[0] < 1 < grown[1:].min()
    assert len(gains(train(policy, min_split_gain=1.0))) == 0
    assert len(gains(train(policy, min_split_gain=1.0, prune="after"))) == len(grown)


@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
def test_poor_splits_go_from_the_leaves_up(policy: str) -> None:
    assert len(gains(train(policy, min_split_gain=1e9, prune="after"))) == 0
    random = np.random.default_rng(0)
    rows = random.normal(size=(400, 4))
    target = rows[:, 0] + random.normal(size=400)
    params = {"grow_policy": policy, "max_depth": 5, "n_estimators": 1, "min_samples_leaf": 1}
    for smallest in (1.0, 5.0, 20.0):
        model = ceiba.train(
            {**params, "prune": "after", "min_split_gain": smallest}, ceiba.Dataset(rows, target)
        )
        frame = model.forest.arrays()
        splits = np.flatnonzero(frame["feature"] >= 0)
        both = np.stack([frame["left"], frame["right"]], axis=1)[splits]
        last = splits[(frame["feature"][both] < 0).all(axis=1)]
        if policy == "symmetric":
            assert not last.size or frame["gain"][last].sum() >= smallest
        else:
            assert (frame["gain"][last] >= smallest).all()
        # Rows find the leaves that are left.
        leaves = np.flatnonzero(frame["feature"] < 0)
        assert np.isin(model.apply(rows), leaves).all()
        assert frame["count"][leaves].sum() == len(rows)


def test_recipe_xgboost_prunes_before_with_bins() -> None:
    same = {"recipe": "xgboost", "min_split_gain": 1.0}
    before, auto = train(**same, prune="before"), train(**same)
    assert auto.fingerprint() == before.fingerprint()
    assert train(**same, prune="after").fingerprint() != before.fingerprint()
