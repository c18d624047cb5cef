"""Row sampling in a shard: the same rows as ``sample.py`` draws where all rows are in one process.

Random numbers are hashes of the numbers of rows in the whole table, so a shard draws its own rows.
Thresholds (how many rows to draw, GOSS, MVS) are found by counts over all shards.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ceiba import _core
from ceiba.boosting.sample import ALL_ROWS, RowSampler, RowSelection
from ceiba.reductions import (
    any_row,
    count_rows,
    exact_sum,
    extent,
    joined,
    kth_key,
    summed,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ceiba.boosting.row_statistics import RowStatistics
    from ceiba.parameters.resolving import Parameters

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]
    Keys = NDArray[np.uint64]
    Mask = NDArray[np.bool_]

__all__ = ["ShardSampler", "mvs_threshold"]

#: Draws of a bootstrap that are hashed at a time.
_DRAWS = 1 << 20
#: Bits of a size (exponent and more) that count the first and the second buckets of MVS
#: (``cpp/sample/gradient_size.cpp``).
_FIRST_BITS, _NEXT_BITS = 16, 10
_MANTISSA = (1 << 52) - 1


class ShardSampler(RowSampler):
    """Draws the rows of a shard.

    ``numbers`` are those of its rows in the whole table, ascending; ``query_numbers`` those of the
    queries among all queries, ``n_queries``.
    """

    def __init__(
        self,
        parameters: Parameters,
        target: Floats,
        weights: Floats | None,
        numbers: Integers,
        query_of_row: Integers | None,
    ) -> None:
        super().__init__(parameters, len(target), weights)
        self._target = target
        self._numbers = numbers
        self._query_of_row = query_of_row if parameters.sampling_unit == "query" else None

    def select(
        self, statistics: RowStatistics, round: int, tree: int = 0, last_leaf: float | None = None
    ) -> RowSelection:
        parameters = self._parameters
        if parameters.sampling == "goss":
            return self._goss(statistics, round, tree)
        if parameters.sampling == "mvs":
            return self._mvs(statistics, round, tree, last_leaf)
        freq = parameters.subsample_freq
        if freq == 0:
            return ALL_ROWS
        key = self._key(round - round % freq, tree)
        shares = (parameters.neg_subsample, parameters.pos_subsample)
        if min(shares) < 1.0:
            return self._by_class(key, shares)
        if self._query_of_row is None:
            drawn = self._of_numbers(key, self._numbers)
            balanced = parameters.class_weight == "balanced_subsample"
            return self._balanced(drawn) if balanced else drawn
        queries, place_of_row = np.unique(self._query_of_row, return_inverse=True)
        drawn = self._of_numbers(key, queries.astype(np.int64))
        if drawn is ALL_ROWS:
            return drawn
        times = np.zeros(len(queries))
        chosen = slice(None) if drawn.rows is None else drawn.rows
        times[chosen] = 1.0 if drawn.multipliers is None else drawn.multipliers
        of_row = times[place_of_row]
        if drawn.rows is None:
            return RowSelection(None, of_row, drawn.repeats)
        rows = np.flatnonzero(of_row).astype(np.int32)
        multipliers = None if drawn.multipliers is None else of_row[rows]
        return RowSelection(rows, multipliers, drawn.repeats)

    def _by_class(self, key: _core.RowKey, shares: tuple[float, float]) -> RowSelection:
        taken = np.zeros(len(self._numbers), dtype=bool)
        for label, share in enumerate(shares):
            own = (self._target == 1.0) == bool(label)
            if not any_row(own):
                continue
            taken[own] = True if share >= 1.0 else self._drawn(key, share, self._numbers[own])
        return RowSelection(np.flatnonzero(taken).astype(np.int32))

    def _of_numbers(self, key: _core.RowKey, numbers: Integers) -> RowSelection:
        """Sample rows, or queries, of these numbers."""
        kind, share = self._parameters.sampling, self._parameters.subsample
        if kind == "bayesian":
            temperature = self._parameters.bagging_temperature
            if temperature == 0.0:
                return ALL_ROWS
            hashes = _core.row_hashes(key, numbers)
            units = ((hashes >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52
            clocks = -_core.log(units)
            if temperature != 1.0:
                clocks = _core.exp(temperature * _core.log(clocks))
            return RowSelection(None, clocks, repeats=False)
        if kind == "bootstrap":
            n = count_rows(numbers)
            times = _bootstrap_counts(key, numbers, n, max(1, int(share * n)))
            rows = np.flatnonzero(times).astype(np.int32)
            return RowSelection(rows, times[rows].astype(np.float64))
        if kind == "none" or share >= 1.0:
            return ALL_ROWS
        return RowSelection(np.flatnonzero(self._drawn(key, share, numbers)).astype(np.int32))

    def _drawn(self, key: _core.RowKey, share: float, numbers: Integers) -> Mask:
        """Return which of these rows are in a share of those of all shards."""
        hashes = _core.row_hashes(key, numbers)
        if self._parameters.sampling == "uniform":
            n = count_rows(numbers)
            wanted = max(1, int(share * n))
            if wanted >= n:
                return np.ones(len(numbers), dtype=bool)
            return hashes <= np.uint64(kth_key(hashes, None, wanted))
        return _below(hashes, numbers, share)

    def _balanced(self, drawn: RowSelection) -> RowSelection:
        n_classes = _count_classes(self._target)
        labels = self._target.astype(np.intp)
        own = labels if drawn.rows is None else labels[drawn.rows]
        times = np.ones(len(own)) if drawn.multipliers is None else drawn.multipliers
        counts = np.bincount(own, weights=times, minlength=n_classes)
        totals = summed(counts.astype(np.int64)).astype(np.float64)
        factors = totals.sum() / (np.count_nonzero(totals) * np.maximum(totals, 1.0))
        return RowSelection(drawn.rows, times * factors[own], repeats=False)

    def _goss(self, statistics: RowStatistics, round: int, tree: int) -> RowSelection:
        rates = self._parameters.learning_rate
        rate = rates[round] if isinstance(rates, list) else rates
        top, other = self._parameters.top_rate, self._parameters.other_rate
        if round < int(1.0 / rate) or top + other >= 1.0:
            return ALL_ROWS
        numbers = self._numbers
        n = count_rows(numbers)
        n_top = int(top * n)
        sizes = np.zeros(0)
        if len(numbers):
            hessians, constant = statistics.hessians, statistics.constant_hessian
            sizes = _core.goss_sizes(statistics.gradients, hessians, constant, self._weights)
        large = _first(~sizes.view(np.uint64), numbers, n_top)
        chance = other * n / float(n - n_top)
        hashes = _core.row_hashes(self._key(round, tree), numbers)
        taken = large | ((hashes >> np.uint64(11)) < np.uint64(math.ceil(chance * 2.0**53)))
        if not any_row(taken):
            taken = _below(hashes, numbers, chance)
        multipliers = np.where(large, 1.0, 1.0 / chance)
        rows = np.flatnonzero(taken).astype(np.int32)
        return RowSelection(rows, multipliers[rows], repeats=False)

    def _mvs(
        self, statistics: RowStatistics, round: int, tree: int, last_leaf: float | None
    ) -> RowSelection:
        share, penalty = self._parameters.subsample, self._mvs_penalty
        if share >= 1.0:
            return ALL_ROWS
        numbers = self._numbers
        n = count_rows(numbers)
        if penalty is None:
            if last_leaf is None:
                last_leaf = exact_sum(self._sizes(statistics, 0.0)) / float(n)
            penalty = last_leaf * last_leaf
        sizes = self._sizes(statistics, penalty)
        if any_row(~np.isfinite(sizes)) or not any_row(sizes > 0.0):
            return ALL_ROWS
        threshold = mvs_threshold(sizes, share * n)
        hashes = _core.row_hashes(self._key(round, tree), numbers)
        units = (hashes >> np.uint64(11)).astype(np.float64) * 2.0**-53
        taken = ((sizes >= threshold) & (sizes > 0.0)) | (units * threshold < sizes)
        if not any_row(taken):
            taken = _first(~sizes.view(np.uint64), numbers, 1)
        rows = np.flatnonzero(taken).astype(np.int32)
        own = sizes[rows]
        return RowSelection(rows, np.where(own >= threshold, 1.0, threshold / own), repeats=False)

    def _sizes(self, statistics: RowStatistics, penalty: float) -> Floats:
        if not len(self._numbers):
            return np.zeros(0)
        return _core.mvs_sizes(statistics.gradients, self._weights, penalty)


def _count_classes(target: Floats) -> int:
    """Return the number of classes of all shards."""
    return int(extent(target)[1]) + 1


def _below(hashes: Keys, numbers: Integers, share: float) -> Mask:
    """Return the rows with a unit number below a share; if none is, the one with the smallest."""
    places = hashes >> np.uint64(11)
    taken = places < np.uint64(math.ceil(share * 2.0**53))
    return taken if any_row(taken) or not any_row(~taken) else _first(places, numbers, 1)


def _first(keys: Keys, numbers: Integers, wanted: int) -> Mask:
    """Return the rows with the smallest keys of all shards, equal ones in the order of rows."""
    if wanted == 0:
        return np.zeros(len(keys), dtype=bool)
    cut = np.uint64(kth_key(keys, None, wanted))
    left = wanted - int(summed(np.array([np.count_nonzero(keys < cut)]))[0])
    equal = keys == cut
    last = kth_key(numbers[equal].astype(np.uint64), None, left)
    taken: Mask = (keys < cut) | (equal & (numbers.astype(np.uint64) <= np.uint64(last)))
    return taken


def _bootstrap_counts(
    key: _core.RowKey, numbers: Integers, n_rows: int, n_draws: int
) -> NDArray[np.int64]:
    """Return how often each of these rows is drawn. Every shard makes all draws."""
    counts = np.zeros(len(numbers), dtype=np.int64)
    for first in range(0, n_draws, _DRAWS):
        draws = np.arange(first, min(n_draws, first + _DRAWS), dtype=np.int64)
        tops = _core.row_hashes(key, draws) >> np.uint64(32)
        rows = ((tops * np.uint64(n_rows)) >> np.uint64(32)).astype(np.int64)
        places = np.searchsorted(numbers, rows)
        places[places == len(numbers)] = 0
        if len(numbers):
            np.add.at(counts, places[numbers[places] == rows], 1)
    return counts


def mvs_threshold(sizes: Floats, n_expected: float) -> float:
    """Return the size t with sum of min(1, size / t) = ``n_expected`` over all shards.

    Sizes are counted by their first bits, then by the next bits of one bucket. The sizes in one
    bucket of these, about 1 in 16,000 by value, are looked at one by one.
    """
    bits = sizes.view(np.uint64)
    search = _Search(n_expected, float(count_rows(sizes)))
    first_shift = 64 - _FIRST_BITS
    buckets = _buckets(bits >> np.uint64(first_shift), bits, 1 << (_FIRST_BITS - 1))
    first = search.skip(buckets, 0, first_shift)
    if first is None:
        return search.threshold()
    begin, next_shift = first << first_shift, first_shift - _NEXT_BITS
    inside = bits[bits >> np.uint64(first_shift) == np.uint64(first)]
    places = (inside - np.uint64(begin)) >> np.uint64(next_shift)
    found = search.skip(_buckets(places, inside, 1 << _NEXT_BITS), begin, next_shift)
    if found is None:
        return search.threshold()
    last = joined(inside[places == np.uint64(found)].view(np.float64))
    for size in np.sort(last).tolist():
        if search.above < n_expected and search.threshold() <= size:
            break
        search.below += size
        search.above -= 1.0
    return search.threshold()


class _Search:
    """The state of the search: the sum of smaller sizes, and the number of the others."""

    def __init__(self, n_expected: float, above: float) -> None:
        self.n_expected, self.below, self.above = n_expected, 0.0, above

    def threshold(self) -> float:
        return self.below / (self.n_expected - self.above) if self.above < self.n_expected else 0.0

    def skip(self, buckets: Integers, first: int, shift: int) -> int | None:
        """Go to the first bucket whose end is not smaller than the threshold."""
        counts, sums = buckets
        for place in np.flatnonzero(counts).tolist():
            bits = first + (place << shift)
            end = float(np.array([bits + (1 << shift)], dtype=np.uint64).view(np.float64)[0])
            exponent = (bits >> 52) - 1023 - 31
            below = self.below + math.ldexp(float(int(sums[place])), exponent)
            above = self.above - float(int(counts[place]))
            if below / end + above <= self.n_expected:
                return int(place)
            self.below, self.above = below, above
        return None


def _buckets(places: Keys, bits: Keys, n: int) -> Integers:
    """Return the number of sizes in each bucket, and the sum of their next 32 bits."""
    buckets = np.zeros((2, n), dtype=np.int64)
    own = places.astype(np.intp)
    np.add.at(buckets[0], own, 1)
    normal = bits > np.uint64(_MANTISSA)
    digits = ((bits & np.uint64(_MANTISSA)) | np.uint64(_MANTISSA + 1)) >> np.uint64(21)
    np.add.at(buckets[1], own[normal], digits[normal].astype(np.int64))
    return summed(buckets)
