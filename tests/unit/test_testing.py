"""The tools for tests: what they need, and parts of them that nothing else checks."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from ceiba import _core
from ceiba.testing.growth import row_number, sample_columns
from ceiba.testing.rounding import levels, round_rows


def test_hypothesis_is_needed_by_strategies_alone() -> None:
    program = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "import ceiba.testing, ceiba.testing.reference, ceiba.testing.forests\n"
        "try: import ceiba.testing.strategies\n"
        "except ceiba.CeibaError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{program}"],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert "pip install hypothesis" in done.stdout


def test_hash_is_that_of_the_engine() -> None:
    units = [row_number(7, 3, row) for row in range(20)]
    np.testing.assert_array_equal(units, _core.hash_uniform(7, 3, 20))


def test_columns_are_a_share_of_those_given() -> None:
    columns = list(range(3, 43))
    chosen = sample_columns(columns, 0.3, key=5, stage=1, place=0)
    assert len(chosen) == 12
    assert chosen == sorted(set(chosen) & set(columns))
    assert sample_columns(columns, 0.3, key=6, stage=1, place=0) != chosen
    assert sample_columns(columns, 1.0, key=5, stage=1, place=0) == columns
    assert len(sample_columns([4, 9], 0.1, key=5, stage=1, place=0)) == 1


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
