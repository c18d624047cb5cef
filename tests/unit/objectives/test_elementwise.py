"""exp, log and what is made of them: precise, and the same bits on every path."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import _core
from ceiba.errors import InvalidInputError

Floats = np.ndarray[Any, np.dtype[np.float64]]

RANDOM = np.random.default_rng(0)
ANY_REAL = np.concatenate([RANDOM.uniform(-745, 709, 20_001), RANDOM.normal(size=20_000)])
POSITIVE = np.concatenate(
    [np.exp(RANDOM.uniform(-700, 700, 20_001)), RANDOM.uniform(0, 3, 20_000), np.array([5e-324])]
)
SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e308, -1e308, 5e-324])


def units_in_last_place(result: Floats, exact: Any) -> float:
    spacing = np.spacing(np.abs(exact.astype(np.float64)))
    return float(np.max(np.abs(result.astype(np.longdouble) - exact) / spacing))


def test_exp_and_log_are_precise() -> None:
    assert units_in_last_place(_core.exp(ANY_REAL), np.exp(ANY_REAL.astype(np.longdouble))) < 1.1
    assert units_in_last_place(_core.log(POSITIVE), np.log(POSITIVE.astype(np.longdouble))) < 1.0


def test_special_values_are_those_of_numpy() -> None:
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(_core.exp(SPECIAL), np.exp(SPECIAL), rtol=1e-15)
        np.testing.assert_allclose(_core.log(SPECIAL), np.log(SPECIAL), rtol=1e-15)
    np.testing.assert_array_equal(_core.exp(np.array([0.0, -0.0])), [1.0, 1.0])
    np.testing.assert_array_equal(_core.log(np.array([1.0])), [0.0])


@pytest.mark.parametrize("name", ["exp", "log", "sigmoid"])
def test_scalar_vector_and_baseline_bits_agree(name: str) -> None:
    # By name: pytest may hold parameters until after the core looks for what outlives it.
    function = getattr(_core, name)
    values = np.concatenate([ANY_REAL, POSITIVE, SPECIAL])
    expected = function(values)
    for width in (1, 2, 3, 5):
        few = values[-200 * width :]
        parts = [function(few[i : i + width]) for i in range(0, len(few), width)]
        assert np.concatenate(parts).tobytes() == expected[-200 * width :].tobytes()
    was_on = _core.uses_avx2()
    try:
        _core.set_avx2(False)
        assert function(values).tobytes() == expected.tobytes()
    finally:
        _core.set_avx2(was_on)


def test_elementwise_keeps_the_shape() -> None:
    assert _core.exp(np.zeros((2, 3))).shape == (2, 3)
    assert _core.sigmoid(np.zeros((0,))).shape == (0,)


def test_sigmoid_and_softmax_agree_with_their_definition() -> None:
    x = RANDOM.normal(scale=5.0, size=1000)
    np.testing.assert_allclose(_core.sigmoid(x), 1 / (1 + np.exp(-x)), rtol=1e-14)
    raw = RANDOM.normal(scale=5.0, size=(700, 5))
    expected = np.exp(raw) / np.exp(raw).sum(axis=1, keepdims=True)
    probabilities = _core.softmax(raw)
    np.testing.assert_allclose(probabilities, expected, rtol=1e-13)
    alone = np.concatenate([_core.softmax(raw[i : i + 1]) for i in range(len(raw))])
    assert alone.tobytes() == probabilities.tobytes()
    moved = _core.softmax(raw + 1024.0)
    np.testing.assert_allclose(moved, expected, rtol=1e-11)


def test_losses_stay_precise_for_confident_scores() -> None:
    loss = _core.logistic_loss(np.array([1.0, 0.0, 1.0]), np.array([50.0, 50.0, -800.0]))
    np.testing.assert_allclose(loss, [np.exp(-50.0), 50.0, 800.0], rtol=1e-14)
    loss = _core.softmax_loss(np.array([0.0, 1.0]), np.array([[50.0, 50.0], [0.0, 0.0]]))
    np.testing.assert_allclose(loss, [np.exp(-50.0), 50.0], rtol=1e-14)


def test_wrong_sizes_and_classes_are_errors() -> None:
    with pytest.raises(InvalidInputError, match=r"target must have 2 values\. Got 3"):
        _core.logistic_loss(np.zeros(3), np.zeros(2))
    with pytest.raises(InvalidInputError, match=r"class indices from 0 to 1\. Got 2"):
        _core.softmax_loss(np.array([2.0]), np.zeros((2, 1)))
    with pytest.raises(InvalidInputError, match="out_hessians must have"):
        _core.softmax_gradients(
            np.zeros((2, 3)), np.zeros(3), 1.0, np.zeros((2, 3)), np.zeros((2, 2)), 1
        )
