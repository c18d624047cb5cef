"""Targets, weights and gradients of extreme sizes: scaled to the bit, or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import Dataset, train
from ceiba.errors import InvalidInputError

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(200, 3))
Y = X[:, 0] + np.sin(3 * X[:, 1])
SMALL = {"n_estimators": 6, "max_leaves": 8, "n_jobs": 1}


def fit(target: Any, weight: Any = None, **params: Any) -> Any:
    return train({**SMALL, **params}, Dataset(X, target, weight=weight))


@pytest.mark.parametrize("objective", ["squared_error", "huber"])
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"leaf_model": "linear"},
        {"boosting": "dart", "drop_rate": 0.5},
        {"sampling": "goss"},
        {"split_method": "exact"},
        {"grow_policy": "symmetric", "max_leaves": 0, "max_depth": 3},
    ],
    ids=["plain", "linear", "dart", "goss", "exact", "symmetric"],
)
@given(exponent=st.one_of(st.integers(-800, -330), st.integers(330, 800)))
@settings(max_examples=5)
def test_a_power_of_two_multiplies_predictions(
    objective: str, more: dict[str, Any], exponent: int
) -> None:
    if objective == "huber" and "leaf_model" in more:  # its slopes are fitted unscaled
        exponent = -abs(exponent)
    plain = fit(Y, objective=objective, **more).predict(X)
    assert np.ptp(plain) > 0.5
    factor = 2.0**exponent
    moved = fit(Y * factor, objective=objective, **more).predict(X)
    np.testing.assert_array_equal(moved / factor, plain)


def test_several_targets_are_scaled_together() -> None:
    both = np.c_[Y, -2.0 * Y]
    plain = fit(both).predict(X)
    np.testing.assert_array_equal(fit(both * 2.0**-700).predict(X) * 2.0**700, plain)
    with pytest.raises(InvalidInputError, match="squares are no finite numbers"):
        fit(np.c_[Y, Y * 1e-200])


@pytest.mark.parametrize("objective", ["poisson", "tweedie"])
def test_means_too_small_for_any_split_are_refused(objective: str) -> None:
    target = np.exp(Y)
    assert np.ptp(fit(target * 0.1, objective=objective).predict(X)) > 0
    with pytest.raises(InvalidInputError, match=r"no split is possible\. Multiply the target"):
        fit(target * 1e-20, objective=objective)


@pytest.mark.parametrize("size", [1e-30, 1e-9])
def test_weights_too_small_for_any_split_are_refused(size: float) -> None:
    with pytest.raises(InvalidInputError, match=r"no split is possible\. Multiply the weights"):
        fit(Y, np.full(200, size))
    assert np.ptp(fit(Y, np.full(200, 1e30)).predict(X)) > 0.5


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_gradients_that_cannot_be_squared_are_refused(size: float) -> None:
    with pytest.raises(InvalidInputError, match="what the custom objective returns"):
        fit(Y, objective=lambda y, s: ((s - y) * size, np.ones(len(y))))
    with pytest.raises(InvalidInputError, match="Or leave out reg_alpha"):
        fit(Y * size, reg_alpha=0.1)


def test_custom_hessians_too_small_for_any_split_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="no split is possible"):
        fit(Y, objective=lambda y, s: ((s - y) * 1e-20, np.full(len(y), 1e-20)))


def test_constant_targets_and_single_classes_are_no_error() -> None:
    assert np.ptp(fit(np.full(200, 3.0)).predict(X)) == 0.0
    assert np.ptp(fit(np.zeros(200)).predict(X)) == 0.0
    fit(np.zeros(200), objective="logistic")
