"""Statistics of leaves over shards have the bits of the selection in one process."""

from __future__ import annotations

from typing import Any

import pytest
from parts import CUTS, NUMBERS, WEIGHTS, over

from ceiba import _core
from ceiba.reductions import count_rows, weight_units
from ceiba.residual_statistics import huber_minimum, residual_statistics

DELTAS = (0.0, 1e-9, 0.3, 2.0, 1e12)


@pytest.mark.parametrize("cuts", CUTS, ids=str)
@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("delta", DELTAS)
def test_minima_of_huber(delta: float, kind: str, cuts: list[int]) -> None:
    weights = WEIGHTS[kind]
    found, sizes = over(cuts, lambda *rows: huber_minimum(*rows, delta), NUMBERS, weights)
    assert found == _core.huber_minimum(NUMBERS, weights, delta)
    assert max(sizes) <= 2048


@pytest.mark.parametrize("cuts", CUTS, ids=str)
@pytest.mark.parametrize("level", [0.01, 0.5, 0.93])
def test_quantiles(level: float, cuts: list[int]) -> None:
    weights = WEIGHTS["real"]

    def quantile(values: Any, own: Any) -> Any:
        units = weight_units(own, count_rows(values))
        residuals = _core.ShardResiduals.of(values + 0.0, units)
        return residual_statistics(residuals, 1, "quantile", level)

    (found, totals), _ = over(cuts, quantile, NUMBERS, weights)
    assert found[0] == _core.weighted_quantile(NUMBERS, weights, level)
    assert totals.shape == (1,)


def test_nodes_without_rows_have_no_value() -> None:
    residuals = _core.ShardResiduals.none(3)
    for kind, option in (("quantile", 0.5), ("huber", 1.0), ("huber_friedman", 1.0)):
        values, totals = residual_statistics(residuals, 3, kind, option)  # type: ignore[arg-type]
        assert values.tolist() == [0.0, 0.0, 0.0]
        assert totals.tolist() == [0, 0, 0]
