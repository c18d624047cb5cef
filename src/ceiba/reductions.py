"""Sums, extremes and quantiles over all rows of a training, wherever the rows are.

Objectives, metrics and samplers see the rows of one shard. Where they need a number of all rows,
they call a function of this module. In a training in memory there is one shard, and the function
computes its result at once.

The life of a reduction over several shards:

1. Every shard runs the same operation on its rows within :func:`known_answers`.
2. A function of this module asks a question: a rule and the part of these rows, an array whose
   size does not depend on the number of rows. The first question without a known answer leaves the
   operation as an :class:`Unanswered` exception.
3. :func:`merged` merges the parts of all shards by the rule. Every shard runs the operation again
   with one more known answer, until it returns. So a shard keeps nothing between questions, and may
   be somewhere else when it is asked again. An operation asks before it changes anything.

Sums are sums of integers, so the result does not depend on the division of the rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ceiba import _core
from ceiba.errors import InvalidInputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Keys = NDArray[np.uint64]

__all__ = [
    "Question",
    "Unanswered",
    "any_row",
    "count_rows",
    "exact_sum",
    "extent",
    "facts_of_weights",
    "joined",
    "joined_rows",
    "kth_key",
    "known_answers",
    "largest",
    "merged",
    "ordered_keys",
    "over_shards",
    "smallest",
    "summed",
    "unit_scale",
    "values_in_order",
    "values_of_keys",
    "weight_to_reach",
    "weight_units",
    "weighted_quantile",
]

Rule = Literal["sum", "max", "join"]

#: Bits of a key that one question counts by. Six questions find a key among any number of rows.
DIGITS = (11, 11, 11, 11, 11, 9)
#: From these bits on, a magnitude is infinite or NaN.
_NOT_FINITE = 0x7FF0000000000000
#: Sums of whole weights from here on do not count as repeated rows (``row_selection.hpp``).
_MOST_WHOLE = 2.0**30


@dataclass(frozen=True, slots=True)
class Question:
    """The part of one shard in a number of all rows."""

    rule: Rule
    part: NDArray[Any]


class Unanswered(BaseException):
    """A question without a known answer. Only a driver of shards catches it."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.rule)
        self.question = question


_ANSWERS: ContextVar[Iterator[NDArray[Any]] | None] = ContextVar("answers", default=None)


@contextmanager
def known_answers(answers: Sequence[NDArray[Any]]) -> Iterator[None]:
    """Run an operation on a shard, with the answers to its first questions."""
    token = _ANSWERS.set(iter(answers))
    try:
        yield
    finally:
        _ANSWERS.reset(token)


def over_shards() -> bool:
    """Return whether the rows at hand are those of one of several shards."""
    return _ANSWERS.get() is not None


def merged(questions: Sequence[Question]) -> NDArray[Any]:
    """Return the answer to the question that all shards ask."""
    parts = [question.part for question in questions]
    if questions[0].rule == "join":
        return np.concatenate(parts, axis=-1)
    stacked = np.array(parts)
    rule = np.sum if questions[0].rule == "sum" else np.max
    answer: NDArray[Any] = rule(stacked, axis=0)
    return answer


def _ask(rule: Rule, part: NDArray[Any]) -> NDArray[Any]:
    answers = _ANSWERS.get()
    if answers is None:
        return part
    for answer in answers:
        return answer
    raise Unanswered(Question(rule, np.array(part)))


def summed(part: NDArray[np.integer[Any]]) -> NDArray[Any]:
    """Return the sums of integers over all shards."""
    return _ask("sum", part)


def largest(part: NDArray[Any]) -> NDArray[Any]:
    """Return the largest numbers of all shards."""
    return _ask("max", part)


def smallest(part: NDArray[Any]) -> NDArray[Any]:
    """Return the smallest numbers of all shards."""
    return -largest(-part)


def joined(values: NDArray[Any]) -> NDArray[Any]:
    """Return the values of all rows, shard after shard.

    The only answer that grows with the rows. For metrics that rank all rows by their score.
    """
    return _ask("join", values)


def any_row(mask: NDArray[np.bool_]) -> bool:
    """Return whether anything is true in any row."""
    return bool(largest(np.array([mask.any()], dtype=np.int64))[0])


def count_rows(values: NDArray[Any]) -> int:
    """Return the number of all rows. Their values are along the last axis."""
    return int(summed(np.array([values.shape[-1]], dtype=np.int64))[0])


def exact_sum(values: Floats, weights: Floats | None = None) -> float:
    """Return the sum of values, times weights if given. It does not depend on their order."""
    if not over_shards():
        return _core.exact_sum(values, weights)
    bits = largest(np.array(_core.largest_bits(values, weights), dtype=np.int64))
    if bits.max() >= _NOT_FINITE:
        products = values if weights is None else values * weights
        found = [np.isnan(products).any(), (products == np.inf).any(), (products == -np.inf).any()]
        nan, above, below = largest(np.array(found, dtype=np.int64))
        return math.nan if nan or (above and below) else math.inf if above else -math.inf
    own = int(bits[0]), int(bits[1])
    limbs = summed(_core.exact_part(values, weights, *own))
    return _core.exact_result(limbs, *own, weights is not None)


def weighted_quantile(values: Floats, weights: Floats | None, level: float) -> float:
    """Return the smallest value up to which the weights sum to ``level`` times their total."""
    if not over_shards():
        return _core.weighted_quantile(values, weights, level)
    if count_rows(values) == 0:
        raise InvalidInputError("A quantile needs at least one row. Got none.")
    units = weight_units(weights, count_rows(values))
    total = int(summed(np.array([len(values) if units is None else units.sum()]))[0])
    key = kth_key(ordered_keys(values), units, weight_to_reach(level, total))
    return float(values_of_keys(np.array([key], dtype=np.uint64))[0])


def weight_to_reach(level: float, total: int) -> int:
    """Return the weight up to the quantile of a level, as ``weighted_quantile.hpp`` defines it."""
    units = math.ceil(level * float(total))
    return total if units >= float(total) else max(1, units)


def facts_of_weights(weights: Floats) -> tuple[bool, float]:
    """Return whether all weights are whole and their sum is small, and the largest weight."""
    top = float(largest(np.array([weights.max(initial=0.0)]))[0])
    total = float(summed(np.array([weights.sum()]))[0])  # exact where it is compared
    return not any_row(weights != np.floor(weights)) and total < _MOST_WHOLE, top


def unit_scale(top: float, n_rows: int) -> float:
    """Return how many units make a weight of 1, so fine that the sum of all rows just fits."""
    exponent = 62 - math.frexp(float(n_rows))[1] - math.frexp(top)[1]
    return math.ldexp(1.0, max(-1000, min(1000, exponent)))


def weight_units(weights: Floats | None, n_rows: int) -> NDArray[np.int64] | None:
    """Return weights as integers: whole weights as they are, others as multiples of a unit."""
    if weights is None:
        return None
    whole, top = facts_of_weights(weights)
    if whole or not top > 0.0:
        return weights.astype(np.int64)
    return np.maximum(1, (weights * unit_scale(top, n_rows)).astype(np.int64))


def ordered_keys(values: Floats) -> Keys:
    """Return unsigned integers in the order of the values. -0 and 0 have the same."""
    bits = np.asarray(values + 0.0).view(np.uint64)
    sign = np.uint64(1 << 63)
    return np.where(bits & sign, ~bits, bits | sign)


def values_of_keys(keys: Keys) -> Floats:
    """Return the values of ordered keys."""
    sign = np.uint64(1 << 63)
    return np.where(keys & sign, keys & ~sign, ~keys).view(np.float64)


def kth_key(keys: Keys, units: NDArray[np.int64] | None, k: int) -> int:
    """Return the smallest key up to which there are ``k`` rows of all shards, or units of them."""
    prefix, n_done = 0, 0
    for n_bits in DIGITS:
        left = 64 - n_done - n_bits
        digits = (keys >> np.uint64(left)).astype(np.uint64)
        inside = (digits >> np.uint64(n_bits)) == np.uint64(prefix)
        places = (digits[inside] & np.uint64((1 << n_bits) - 1)).astype(np.intp)
        counts = np.zeros(1 << n_bits, dtype=np.int64)
        np.add.at(counts, places, 1 if units is None else units[inside])
        upto = np.cumsum(summed(counts))
        digit = int(np.searchsorted(upto, k))
        k -= int(upto[digit - 1]) if digit else 0
        prefix, n_done = prefix << n_bits | digit, n_done + n_bits
    return prefix


def extent(values: Floats) -> tuple[float, float]:
    """Return the smallest and the largest value of all rows."""
    low = smallest(np.array([values.min(initial=math.inf)]))
    high = largest(np.array([values.max(initial=-math.inf)]))
    return float(low[0]), float(high[0])


def values_in_order(values: Floats, places: tuple[int, ...]) -> list[float]:
    """Return the values that are at these places, from 0, when those of all rows are sorted."""
    if not over_shards():
        ordered = np.partition(values, list(places))
        return [float(ordered[place]) for place in places]
    keys = ordered_keys(values)
    found = [kth_key(keys, None, place + 1) for place in places]
    return [float(value) for value in values_of_keys(np.array(found, dtype=np.uint64))]


def joined_rows(
    target: Floats, scores: Floats, weights: Floats | None
) -> tuple[Floats, Floats, Floats | None]:
    """Return target, scores and weights of all rows, for a metric that ranks all of them."""
    if not over_shards():
        return target, scores, weights
    given = [target, scores] if weights is None else [target, scores, weights]
    rows = joined(np.array(given))
    return rows[0], rows[1], None if weights is None else rows[2]
