"""The quantile sketch: its stated error and size, whatever the stream and the shape of merges."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from ceiba import _core
from ceiba.errors import InvalidInputError

Reals = NDArray[np.float64]
Random = np.random.Generator
Stream = tuple[Reals, Reals]  # values, weights


def ones(values: Reals) -> Stream:
    return values, np.ones(len(values))


def heavy_one(random: Random, n: int) -> Stream:
    weights = np.ones(n)
    weights[random.integers(n)] = 100.0 * n
    return random.normal(size=n), weights


def alternating_extremes(random: Random, n: int) -> Stream:
    """Return values that close in on 0 from both sides, each between the last two."""
    steps = np.arange(n, dtype=float)
    return ones(np.where(steps % 2, 1.0, -1.0) * (n - steps))


def staircase(random: Random, n: int) -> Stream:
    """Return weights that follow the values: light rows below, heavy ones above."""
    values = random.normal(size=n)
    return values, np.exp2(np.floor(4 * values))


def tail_at_the_end(random: Random, n: int) -> Stream:
    """Return values of which each is above all before it and weighs as much as all of them."""
    return np.arange(n, dtype=float), np.exp2(np.minimum(np.arange(n), 40.0))


STREAMS: dict[str, Callable[[Random, int], Stream]] = {
    "sorted": lambda random, n: ones(np.arange(n, dtype=float)),
    "reversed": lambda random, n: ones(np.arange(n, dtype=float)[::-1].copy()),
    "zig-zag": lambda random, n: ones(np.arange(n, dtype=float) % 17 + np.arange(n) / n),
    "alternating extremes": alternating_extremes,
    "constant": lambda random, n: ones(np.full(n, 3.5)),
    "heavy ties": lambda random, n: ones(np.floor(random.exponential(2.0, n))),
    "two values": lambda random, n: ones((random.random(n) < 0.01).astype(float)),
    "zero inflated": lambda random, n: ones(
        np.where(random.random(n) < 0.7, 0.0, random.normal(size=n))
    ),
    "one heavy row": heavy_one,
    "growing weights": lambda random, n: (random.normal(size=n), np.exp2(np.arange(n) / n * 40)),
    "growing weights, sorted": tail_at_the_end,
    "falling weights": lambda random, n: (random.normal(size=n), np.exp2(-np.arange(n) / n * 40)),
    "hessians": lambda random, n: (
        random.normal(size=n),
        0.25 / np.cosh(random.normal(size=n)) ** 2,
    ),
    "weights by value": staircase,
    "weights of nothing": lambda random, n: (
        random.normal(size=n),
        (random.random(n) < 0.5) * random.random(n),
    ),
    "infinities": lambda random, n: ones(
        random.choice(np.array([-np.inf, np.inf, 0.0, -0.0, 1.0]), n)
    ),
    "normal": lambda random, n: ones(random.normal(size=n)),
    "uniform weights": lambda random, n: (random.normal(size=n), random.random(n)),
    "lognormal": lambda random, n: (random.lognormal(0, 4, n), random.lognormal(0, 3, n)),
    "blocks sorted": lambda random, n: ones(np.sort(random.normal(size=(10, n // 10)), 1).ravel()),
}
SEEDS = range(50)  # times the 20 kinds: 1,000 streams


def merged(random: Random, parts: list[_core.QuantileSketch], shape: str) -> _core.QuantileSketch:
    """Merge in a chain, a balanced tree, or any order at random."""
    while len(parts) > 1:
        if shape == "chain":
            parts[0].merge(parts.pop(1))
        elif shape == "tree":
            for left, right in zip(parts[::2], parts[1::2], strict=False):
                left.merge(right)
            parts = parts[::2]
        else:
            other = parts.pop(int(random.integers(len(parts))))
            parts[int(random.integers(len(parts)))].merge(other)
    return parts[0]


def rank_error(values: Reals, units: NDArray[np.uint64], ranks: Reals, answers: Reals) -> float:
    """Return how far a rank lies outside the ranks that its answer takes, at most."""
    order = np.argsort(values, kind="stable")
    ends = np.concatenate([[0], np.cumsum(units[order])]).astype(np.float64)
    below = ends[np.searchsorted(values[order], answers, side="left")]
    reached = ends[np.searchsorted(values[order], answers, side="right")]
    return float(np.max(np.maximum(below - ranks, ranks - reached)))


@pytest.mark.parametrize("kind", STREAMS)
def test_rank_error_stays_within_eps_however_sketches_are_merged(kind: str) -> None:
    for seed in SEEDS:
        random = np.random.default_rng(seed)
        n = int(random.choice([10, 300, 1000, 3000]))
        values, weights = STREAMS[kind](random, n)
        n = len(values)
        eps = float(random.choice([0.3, 0.1, 1 / 32, 1 / 256]))
        block_rows = int(random.choice([1, 5, 32, 400]))
        unit = 2.0 ** float(random.choice([-40, -10, 0])) if weights.max() < 2**20 else 1.0

        cuts = np.sort(random.integers(0, n + 1, int(random.choice([0, 1, 7, 60]))))
        parts = []
        for rows in np.split(np.arange(n), cuts):
            sketch = _core.QuantileSketch(eps, block_rows)
            sketch.add(values[rows], weights[rows], unit)
            parts.append(sketch)
        sketch = merged(random, parts, str(random.choice(["chain", "tree", "any"])))

        units = np.rint(weights / unit).astype(np.uint64)
        total = int(units.sum())
        assert sketch.total == total
        assert sketch.n_entries <= sketch.most_entries(n)
        if total == 0:
            continue
        assert sketch.gap <= 2 * eps * total
        ranks = np.concatenate(
            [np.linspace(0, total, 301).astype(np.uint64), np.cumsum(units)[:: max(1, n // 200)]]
        )
        answers = sketch.values_at(np.minimum(ranks, np.uint64(total)))
        assert set(answers) <= set(values[units > 0])
        assert rank_error(values, units, ranks.astype(np.float64), answers) <= eps * total, seed


def test_size_grows_with_the_doublings_of_the_rows_alone() -> None:
    random, sizes = np.random.default_rng(0), []
    sketch, n = _core.QuantileSketch(0.05, 64), 0
    for _ in range(40):
        part = _core.QuantileSketch(0.05, 64)
        part.add(random.normal(size=5000), random.random(5000), 2.0**-20)
        sketch.merge(part)
        n += 5000
        assert sketch.n_entries <= sketch.most_entries(n)
        sizes.append(sketch.n_entries)
    assert max(sizes) < 64 + 12 * 243 < n // 60


def test_few_rows_and_few_values_are_kept_without_error() -> None:
    values = np.array([5.0, 1.0, 3.0, 1.0])
    sketch = _core.QuantileSketch(0.1)
    sketch.add(values, np.array([1.0, 2.0, 1.0, 4.0]))
    assert sketch.gap == 0
    ranks = np.arange(9, dtype=np.uint64)
    np.testing.assert_array_equal(sketch.values_at(ranks), [1, 1, 1, 1, 1, 1, 1, 3, 5])
    np.testing.assert_array_equal(sketch.cuts(8), [1, 3])
    np.testing.assert_array_equal(sketch.cuts(2), [1])


def test_equal_parts_in_the_same_shape_give_the_same_bits() -> None:
    random = np.random.default_rng(3)
    values, weights = random.normal(size=20_000), random.random(20_000)

    def grow(order: NDArray[np.intp]) -> Reals:
        sketch = _core.QuantileSketch(0.01, 1000)
        for rows in order.reshape(20, 1000):
            sketch.add(values[rows], weights[rows], 2.0**-30)
        return sketch.cuts(100)

    rows = np.arange(20_000).reshape(20, 1000)
    within = random.permuted(rows, axis=1)  # the order of rows within a block is no matter
    np.testing.assert_array_equal(grow(rows.ravel()), grow(within.ravel()))


def test_a_sketch_can_be_merged_with_itself() -> None:
    sketch = _core.QuantileSketch(0.1, 8)
    sketch.add(np.arange(100.0))
    sketch.merge(sketch)
    assert sketch.total == 200
    assert abs(sketch.values_at(np.array([100], dtype=np.uint64))[0] - 50) <= 10


def test_the_error_holds_beyond_the_last_level() -> None:
    values = np.random.default_rng(1).permutation(1000).astype(float)
    sketch = _core.QuantileSketch(0.1, 1)
    sketch.add(values)
    for _ in range(30):
        sketch.merge(sketch)
    ranks = np.arange(0, 1000, 10, dtype=np.uint64) << np.uint64(30)
    answers = sketch.values_at(ranks)
    units = np.full(1000, 2**30, dtype=np.uint64)
    assert rank_error(values, units, ranks.astype(float), answers) <= 0.1 * 1000 * 2**30


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (lambda s: s.add(np.array([1.0, np.nan])), "no missing values"),
        (lambda s: s.add(np.ones(2), np.array([1.0, -1.0])), "must not be negative"),
        (lambda s: s.add(np.ones(2), np.array([1.0, np.nan])), "must not be negative"),
        (lambda s: s.add(np.ones(2), np.ones(3)), "Got 3 weights for 2 values"),
        (lambda s: s.add(np.ones(1), np.array([1e300])), "below 2.62 units"),
        (lambda s: s.add(np.ones(9), np.full(9, 2.0**60)), "sum to less than 2.62"),
        (lambda s: s.add(np.ones(1), np.ones(1), 0.0), "unit must be above 0"),
        (lambda s: s.merge(_core.QuantileSketch(0.2)), "same error and block size"),
        (lambda s: s.values_at(np.array([0], dtype=np.uint64)), "An empty sketch"),
    ],
)
def test_what_makes_no_sense_is_refused(
    action: Callable[[_core.QuantileSketch], object], words: str
) -> None:
    with pytest.raises(InvalidInputError, match=words):
        action(_core.QuantileSketch(0.1))


@pytest.mark.parametrize("eps", [0.0, 1.0, -0.1, np.nan])
def test_an_error_outside_its_range_is_refused(eps: float) -> None:
    with pytest.raises(InvalidInputError, match="between 0 and 1"):
        _core.QuantileSketch(eps)
