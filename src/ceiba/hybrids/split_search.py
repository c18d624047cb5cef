"""Find the best split of a node of a linear tree, scored by the linear models of both sides.

The life of a search:

1. :class:`Binned` codes every column once. Candidates are bin edges and category levels.
2. :class:`WorkingValues` hold the columns, 1 and the target of a node, times the root of the
   weights. A regression has one set. A logistic model has the set of its next Newton step
   (weights w p(1 - p), target ``score + (y - p) / (p (1 - p))``). With more than two classes there
   is one set per class (one-vs-rest).
3. :func:`best_split` computes the moments of both sides of all candidates (``moments.py``) and the
   losses of their models (``gram.py``), and picks the largest gain. Gains are rounded to 1e-9 of
   the node's loss. Ties go to the lowest column, then the lowest threshold, then missing left.
4. :func:`finer_edges` places thresholds between the values around the chosen one. The search
   repeats among them until every gap between neighboring values was tried.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.data.binning import find_bins
from ceiba.hybrids.blas_threads import map_in_threads
from ceiba.hybrids.gram import descended_losses, solved_losses
from ceiba.hybrids.linear_models import Linear, Penalty
from ceiba.hybrids.moments import Candidates, candidates_of, node_moments
from ceiba.hybrids.rows import TrainingRows
from ceiba.hybrids.rules import Condition
from ceiba.hybrids.softmax import softmax

__all__ = ["Binned", "Search", "Split", "WorkingValues", "best_split", "finer_edges"]

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

_DIGITS = 9
#: Maximum number of thresholds in one refinement step.
_FINER = 32
_LOWEST_CURVATURE = 1e-6


@dataclass(frozen=True, eq=False)
class Binned:
    """Bin codes of the columns that may be split; the code after the last bin means missing."""

    columns: tuple[int, ...]
    codes: tuple[Codes, ...]
    n_codes: tuple[int, ...]
    #: Upper edges of the bins, empty for categories.
    edges: tuple[Floats, ...]
    #: The original values, [rows, columns of the table].
    values: Floats

    @classmethod
    def of(cls, rows: TrainingRows, columns: list[int], max_bins: int, n_threads: int) -> Binned:
        """Bin the columns of training rows."""
        mapper = find_bins(rows.table(), rows.weights, max_bins, 1, n_threads)
        codes, n_codes, edges = [], [], []
        for j in columns:
            values = rows.values[:, j]
            absent = np.isnan(values)
            if rows.schema.kinds[j] == "category":
                n, own_edges = len(rows.schema.levels_of(j)), np.empty(0)
                own = np.where(absent, n, values).astype(np.int64)
            else:
                own_edges = np.asarray(mapper.edges(j), dtype=np.float64)
                n = len(own_edges) + 1
                own = np.where(absent, n, np.searchsorted(own_edges, values)).astype(np.int64)
            codes.append(own)
            n_codes.append(n)
            edges.append(own_edges)
        return cls(tuple(columns), tuple(codes), tuple(n_codes), tuple(edges), rows.values)


@dataclass(frozen=True, eq=False)
class WorkingValues:
    """Working values and penalties of the models of a node."""

    #: Sets of columns, 1 and target [n, m], times the root of the weights.
    parts: list[Floats]
    weights: Floats
    #: Penalties in units of the standardized columns and target.
    l1: Floats
    l2: Floats
    #: Whether penalties grow with the weight of the rows, as in lasso regression.
    by_weight: bool
    #: Coefficients of the node for each set: the start of coordinate descent.
    start: list[Floats]


@dataclass(frozen=True)
class Search:
    """Parameters of a search."""

    penalty: Penalty
    #: Minimum weight of the rows on either side.
    min_weight: float
    n_threads: int


@dataclass(frozen=True)
class Split:
    """The chosen candidate: its two sides as conditions."""

    left: Condition
    right: Condition
    gain: float


def regression_values(
    columns: Floats,
    target: Floats,
    weights: Floats,
    model: Linear,
    penalty: Penalty,
    scales: Floats,
) -> WorkingValues:
    """Return the working values of a regression; the target is standardized."""
    root = np.sqrt(weights)
    center = (target * weights).sum() / weights.sum()
    spread = float(np.sqrt((weights * (target - center) ** 2).sum() / weights.sum())) or 1.0
    part = _part(columns / scales, (target - center) / spread, root)
    seen = penalty.penalty_scales(scales)
    strength = 0.0 if penalty.plain else penalty.strength
    by_weight = penalty.name in ("lasso", "elasticnet")
    ratio = penalty.l1_weight
    l1 = strength * ratio * (seen / scales) / spread
    l2 = strength * (1.0 - ratio) * (seen / scales) ** 2
    start = model.coefficients[0] * scales / spread
    return WorkingValues([part], weights, l1, l2, by_weight, [start])


def logistic_values(
    columns: Floats,
    target: Floats,
    weights: Floats,
    model: Linear,
    penalty: Penalty,
    scales: Floats,
) -> WorkingValues:
    """Return the working values of the next Newton step of a logistic model."""
    scores = model.scores(columns)
    probabilities = softmax(scores)
    hits = (target[:, None] == np.arange(probabilities.shape[1])).astype(np.float64)
    if scores.shape[1] == 1:
        probabilities, hits = probabilities[:, 1:], hits[:, 1:]
    curvature = np.maximum(probabilities * (1.0 - probabilities), _LOWEST_CURVATURE)
    aims = scores + (hits - probabilities) / curvature
    standardized = columns / scales
    parts = [
        _part(standardized, aims[:, k], np.sqrt(weights * curvature[:, k]))
        for k in range(scores.shape[1])
    ]
    seen = penalty.penalty_scales(scales) / scales
    strength, ratio = (0.0 if penalty.plain else penalty.strength), penalty.l1_weight
    start = [own * scales for own in model.coefficients]
    l1, l2 = strength * ratio * seen, strength * (1.0 - ratio) * seen**2
    return WorkingValues(parts, weights, l1, l2, False, start)


def best_split(
    binned: Binned, rows: NDArray[np.intp], working: WorkingValues, search: Search, schema: Any
) -> Split | None:
    """Return the split with the smallest loss, or None if no split has a positive gain."""
    totals = node_moments(working.parts)
    weight = float(working.weights.sum())
    whole = sum(
        float(_losses(total[None], np.array([weight]), k, working)[0])
        for k, total in enumerate(totals)
    )
    if not whole > 0.0:
        return None

    def of_codes(codes: Codes, n_codes: int, is_category: bool) -> tuple[Candidates, Floats] | None:
        found = candidates_of(
            codes,
            n_codes,
            is_category=is_category,
            weights=working.weights,
            parts=working.parts,
            totals=totals,
            min_weight=search.min_weight,
        )
        if found is None:
            return None
        losses = np.zeros(len(found.codes))
        for k, (left, total) in enumerate(zip(found.left, totals, strict=True)):
            right_weights = weight - found.left_weights
            losses += _losses(left, found.left_weights, k, working)
            losses += _losses(total - left, right_weights, k, working)
        return found, np.round((whole - losses) / whole, _DIGITS)

    def of_column(place: int) -> _Best | None:
        is_category = schema.kinds[binned.columns[place]] == "category"
        return _best_of(of_codes(binned.codes[place][rows], binned.n_codes[place], is_category))

    best, chosen = None, -1
    answers = map_in_threads(of_column, range(len(binned.columns)), search.n_threads)
    for place, answer in enumerate(answers):
        if answer is not None and (best is None or answer.gain > best.gain):
            best, chosen = answer, place
    if best is None or best.gain <= 0.0:
        return None
    column = binned.columns[chosen]
    if schema.kinds[column] == "category":
        sides = [Condition(column, np.nan, (best.code,), left, not left) for left in (True, False)]
        return Split(sides[0], sides[1], best.gain)
    values = binned.values[rows, column]
    absent = np.isnan(values)
    best, threshold = _refined(best, values, absent, binned.edges[chosen], of_codes)
    missing_left = best.missing_left
    if not absent.any():
        # No row of the node is missing here: send missing values to the heavier side.
        missing_left = best.left_weight >= weight - best.left_weight
    sides = [Condition(column, threshold, (), left, missing_left == left) for left in (True, False)]
    return Split(sides[0], sides[1], best.gain)


def _refined(
    best: _Best,
    values: Floats,
    absent: NDArray[np.bool_],
    edges: Floats,
    of_codes: Callable[[Codes, int, bool], tuple[Candidates, Floats] | None],
) -> tuple[_Best, float]:
    """Refine the best candidate between the neighboring edges; return it and its threshold."""
    low, threshold, high = _around(edges, best.code, -np.inf, np.inf)
    while threshold < np.inf:
        finer = finer_edges(values[~absent], low, threshold, high)
        if finer is None:
            break
        codes = np.where(absent, len(finer) + 1, np.searchsorted(finer, values)).astype(np.int64)
        again = _best_of(of_codes(codes, len(finer) + 1, False))
        if again is None or again.code >= len(finer) or again.gain < best.gain:
            break
        best = again
        low, threshold, high = _around(finer, best.code, low, high)
    return best, threshold


def finer_edges(values: Floats, low: float, threshold: float, high: float) -> Floats | None:
    """Return thresholds between ``low`` and ``high``, None if ``threshold`` is the only one.

    They are midpoints of neighboring values; one of them splits ``values`` like ``threshold``. If
    there are more than ``_FINER`` gaps, the result uses evenly spaced ones.
    """
    known = np.unique(values[(values > low) & (values <= high)])
    n_gaps = len(known) - 1
    own = int(np.searchsorted(known, threshold, side="right")) - 1
    if n_gaps < 2 or not 0 <= own < n_gaps:
        return None
    gaps = np.arange(n_gaps)
    if n_gaps > _FINER:
        gaps = np.unique(np.append(np.linspace(0, n_gaps - 1, _FINER).astype(np.intp), own))
    below, above = known[gaps], known[gaps + 1]
    middle = 0.5 * below + 0.5 * above
    finer: Floats = np.where((middle >= below) & (middle < above), middle, below)
    return finer


def _around(edges: Floats, code: int, low: float, high: float) -> tuple[float, float, float]:
    """Return an edge (infinity after the last) and its neighbors; ``low`` and ``high`` are ends."""
    whole = [low, *edges.tolist(), high]
    return whole[code], whole[code + 1], whole[min(code + 2, len(whole) - 1)]


@dataclass(frozen=True)
class _Best:
    """The best candidate of a column."""

    gain: float
    code: int
    missing_left: bool
    left_weight: float


def _best_of(answer: tuple[Candidates, Floats] | None) -> _Best | None:
    if answer is None:
        return None
    found, gains = answer
    first = int(np.lexsort((~found.missing_left, found.codes, -gains))[0])
    return _Best(
        float(gains[first]),
        int(found.codes[first]),
        bool(found.missing_left[first]),
        float(found.left_weights[first]),
    )


def _losses(moments: Floats, weights: Floats, k: int, working: WorkingValues) -> Floats:
    """Return the loss of the models of several sets of rows."""
    if not working.by_weight and not working.l1.any():
        return solved_losses(moments, np.append(working.l2, 0.0), weights)
    factors = weights[:, None] if working.by_weight else np.ones((len(weights), 1))
    return descended_losses(moments, factors * working.l1, factors * working.l2, working.start[k])


def _part(columns: Floats, target: Floats, root: Floats) -> Floats:
    part = np.empty((len(columns), columns.shape[1] + 2))
    part[:, :-2] = columns
    part[:, -2] = 1.0
    part[:, -1] = target
    part *= root[:, None]
    return part
