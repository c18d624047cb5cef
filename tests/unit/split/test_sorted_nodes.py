"""Exact trees in presorted rows: units of nodes, missing values, weights, several outputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import ceiba
from ceiba import CeibaTreeClassifier, CeibaTreeRegressor


def regressor(**given: Any) -> CeibaTreeRegressor:
    return CeibaTreeRegressor(n_jobs=2, **given)


def test_powers_of_two_are_learned_exactly() -> None:
    X, y = np.arange(40.0)[:, None], 2.0 ** np.arange(40)
    tree = regressor().fit(X, y)
    assert tree.get_n_leaves() == 40
    np.testing.assert_allclose(tree.predict(X), y, rtol=1e-4)
    few = regressor(max_leaf_nodes=30).fit(X, y)
    assert few.get_n_leaves() == 30
    theirs = DecisionTreeRegressor(max_leaf_nodes=30).fit(X, y)
    np.testing.assert_allclose(few.predict(X), theirs.predict(X), rtol=1e-4)


@pytest.mark.parametrize("outlier", [1e9, -1e12])
def test_one_large_target_does_not_hide_the_others(outlier: float) -> None:
    random = np.random.default_rng(0)
    X, y = random.normal(size=(2001, 4)), random.normal(size=2001)
    y[7] = outlier
    tree = regressor().fit(X, y)
    assert tree.get_n_leaves() == 2001
    np.testing.assert_allclose(np.delete(tree.predict(X) - y, 7), 0.0, atol=1e-6)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    sigma=st.sampled_from([0.5, 4.0, 8.0]),
    n_outputs=st.integers(1, 3),
    weights=st.sampled_from(["none", "whole", "real"]),
    limits=st.sampled_from([{}, {"max_leaf_nodes": 12}, {"max_depth": 4}, {"min_samples_leaf": 5}]),
)
def test_heavy_tails_give_scikit_learns_tree(
    seed: int, sigma: float, n_outputs: int, weights: str, limits: Any
) -> None:
    random = np.random.default_rng(seed)
    X = random.normal(size=(120, 1))
    Y = np.exp(sigma * random.normal(size=(120, n_outputs)))
    w = {
        "none": None,
        "whole": random.integers(1, 5, size=120).astype(float),
        "real": random.uniform(0.5, 2.0, size=120),
    }[weights]
    target = Y[:, 0] if n_outputs == 1 else Y
    ours = regressor(**limits).fit(X, target, w)
    theirs = DecisionTreeRegressor(random_state=0, **limits).fit(X, target, w)
    # One column: only splits of equal gain could differ, and drawn targets have none.
    assert ours.get_n_leaves() == theirs.get_n_leaves()
    scale = np.abs(target).max(axis=0)
    np.testing.assert_allclose(
        ours.predict(X) / scale, theirs.predict(X) / scale, rtol=1e-9, atol=1e-13
    )


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_missing_values_and_classes(criterion: str, n_classes: int) -> None:
    random = np.random.default_rng(n_classes)
    X = random.normal(size=(400, 3))
    X[random.random(size=X.shape) < 0.1] = np.nan
    y = random.integers(0, n_classes, size=400)
    ours = CeibaTreeClassifier(criterion=criterion, n_jobs=1).fit(X, y)
    theirs = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y)
    assert ours.score(X, y) == theirs.score(X, y)  # rows without any value are alike
    assert ours.get_n_leaves() == pytest.approx(theirs.get_n_leaves(), rel=0.1)
    shallow = CeibaTreeClassifier(criterion=criterion, max_depth=1).fit(X, y)
    stump = DecisionTreeClassifier(criterion=criterion, max_depth=1, random_state=0).fit(X, y)
    np.testing.assert_allclose(shallow.predict_proba(X), stump.predict_proba(X), atol=1e-9)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 1000), factor=st.sampled_from([2, 16, 4096]))
def test_the_scale_of_weights_does_not_matter(seed: int, factor: int) -> None:
    random = np.random.default_rng(seed)
    X = random.integers(0, 12, size=(60, 3)).astype(float)
    y = np.exp(12.0 * random.normal(size=60))
    weights = random.integers(1, 4, size=60).astype(float)
    given = {"recipe": "forest", "split_method": "exact", "n_estimators": 3, "n_jobs": 1}
    given |= {"objective": "squared_error", "random_state": seed, "colsample_bynode": 0.6}
    one, other = (
        ceiba.train(given, ceiba.Dataset(X, y, weight=w)) for w in (weights, factor * weights)
    )
    np.testing.assert_array_equal(one.apply(X), other.apply(X))


@pytest.mark.threads
def test_threads_and_row_order_do_not_change_the_tree() -> None:
    random = np.random.default_rng(3)
    X, y = random.integers(0, 500, size=(6000, 8)).astype(float), random.normal(size=6000)
    order = random.permutation(6000)
    found = {
        CeibaTreeRegressor(n_jobs=n_jobs).fit(X[rows], y[rows]).model_.fingerprint()
        for n_jobs, rows in ((1, slice(None)), (4, slice(None)), (2, order))
    }
    assert len(found) == 1
