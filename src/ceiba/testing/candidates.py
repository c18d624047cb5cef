"""Reference implementation of candidate thresholds: weighted quantiles."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Ranks = NDArray[np.int64]
Reals = NDArray[np.float64]


def edge_between(low: float, high: float) -> float:
    """Return the threshold between two neighboring values: their midpoint, or the lower one."""
    middle = (low + high) * 0.5
    if not math.isfinite(middle):
        middle = low * 0.5 + high * 0.5
    return middle + 0.0 if math.isfinite(middle) and middle < high else low


def most_bins(eps: float) -> int:
    """Return the maximum number of bins of a column, including the bin of missing values."""
    return math.floor(1 / eps * (1 + 2.0**-40))


def quantile_cuts(ranks: Ranks, weights: NDArray[np.int64], room: int) -> list[int]:
    """Cut rows into at most ``room`` bins of nearly equal weight; a cut is the last rank of a bin.

    If the distinct values fit, each gets a bin. If they do not fit and all weights are 0, there
    are no cuts.
    """
    values, places = np.unique(ranks, return_inverse=True)
    if len(values) <= room:
        return [int(value) for value in values[:-1]]
    summed = [0] * len(values)
    for place, weight in zip(places, weights, strict=True):
        summed[place] += int(weight)
    total, reached, k = sum(summed), 0, 1
    cuts: list[int] = []
    for value, weight in zip(values, summed, strict=True):
        reached += weight
        if total and weight and k < room and reached >= max(1, total * k // room):
            cuts.append(int(value))
            while k < room and reached >= max(1, total * k // room):
                k += 1
    return [cut for cut in cuts if cut != values[-1]]


def propose(ranks: Ranks, hessians: NDArray[np.int64], counts: Ranks, room: int) -> list[int]:
    """Return the cuts by hessians, or by row counts if all hessians are 0."""
    weights = hessians if hessians.sum() else counts
    return quantile_cuts(ranks, weights, room)


def propose_for_tree(
    ranks: Ranks,
    n_values: int,
    selected: NDArray[np.intp],
    hessians: NDArray[np.int64],
    counts: NDArray[np.int64],
    room: int,
) -> list[int]:
    """Return the cuts of a whole column from the hessians and counts of the selected rows."""
    if n_values <= room:
        return list(range(n_values - 1))
    present = ranks[selected] < n_values
    if not hessians[present].sum():
        return propose(ranks[selected][present], hessians[present], counts[present], room)
    weights = np.zeros(len(ranks), dtype=np.int64)
    weights[selected] = hessians
    return quantile_cuts(ranks[ranks < n_values], weights[ranks < n_values], room)


def codes_by_cuts(
    ranks: Ranks, values: Reals, cuts: list[int]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the bin codes of rows and the bin edges. The code after the last bin means missing."""
    codes = np.searchsorted(np.array(cuts, dtype=np.int64), ranks, side="left")
    codes[ranks >= max(1, len(values))] = len(cuts) + 1
    edges = [edge_between(float(values[cut]), float(values[cut + 1])) for cut in cuts]
    return codes, np.array(edges, dtype=np.float64)
