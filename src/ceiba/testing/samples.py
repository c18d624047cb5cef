"""Reference implementation of row samples, one row at a time.

Every function returns the multiplier of each row, 0 if it is not in the sample. ``key`` is (seed,
round, tree of the round).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ceiba import _core
from ceiba.testing.columns import row_hash, row_number

__all__ = ["bayesian", "bernoulli", "bootstrap", "goss", "mvs", "mvs_threshold", "uniform"]

Key = tuple[int, int, int]
Reals = NDArray[np.float64]


def _hash(key: Key, row: int) -> int:
    return row_hash(key[0], key[1], row, key[2])


def _number(key: Key, row: int) -> float:
    return row_number(key[0], key[1], row, key[2])


def bernoulli(key: Key, n_rows: int, fraction: float) -> Reals:
    """Sample each row independently by its random number."""
    numbers = [_number(key, row) for row in range(n_rows)]
    taken = np.array([float(number < fraction) for number in numbers])
    if not taken.any():
        taken[int(np.argmin(numbers))] = 1.0
    return taken


def uniform(key: Key, n_rows: int, wanted: int) -> Reals:
    """Sample the rows with the smallest hashes."""
    order = sorted(range(n_rows), key=lambda row: (_hash(key, row), row))
    taken = np.zeros(n_rows)
    taken[order[:wanted]] = 1.0
    return taken


def bootstrap(key: Key, n_rows: int, n_draws: int) -> Reals:
    """Sample with replacement: the top half of a draw's hash selects the row."""
    taken = np.zeros(n_rows)
    for draw in range(n_draws):
        taken[(_hash(key, draw) >> 32) * n_rows >> 32] += 1.0
    return taken


def bayesian(key: Key, n_rows: int, temperature: float) -> Reals:
    """(-log u)^temperature."""
    units = np.array([((_hash(key, row) >> 12) + 0.5) * 2.0**-52 for row in range(n_rows)])
    clocks = -_core.log(units)
    return clocks if temperature == 1.0 else _core.exp(temperature * _core.log(clocks))


def goss(
    key: Key, gradients: Reals, hessians: Reals, weights: Reals, n_top: int, n_other: float
) -> Reals:
    """Sample all rows with large gradients and some of the others, with larger multipliers."""
    sizes = np.zeros(gradients.shape[1])
    for gradient, hessian in zip(gradients, hessians, strict=True):
        sizes += np.abs(gradient * weights * (hessian * weights))
    n_rows = len(sizes)
    top = set(sorted(range(n_rows), key=lambda row: (-sizes[row], row))[:n_top])
    chance = n_other / (n_rows - n_top)
    others = [1 / chance if _number(key, row) < chance else 0.0 for row in range(n_rows)]
    return np.array([1.0 if row in top else others[row] for row in range(n_rows)])


def mvs(key: Key, gradients: Reals, weights: Reals, penalty: float, threshold: float) -> Reals:
    """Sample rows with probability proportional to the size of their gradients."""
    squares = np.full(gradients.shape[1], penalty)
    for gradient in gradients:
        squares += (gradient * weights) * (gradient * weights)
    taken = np.zeros(len(squares))
    for row, size in enumerate(np.sqrt(squares)):
        if size >= threshold:
            taken[row] = float(size > 0)
        elif _number(key, row) * threshold < size:
            taken[row] = threshold / size
    return taken


def mvs_threshold(sizes: Reals, n_expected: float) -> float:
    """Return the size above which rows are always sampled, from the sorted sizes."""
    ordered = sorted(sizes.tolist())
    for n_below in range(len(ordered) + 1):
        n_above = len(ordered) - n_below
        if n_above >= n_expected:
            continue
        threshold = math.fsum(ordered[:n_below]) / (n_expected - n_above)
        if n_below == len(ordered) or threshold <= ordered[n_below]:
            return threshold
    return 0.0
