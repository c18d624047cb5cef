"""Reductions over shards have the bits of the same numbers over all rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from parts import CUTS, NUMBERS, WEIGHTS, over

from ceiba import _core
from ceiba.errors import InvalidInputError
from ceiba.reductions import (
    any_row,
    count_rows,
    exact_sum,
    extent,
    joined_rows,
    kth_key,
    ordered_keys,
    over_shards,
    values_in_order,
    values_of_keys,
    weighted_quantile,
)


@pytest.mark.parametrize("cuts", CUTS, ids=str)
@pytest.mark.parametrize("kind", WEIGHTS)
def test_sums(kind: str, cuts: list[int]) -> None:
    weights = WEIGHTS[kind]
    found, sizes = over(cuts, exact_sum, NUMBERS, weights)
    assert found == _core.exact_sum(NUMBERS, weights)
    assert max(sizes) <= 4


@pytest.mark.parametrize("cuts", CUTS, ids=str)
@pytest.mark.parametrize("given", [[np.inf], [-np.inf], [np.nan], [np.inf, -np.inf]], ids=str)
def test_sums_of_what_is_not_finite(given: list[float], cuts: list[int]) -> None:
    values = NUMBERS.copy()
    values[: len(given)] = given
    found, _ = over(cuts, exact_sum, values)
    expected = _core.exact_sum(values, None)
    assert found == expected or (math.isnan(found) and math.isnan(expected))


@pytest.mark.parametrize("cuts", CUTS, ids=str)
@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("level", [0.0001, 0.1, 0.5, 0.9, 0.9999])
def test_quantiles(level: float, kind: str, cuts: list[int]) -> None:
    weights = WEIGHTS[kind]

    def quantile(values: Any, own: Any) -> float:
        return weighted_quantile(values, own, level)

    found, sizes = over(cuts, quantile, NUMBERS, weights)
    assert found == _core.weighted_quantile(NUMBERS, weights, level)
    assert max(sizes) <= 2048


def test_quantiles_of_ties_and_of_nothing() -> None:
    ties = np.array([1.0, 2.0, 2.0, 2.0, 3.0])
    for level in (0.2, 0.3, 0.8, 0.9):
        found, _ = over(
            [2], lambda values, level=level: weighted_quantile(values, None, level), ties
        )
        assert found == _core.weighted_quantile(ties, None, level)
    with pytest.raises(InvalidInputError, match="at least one row"):
        over([0], lambda values: weighted_quantile(values, None, 0.5), np.zeros(0))


@pytest.mark.parametrize("cuts", CUTS, ids=str)
def test_small_numbers(cuts: list[int]) -> None:
    assert over(cuts, count_rows, NUMBERS)[0] == len(NUMBERS)
    assert over(cuts, extent, NUMBERS)[0] == (NUMBERS.min(), NUMBERS.max())
    assert over(cuts, lambda values: any_row(values > 1e9), NUMBERS)[0] == (NUMBERS > 1e9).any()
    assert not over(cuts, lambda values: any_row(values > 1e99), NUMBERS)[0]
    places = (0, 17, len(NUMBERS) - 1)
    ordered = np.sort(NUMBERS)
    found, _ = over(cuts, lambda values: values_in_order(values, places), NUMBERS)
    assert found == [ordered[place] for place in places]


def test_keys_have_the_order_of_values() -> None:
    ordered = np.sort(np.concatenate([NUMBERS, [np.inf, -np.inf, 5e-324, -5e-324]]))
    keys = ordered_keys(ordered)
    assert (keys[1:] >= keys[:-1]).all()
    assert np.array_equal(values_of_keys(keys), ordered)
    assert kth_key(keys, None, 3) == int(keys[2])


def test_rows_of_metrics_are_joined_in_order() -> None:
    weights = WEIGHTS["real"]
    found, _ = over(
        [100, 650],
        lambda *given: [own.tolist() for own in joined_rows(*given)],
        NUMBERS,
        NUMBERS * 2.0,
        weights,
    )
    assert found == [NUMBERS.tolist(), (NUMBERS * 2.0).tolist(), weights.tolist()]


def test_in_one_process_nothing_is_asked() -> None:
    assert not over_shards()
    assert exact_sum(NUMBERS) == _core.exact_sum(NUMBERS, None)
    assert count_rows(NUMBERS) == len(NUMBERS)
