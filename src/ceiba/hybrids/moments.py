"""Moments of the rows of a node by the bins of a column, and of what lies on a side of a split.

Rows are sorted by the code of the column and their products summed segment by segment: one
multiplication of matrices for each segment, at most n m² products for a column however many
candidates it has. Segments end where a candidate does; bins that no candidate parts are one
segment. The longest segment is what the others leave of the node: a column that is nearly always 0
costs no more than the few rows where it is not.

::

    codes of the node, sorted   0 0 0 1 1 2 2 2 3 4 4 | missing
    candidates x <= edge              ^     ^                      (others leave too few rows)
    segments                    [ 0 ][ 1 ][    2     ][    3   ]

The left side of the k-th candidate is the sum of the segments up to k, the right side is the rest
of the node. Missing values are tried on both sides. Of a category every level is parted from all
others, which missing values go with.
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
    """The candidates of one column: moments and weights of their left sides."""

    #: The last code on the left, or the level that is parted from all others.
    codes: NDArray[np.int64]
    missing_left: NDArray[np.bool_]
    #: For each set of working values, [n_candidates, m, m].
    left: list[Floats]
    left_weights: Floats


def node_moments(parts: list[Floats]) -> list[Floats]:
    """Return the moments of all rows of a node, for each set of working values [n, m]."""
    return [part.T @ part for part in parts]


def candidates_of(
    codes: NDArray[np.int64],
    n_codes: int,
    *,
    is_category: bool,
    weights: Floats,
    parts: list[Floats],
    totals: list[Floats],
    fewest: float,
) -> Candidates | None:
    """Return the candidates of a column that leave ``fewest`` rows on either side.

    ``codes`` are those of the rows of a node; ``n_codes`` stands for missing. ``parts`` are sets of
    working values [n, m], rows times the root of their weight, ``totals`` their moments.
    """
    by_code: Floats = np.bincount(codes, weights, minlength=n_codes + 1).astype(np.float64)
    weight = float(by_code.sum())
    has_missing = bool(by_code[n_codes] > 0)
    if is_category:
        chosen = np.flatnonzero((by_code[:-1] >= fewest) & (weight - by_code[:-1] >= fewest))
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
        return present & (left_weights >= fewest) & (weight - left_weights >= fewest)

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
    """Return rows in the order of their codes, and where those of each of ``n`` codes begin."""
    order = np.argsort(codes, kind="stable")
    bounds = np.zeros(n + 1, dtype=np.intp)
    np.cumsum(np.bincount(codes, minlength=n), out=bounds[1:])
    return order, bounds


def _moments_by_segment(
    part: Floats, order: NDArray[np.intp], bounds: NDArray[np.intp], total: Floats
) -> Floats:
    """Return the moments of each segment of rows; the longest has what the others leave."""
    longest = int(np.argmax(np.diff(bounds)))
    moments = np.zeros((len(bounds) - 1, *total.shape))
    for k, (begin, end) in enumerate(itertools.pairwise(bounds.tolist())):
        if k != longest and begin < end:
            rows = part[order[begin:end]]
            moments[k] = rows.T @ rows
    moments[longest] = total - moments.sum(axis=0)
    return moments
