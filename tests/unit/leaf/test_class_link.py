"""Leaves of losses of classes that do not go past their minimum."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import Dataset, train

SMALL = {"n_estimators": 12, "max_leaves": 8, "n_jobs": 1, "learning_rate": 1.0, "reg_lambda": 0.0}


def make_rows(seed: int, n_classes: int, noise: float, rare: bool) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    X = random.normal(size=(300, 4))
    score = 2 * X[:, 0] + X[:, 1]
    y = np.digitize(score, np.quantile(score, np.arange(1, n_classes) / n_classes))
    if rare:
        y = np.where(X[:, 2] > 1.5, y, 0)
    changed = random.random(300) < noise
    y[changed] = random.integers(0, n_classes, changed.sum())
    y[:n_classes] = np.arange(n_classes)
    return X, y.astype(float)


@pytest.mark.parametrize(
    ("objective", "more"),
    [
        ("logistic", {}),
        ("cross_entropy", {}),
        ("exponential", {}),
        ("softmax", {}),
        ("softmax", {"multi_strategy": "vector_leaf"}),
        ("softmax", {"grow_policy": "symmetric", "max_leaves": 0, "max_depth": 3}),
        ("one_against_rest", {}),
    ],
)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_classes=st.integers(3, 8),
    noise=st.sampled_from([0.0, 0.05, 0.3]),
    rare=st.booleans(),
)
@settings(max_examples=10)
def test_no_round_raises_the_training_loss(
    objective: str, more: dict[str, Any], seed: int, n_classes: int, noise: float, rare: bool
) -> None:
    n_classes = n_classes if objective in ("softmax", "one_against_rest") else 2
    X, y = make_rows(seed, n_classes, noise, rare)
    rows = Dataset(X, y)
    model = train({**SMALL, "objective": objective, **more}, rows, eval_sets={"seen": rows})
    (losses,) = model.history["seen"].values()
    assert np.diff(losses).max() < 1e-9
    assert losses[-1] < losses[0]


@given(seed=st.integers(0, 2**32 - 1), rate=st.sampled_from([0.1, 0.5, 1.0]))
@settings(max_examples=25)
def test_leaves_are_limited_by_the_logarithm_of_their_newton_steps(seed: int, rate: float) -> None:
    X, y = make_rows(seed, 3, 0.1, True)
    given = {**SMALL, "objective": "softmax", "n_estimators": 1, "learning_rate": rate}
    guarded = train(given, Dataset(X, y)).forest.arrays()["value"]
    newton = train({**given, "leaf_guard": False}, Dataset(X, y)).forest.arrays()["value"]
    most = np.log1p(np.abs(newton / rate))
    expected = np.where(np.abs(newton) > most, np.copysign(most, newton), newton)
    np.testing.assert_allclose(guarded, expected, rtol=1e-14)
    untouched = np.abs(newton) <= most
    np.testing.assert_array_equal(guarded[untouched], newton[untouched])


def test_trees_of_a_forest_take_whole_steps() -> None:
    X, y = make_rows(0, 3, 0.1, False)
    given = {"objective": "softmax", "boosting": "forest", "n_estimators": 3, "subsample": 0.6}
    rows = Dataset(X, y)
    plain = train({**given, "leaf_guard": False}, rows)
    np.testing.assert_array_equal(train(given, rows).predict(X), plain.predict(X))


def test_ordinary_settings_keep_their_models() -> None:
    X, y = make_rows(1, 3, 0.1, False)
    given = {"objective": "softmax", "n_estimators": 20, "n_jobs": 1}
    guarded, plain = (
        train({**given, "leaf_guard": guard}, Dataset(X, y)).predict(X) for guard in (True, False)
    )
    np.testing.assert_array_equal(guarded, plain)
