"""Candidate cuts of a column, and codes that follow them."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba import _core
from ceiba.testing.candidates import most_bins, quantile_cuts

COLUMNS = ("normal", "ties", "zeros", "missing", "constant", "all missing", "many")


def column(kind: str, random: np.random.Generator) -> np.ndarray:
    n = 9000 if kind == "many" else int(random.choice([1, 30, 400]))
    values = random.normal(size=n)
    if kind == "ties":
        values = np.floor(3 * values)
    elif kind == "zeros":
        values[random.random(n) < 0.6] = 0.0
    elif kind == "missing":
        values[random.random(n) < 0.3] = np.nan
    elif kind == "constant":
        values[:] = 2.0
    elif kind == "all missing":
        values[:] = np.nan
    return values


def some_weights(random: np.random.Generator, n: int) -> np.ndarray:
    kind = random.integers(5)
    weights = random.integers(0, 4096, n)
    if kind == 0:
        weights = np.ones(n)
    elif kind == 1:
        weights = weights * (random.random(n) < 0.3)
    elif kind == 2:
        weights[random.integers(n)] = 2**40
    elif kind == 3:
        weights = np.exp2(random.integers(0, 38, n))
    return weights.astype(np.uint64)


@pytest.mark.parametrize("kind", COLUMNS)
def test_cuts_are_those_of_the_plain_rule(kind: str) -> None:
    for seed in range(12 if kind == "many" else 60):
        random = np.random.default_rng(seed)
        values = column(kind, random)
        weights = some_weights(random, len(values))
        ranked = _core.RankedColumns.build([values[:, None]], 1)
        ranks = ranked.ranks(0).astype(np.int64)
        present = ~np.isnan(values)
        for room in (1, 2, 10, 255):
            wanted = quantile_cuts(ranks[present], weights[present].astype(np.int64), room)
            if len(ranked.values(0)) <= room:
                wanted = list(range(len(ranked.values(0)) - 1))
            found = _core.find_cuts(ranked, 0, weights, room)
            assert found.tolist() == wanted, (seed, room)
            assert len(found) < room
            total = int(weights[present].sum())
            if total:
                between = np.add.reduceat(
                    np.append(np.bincount(ranks[present], weights[present]), 0),
                    [0, *(cut + 1 for cut in wanted)],
                )
                last = np.bincount(ranks[present], weights[present])[wanted]
                assert (between[: len(wanted)] - last <= total / room + 1).all()


@pytest.mark.parametrize("eps", [1 / 256, 1 / 49, 0.1, 0.3, 0.5, 1 / 3])
def test_room_is_one_over_eps(eps: float) -> None:
    assert most_bins(eps) == int(1 / eps + 1e-9)


@pytest.mark.threads
@pytest.mark.parametrize("room", [10, 256, 300])
@pytest.mark.parametrize("n_threads", [1, 3])
def test_codes_follow_the_cuts(room: int, n_threads: int, small_sizes: None) -> None:
    random = np.random.default_rng(room)
    X = random.normal(size=(700, 19))
    X[:, 3] = np.floor(X[:, 3])
    X[random.random(X.shape) < 0.1] = np.nan
    X[:, 5] = np.arange(700)
    X[:, 7] = np.nan
    ranked = _core.RankedColumns.build([X], n_threads)
    matrix = _core.RecodedMatrix(ranked, room)
    for _ in range(3):
        weights = random.integers(0, 100, 700).astype(np.uint64)
        columns = np.flatnonzero(random.random(19) < 0.8).tolist()
        cuts = [
            _core.find_cuts(ranked, j, weights, room - np.isnan(X[:, j]).any()).tolist()
            for j in range(19)
        ]
        matrix.recode(columns, cuts, n_threads)
        for j in columns:
            ranks = ranked.ranks(j)
            codes = np.searchsorted(cuts[j], ranks, side="left")
            codes[np.isnan(X[:, j])] = len(cuts[j]) + 1
            np.testing.assert_array_equal(matrix.binned.column(j), codes)
