"""Rows for checking an export: both sides of every threshold, missing values, extremes.

Every column has a list of values to try. Row i takes value i of a shuffled copy of each list, so
that every value occurs, in combinations that differ from row to row.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ceiba.export.described import UNSEEN, Column, Described

__all__ = ["MOST_ROWS", "probe", "round_down"]

Floats = NDArray[np.float64]

#: Largest number of rows of a probe.
MOST_ROWS = 4000
_FEWEST_ROWS = 200
#: Numbers far outside of any table; infinite ones are added where trees are piecewise constant.
_EXTREMES = (0.0, -0.0, 1.0, -1.0, 1e-30, 1e30, -1e30)
_ALMOST_ZERO = 1e-34
_SEED = 2020


def probe(model: Described, *, float32: bool = False, most: int = MOST_ROWS) -> Floats:
    """Return codes [n_rows, n_columns] to predict.

    With ``float32``, all numbers are representable as 32-bit floats.
    """
    with np.errstate(over="ignore", under="ignore"):  # thresholds may be the largest numbers
        values = [_values(model, j, float32) for j in range(len(model.columns))]
    n_rows = min(most, max(_FEWEST_ROWS, *map(len, values)))
    random = np.random.default_rng(_SEED)
    rows = np.empty((n_rows, len(values)))
    for j, own in enumerate(values):
        order = random.permutation(len(own))
        times = -(-n_rows // len(own))
        rows[:, j] = own[np.concatenate([order, *(random.permutation(len(own)),) * (times - 1)])][
            :n_rows
        ]
    return rows


def round_down(numbers: Floats) -> NDArray[np.float32]:
    """Return the largest 32-bit float that is not above each number.

    For any 32-bit float x, ``x <= number`` is the same as ``x <= round_down(number)``.
    """
    with np.errstate(over="ignore", under="ignore"):
        nearest = numbers.astype(np.float32)
        below = np.nextafter(nearest, np.float32(-np.inf))
    return np.where(nearest.astype(np.float64) > numbers, below, nearest)


def _values(model: Described, j: int, float32: bool) -> Floats:
    """Return the values to try in a column."""
    column = model.columns[j]
    if column.is_category:
        return _codes(column, model.refuses_unseen)
    numbers = [np.array([np.nan, *_extremes(model, j)])]
    trees = model.trees
    if j in model.kept:
        place = model.kept.index(j)
        by_threshold = (trees.feature == place) & ~trees.split_by_set
        thresholds = np.unique(trees.threshold[by_threshold])
        numbers += [thresholds, np.nextafter(thresholds, np.inf)]
        if trees.linear is not None:
            own = trees.linear.feature == place
            bounds = [trees.linear.low[own], trees.linear.high[own], trees.linear.mean[own]]
            numbers.append(np.unique(np.concatenate(bounds)))
    if model.missing is not None:
        numbers.append(np.array([model.missing]))
    tried = np.concatenate(numbers)
    if model.missing == 0.0:  # LightGBM reads numbers that are almost 0 as 0
        tried = np.where(np.abs(tried) < _ALMOST_ZERO, 0.0, tried)
    if float32:
        low = round_down(tried)
        tried = np.unique(np.concatenate([low, np.nextafter(low, np.float32(np.inf))]))
    linear = trees.linear
    if linear is not None and linear.extrapolates and _is_regressor(model, j):
        tried = tried[~np.isinf(tried)]  # an infinite prediction says nothing
    return tried.astype(np.float64)


def _codes(column: Column, refuses_unseen: bool) -> Floats:
    levels = np.arange(len(column.levels), dtype=np.float64)
    others = [np.nan] if refuses_unseen else [np.nan, UNSEEN]
    return np.concatenate([levels, others])


def _extremes(model: Described, j: int) -> tuple[float, ...]:
    """Return extreme values of a column; within reach of its training rows for linear leaves."""
    if not _is_regressor(model, j):
        return (*_EXTREMES, np.inf, -np.inf)
    linear = model.trees.linear
    assert linear is not None
    own = linear.feature == model.kept.index(j)
    low, high = float(linear.low[own].min()), float(linear.high[own].max())
    if not linear.extrapolates:
        return (*_EXTREMES, np.inf, -np.inf)
    width = high - low
    return (low, high, low - width, high + width)


def _is_regressor(model: Described, j: int) -> bool:
    """Whether linear leaves read a column."""
    linear = model.trees.linear
    return linear is not None and j in model.kept and model.kept.index(j) in linear.feature
