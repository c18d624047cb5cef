"""Gradients of the reference as integers."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba.testing.rounding import levels, round_rows


@pytest.mark.parametrize("precision", ["single", "packed", "wide"])
@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("repeats", [1, 100, 4096, 4097, 10**6, 2**24])
def test_sums_fit(precision: str, constant: bool, repeats: int) -> None:
    if precision == "single" and not constant and repeats > 4096:
        return
    gradient, hessian = levels(precision, repeats, constant)  # type: ignore[arg-type]
    assert gradient >= 13
    assert repeats * (2**gradient - 1) < 2**51
    if precision == "single":
        bits = repeats.bit_length()
        gradient_bits = (repeats * (2**gradient - 1)).bit_length() + 1
        hessian_bits = 0 if constant else (repeats * (2**hessian - 1)).bit_length()
        assert bits + gradient_bits + hessian_bits <= 64
    else:
        assert repeats.bit_length() + (repeats * (2**hessian - 1)).bit_length() <= 64


def test_rounding_is_to_the_nearest_even() -> None:
    unit = round_rows(np.array([1.0, 0.5]), None, 1.0, None, weighted_counts=True, whole=True)
    step = unit.gradient_unit
    halves = np.array([1.0, 0.5 + 0.5 * step, 0.5 + 1.5 * step])
    rounded = round_rows(halves, None, 1.0, None, weighted_counts=True, whole=True)
    assert rounded.gradient_unit == step
    assert rounded.gradients.tolist() == [
        round(1 / step),
        round(0.5 / step),
        round(0.5 / step) + 2,
    ]
