"""The grower's own checks; what it grows is compared with the reference in tests/properties."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba import _core
from ceiba.errors import InvalidInputError


def binned(values: np.ndarray, mapper: _core.BinMapper | None = None) -> _core.BinnedMatrix:
    columns = [[values]]
    found = mapper or _core.BinMapper.find(columns, None, 16, 1, 1)
    return _core.BinnedMatrix.build(found, columns, 1)


def test_bins_without_a_place_for_missing_values_are_refused() -> None:
    values = np.arange(50.0)
    mapper = _core.BinMapper.find([[values]], None, 16, 1, 1)
    holes = values.copy()
    holes[3] = np.nan
    with pytest.raises(InvalidInputError, match="bins were found on a table without"):
        _core.Grower(binned(holes, mapper), _core.GrowPlan(), None, 1)


@pytest.mark.parametrize(
    ("gradients", "hessians", "words"),
    [
        (np.nan, 1.0, "must be finite"),
        (1.0, np.inf, "must be finite"),
        (1.0, -1.0, "must not be negative"),
    ],
)
def test_gradients_that_make_no_sense_are_refused(
    gradients: float, hessians: float, words: str
) -> None:
    grower = _core.Grower(binned(np.arange(50.0)), _core.GrowPlan(), None, 1)
    g, h = np.ones((1, 50)), np.ones((1, 50))
    g[0, 7], h[0, 7] = gradients, hessians
    with pytest.raises(InvalidInputError, match=words):
        grower.grow(g, h, 0.0, None, 0)


def test_trees_forget_their_rows_when_others_are_grown() -> None:
    grower = _core.Grower(binned(np.arange(50.0)), _core.GrowPlan(max_leaves=4), None, 1)
    g = np.linspace(-1, 1, 50)[None].copy()
    first = grower.grow(g, None, 1.0, None, 0)
    grower.grow(g, None, 1.0, None, 1)
    with pytest.raises(InvalidInputError, match="no longer know the rows"):
        first.add_to_scores(np.zeros((1, 50)))


@pytest.mark.parametrize("rows", [[3, 2], [0, 50], [-1, 4], [2, 2], []])
def test_rows_that_are_no_selection_are_refused(rows: list[int]) -> None:
    grower = _core.Grower(binned(np.arange(50.0)), _core.GrowPlan(), None, 1)
    with pytest.raises(InvalidInputError, match="rows must"):
        grower.grow(np.ones((1, 50)), None, 1.0, np.array(rows, dtype=np.int32), 0)
