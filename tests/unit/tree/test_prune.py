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


def gain_and_splits(arrays: dict[str, Any], nodes: np.ndarray) -> tuple[float, int]:
    """Return the gain of some splits, and how many of them part rows."""
    sides = [arrays["count"][arrays[side][nodes]] > 0 for side in ("left", "right")]
    return float(arrays["gain"][nodes].sum()), int((sides[0] & sides[1]).sum())


@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
def test_cost_complexity_leaves_the_best_of_all_smaller_trees(policy: str) -> None:
    """Every tree that cutting can leave is tried: none has larger gains less costs."""
    random = np.random.default_rng(3)
    rows = random.normal(size=(300, 3))
    target = rows[:, 0] * (rows[:, 1] > 0) + 0.7 * random.normal(size=300)
    params = {"grow_policy": policy, "max_depth": 3, "n_estimators": 1, "min_samples_leaf": 5}
    dataset = ceiba.Dataset(rows, target)
    whole = ceiba.train(params, dataset).forest.arrays()

    def smaller(node: int) -> list[tuple[float, int]]:
        """Gains and numbers of splits of the trees that cutting below a node can leave."""
        if whole["feature"][node] < 0:
            return [(0.0, 0)]
        sides = [smaller(int(whole[side][node])) for side in ("left", "right")]
        own = float(whole["gain"][node])
        pairs = [(own + a[0] + b[0], 1 + a[1] + b[1]) for a in sides[0] for b in sides[1]]
        return [(0.0, 0), *pairs]

    trees = smaller(0)
    if policy == "symmetric":  # the first levels
        trees = [gain_and_splits(whole, np.arange(2**n - 1)) for n in range(4)]
    kept = set()
    for alpha in (0.0, 0.003, 0.01, 0.02, 0.05, 0.1, 10.0):
        arrays = ceiba.train({**params, "ccp_alpha": alpha}, dataset).forest.arrays()
        splits = np.flatnonzero(arrays["feature"] >= 0)
        gain, n_splits = gain_and_splits(arrays, splits)
        cost = alpha * float(arrays["cover"][0])
        best = max(gain - cost * n for gain, n in trees)
        assert gain - cost * n_splits == pytest.approx(best, abs=1e-9 * 300), alpha
        kept.add(len(splits))
    assert {0, 7} <= kept
    assert len(kept) > 2


def test_cutting_by_cost_changes_no_leaf_that_stays() -> None:
    random = np.random.default_rng(5)
    rows = random.normal(size=(500, 4))
    target = rows[:, 0] + random.normal(size=500)
    params = {"n_estimators": 1, "learning_rate": 1.0, "reg_lambda": 0.0, "min_samples_leaf": 5}
    model = ceiba.train({**params, "ccp_alpha": 0.02}, ceiba.Dataset(rows, target))
    leaves, prediction = model.apply(rows)[:, 0], model.predict(rows)
    assert 2 < len(np.unique(leaves)) < 31
    for leaf in np.unique(leaves):
        assert prediction[leaves == leaf][0] == pytest.approx(target[leaves == leaf].mean())


def test_a_symmetric_level_pays_for_the_nodes_that_it_parts() -> None:
    """A staircase: each level parts one node more, and its other nodes cost nothing."""
    column = np.arange(64.0)
    edges = [column < 4, column < 8, column < 16, column < 32]
    target = 3 * np.select(edges, [5.0, 4.0, 3.0, 2.0], 0.0)
    params = {"max_depth": 4, "n_estimators": 1, "min_samples_leaf": 1, "min_data_in_bin": 1}
    dataset = ceiba.Dataset(column[:, None], target)
    for policy in ("depthwise", "symmetric"):
        given = {**params, "grow_policy": policy, "reg_lambda": 0.0, "ccp_alpha": 0.2}
        assert len(np.unique(ceiba.train(given, dataset).predict(column[:, None]))) == 5
