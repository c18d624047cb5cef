"""Moments of a node's rows by bin, and of the left side of each split candidate.

Rows are sorted by their bin code, and one matrix product sums each segment. A column costs at most
n m² multiplications, whatever the number of candidates. Segments end at candidates; bins without
a candidate between them share a segment. The longest segment is the total minus the others, so a
column that is mostly 0 costs only its nonzero rows.

::

    codes of the node, sorted   0 0 0 1 1 2 2 2 3 4 4 | missing
    candidates x <= edge              ^     ^                      (others leave too few rows)
    segments                    [ 0 ][ 1 ][    2     ][    3   ]

The left side of candidate k is the sum of the segments up to k; the right side is the rest. Missing
values are tried on both sides. A categorical candidate separates one level from all others, and
missing values stay with the others.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Candidates", "candidates_of", "node_moments"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Candidates:
    """Candidates of one column: moments and weights of their left sides."""

    #: The last code on the left, or the level separated from all others.
    codes: NDArray[np.int64]
    missing_left: NDArray[np.bool_]
    #: For each set of working values, [n_candidates, m, m].
    left: list[Floats]
    left_weights: Floats


def node_moments(parts: list[Floats]) -> list[Floats]:
    """Return the moments of all rows of a node for each set of working values [n, m]."""
    return [part.T @ part for part in parts]


def candidates_of(
    codes: NDArray[np.int64],
    n_codes: int,
    *,
    is_category: bool,
    weights: Floats,
    parts: list[Floats],
    totals: list[Floats],
    min_weight: float,
) -> Candidates | None:
    """Return the candidates of a column with at least ``min_weight`` weight on either side.

    ``codes`` are the bins of the rows of a node; code ``n_codes`` means missing. ``parts`` are sets
    of working values [n, m] (rows times the root of their weight), ``totals`` their moments.
    """
    by_code: Floats = np.bincount(codes, weights, minlength=n_codes + 1).astype(np.float64)
    weight = float(by_code.sum())
    has_missing = bool(by_code[n_codes] > 0)
    if is_category:
        chosen = np.flatnonzero(
            (by_code[:-1] >= min_weight) & (weight - by_code[:-1] >= min_weight)
        )
        if not len(chosen):
            return None
        places = np.full(n_codes + 1, len(chosen))  # all other levels are one segment
        places[chosen] = np.arange(len(chosen))
        order, bounds = _segments(places[codes], len(chosen) + 1)
        left = [
            _moments_by_segment(part, order, bounds, total)[:-1]
            for part, total in zip(parts, totals, strict=True)
        ]
        return Candidates(chosen, np.zeros(len(chosen), dtype=bool), left, by_code[chosen])
    below: Floats = np.cumsum(by_code[:-1])
    present = by_code[:-1] > 0
    missing = float(by_code[n_codes])

    def allowed(left_weights: Floats) -> NDArray[np.bool_]:
        return present & (left_weights >= min_weight) & (weight - left_weights >= min_weight)

    right_ok, left_ok = allowed(below), allowed(below + missing) & has_missing
    ends = np.flatnonzero(right_ok | left_ok)
    if not len(ends):
        return None
    order, bounds = _segments(codes, n_codes + 1)
    bounds = np.array([0, *bounds[ends + 1], *bounds[-2:]])
    left = []
    for part, total in zip(parts, totals, strict=True):
        moments = _moments_by_segment(part, order, bounds, total)
        sums, absent = np.cumsum(moments[:-2], axis=0), moments[-1]
        left.append(np.concatenate([sums[right_ok[ends]], sums[left_ok[ends]] + absent]))
    ends_right, ends_left = ends[right_ok[ends]], ends[left_ok[ends]]
    return Candidates(
        np.concatenate([ends_right, ends_left]),
        np.repeat([False, True], [len(ends_right), len(ends_left)]),
        left,
        np.concatenate([below[ends_right], below[ends_left] + missing]),
    )


def _segments(codes: NDArray[np.int64], n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Sort rows by code; return their order and the first position of each of ``n`` codes."""
    order = np.argsort(codes, kind="stable")
    bounds = np.zeros(n + 1, dtype=np.intp)
    np.cumsum(np.bincount(codes, minlength=n), out=bounds[1:])
    return order, bounds


def _moments_by_segment(
    part: Floats, order: NDArray[np.intp], bounds: NDArray[np.intp], total: Floats
) -> Floats:
    """Return the moments of each segment; the longest one is computed as the remainder."""
    longest = int(np.argmax(np.diff(bounds)))
    moments = np.zeros((len(bounds) - 1, *total.shape))
    for k, (begin, end) in enumerate(itertools.pairwise(bounds.tolist())):
        if k != longest and begin < end:
            rows = part[order[begin:end]]
            moments[k] = rows.T @ rows
    moments[longest] = total - moments.sum(axis=0)
    return moments
