"""Tables, targets, weights and queries made of integer hashes, the same on every machine.

Every number is a hash (splitmix64) of the row and of a stream, cut to a few bits and scaled by a
power of two, or a sum or product of such numbers. So nothing here depends on a generator of random
numbers, on libm, or on the order of a sum. A row is the same row in a table of any length, and rows
from ``NEW_ROWS`` on are those that no training sees.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "NEW_ROWS",
    "TABLES",
    "TARGETS",
    "WEIGHTS",
    "as_frame",
    "as_sparse",
    "make_init_score",
    "make_queries",
    "make_table",
    "make_target",
    "make_weight",
]

Reals = NDArray[np.float64]

#: The number of the first row that is new to a model.
NEW_ROWS = 1_000_000

#: Streams of hashes that are no columns.
NOISE, TAIL, WEIGHT, QUERY, SCORE, HIDDEN, CERTAIN = range(900, 907)


def hashes(rows: NDArray[np.uint64], stream: int) -> NDArray[np.uint64]:
    """Return the 64 bits of splitmix64 for each row in this stream."""
    with np.errstate(over="ignore"):
        z = (rows + (np.uint64(stream + 1) << np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def row_numbers(n_rows: int, first: int) -> NDArray[np.uint64]:
    return np.arange(first, first + n_rows, dtype=np.uint64)


def whole(rows: NDArray[np.uint64], stream: int, below: int) -> Reals:
    """Return whole numbers from 0 to ``below`` - 1."""
    return ((hashes(rows, stream) >> np.uint64(44)) * np.uint64(below) >> np.uint64(20)).astype(
        np.float64
    )


def spread(rows: NDArray[np.uint64], stream: int, bits: int = 20) -> Reals:
    """Return multiples of a power of two between -2 and 2."""
    return (hashes(rows, stream) >> np.uint64(64 - bits)).astype(np.float64) * 2.0 ** (2 - bits) - 2


def cube(values: Reals) -> Reals:
    return values * values * values  # a power may be libm's


def mixed(rows: NDArray[np.uint64]) -> Reals:
    """Return 8 columns: three of many values, whole numbers, a switch, steps, a tail, and noise."""
    columns = [spread(rows, stream) for stream in range(8)]
    columns[2] = spread(rows, 2) + spread(rows, 12)
    columns[3] = whole(rows, 3, 7)
    columns[4] = whole(rows, 4, 2)
    columns[5] = spread(rows, 5, bits=5)
    columns[6] = cube(spread(rows, 6, bits=17))
    return np.column_stack(columns)


def coarse(rows: NDArray[np.uint64]) -> Reals:
    """Return 6 columns of few values, one of them with a single value."""
    counts = (2, 3, 5, 12, 40, 1)
    return np.column_stack([whole(rows, 20 + i, count) for i, count in enumerate(counts)])


def wide(rows: NDArray[np.uint64]) -> Reals:
    """Return 87 columns: the mixed ones, 3 words of 20 levels as switches, 19 of few codes."""
    words = [whole(rows, 40 + i, 20)[:, None] == np.arange(20) for i in range(3)]
    few = [whole(rows, 50 + i, 2 + i % 4)[:, None] for i in range(19)]
    return np.hstack([mixed(rows), *words, *few]).astype(np.float64)


def categories(rows: NDArray[np.uint64]) -> Reals:
    """Return 7 columns: the codes of four categories (3, 12, 90 and 400 levels), three numbers."""
    codes = [whole(rows, 80, 3), whole(rows, 81, 12), whole(rows, 82, 90), whole(rows, 83, 400)]
    codes[3] = np.floor(codes[3] * codes[3] * 2.0**-9)  # rare levels
    return np.column_stack([*codes, spread(rows, 0), spread(rows, 1), whole(rows, 3, 7)])


#: Columns of table "categories" whose numbers are codes of levels.
CODES = ("a", "b", "c", "d")

TABLES = {"mixed": mixed, "coarse": coarse, "wide": wide, "categories": categories}


def make_table(kind: str, n_rows: int, first: int = 0, *, hidden: bool = False) -> Reals:
    """Return a table; ``hidden`` takes values away, in every third column, in different shares."""
    rows = row_numbers(n_rows, first)
    X = TABLES[kind](rows)
    if hidden:
        for column in range(1, X.shape[1], 3):
            out_of_32 = (2, 13, 4)[column % 9 // 3]
            X[whole(rows, 1000 + column, 32) < out_of_32, column] = np.nan
    return X


def as_frame(X: Reals) -> Any:
    """Return table "categories" as a frame with text in the columns of codes."""
    import pandas as pd

    frame = pd.DataFrame(X, columns=[*CODES, "x", "y", "z"])
    for name in CODES:
        known = frame[name].notna()
        text = frame[name].fillna(0).map(lambda code: f"level {int(code)}").astype(object)
        frame[name] = text.where(known, None)
    return frame


def as_sparse(X: Reals) -> Any:
    """Return the table as a sparse matrix, which holds no zeros."""
    from scipy.sparse import csr_matrix

    return csr_matrix(X)


# ---- targets ------------------------------------------------------------------------------------


def _signal(kind: str, rows: NDArray[np.uint64]) -> Reals:
    X = TABLES[kind](rows)
    if kind == "coarse":
        return X[:, 1] - 1 + (X[:, 2] - 2) * (X[:, 0] - 0.5) + (X[:, 4] - 20) * 2.0**-4
    if kind == "categories":
        effect = spread(X[:, 2].astype(np.uint64), 95)
        few = spread(X[:, 1].astype(np.uint64), 96)
        return effect + few * (X[:, 0] - 1) + 0.5 * X[:, 4]
    signal: Reals = X[:, 0] + X[:, 1] * X[:, 5] + (X[:, 3] >= 4) - 0.5 * X[:, 4] * X[:, 2]
    if kind == "wide":
        signal += X[:, 9] - X[:, 30] + X[:, 50] + 0.5 * X[:, 70] - X[:, 71] * X[:, 0]
    return signal


def _noise(rows: NDArray[np.uint64]) -> Reals:
    return 0.5 * (spread(rows, NOISE) + spread(rows, NOISE + 50) + spread(rows, NOISE + 60))


def _amounts(signal: Reals, rows: NDArray[np.uint64]) -> Reals:
    """Return zeros, counts and amounts side by side."""
    amounts = np.abs(signal + _noise(rows))
    return np.where(whole(rows, TAIL, 2) == 0, np.floor(amounts), amounts)


def _shares(signal: Reals, rows: NDArray[np.uint64]) -> Reals:
    """Return shares in steps of 1 / 1024, of which some are certain."""
    shares = np.clip(np.floor((signal + _noise(rows)) * 128 + 512), 0, 1024) * 2.0**-10
    return np.where(whole(rows, CERTAIN, 5) == 0, (shares > 0.5) * 1.0, shares)


def _classes(signal: Reals, rows: NDArray[np.uint64], n_classes: int) -> Reals:
    found = np.clip(np.floor((signal + _noise(rows)) * n_classes * 0.125 + n_classes * 0.5), 0, 99)
    found = np.minimum(found, n_classes - 1)
    return np.where(rows < n_classes, rows.astype(np.float64), found)  # none is absent


TARGETS = {
    "two reals": lambda s, rows: np.column_stack([s, s * spread(rows, 97)]) + _noise(rows)[:, None],
    "real": lambda s, rows: s + _noise(rows),
    "tail": lambda s, rows: s + cube(cube(spread(rows, TAIL, bits=17))),
    "heavy tail": lambda s, rows: s + cube(cube(cube(cube(spread(rows, TAIL, bits=17))))),
    "positive": lambda s, rows: np.abs(s + _noise(rows)) + 2.0**-6,
    "amounts": _amounts,
    "above_minus_one": lambda s, rows: _amounts(s, rows) - 0.75,
    "shares": _shares,
    "binary": lambda s, rows: (s + _noise(rows) > 0.5) * 1.0,
    "rare": lambda s, rows: (s + _noise(rows) > 4.0) * 1.0,
    "three classes": lambda s, rows: _classes(s, rows, 3),
    "seven classes": lambda s, rows: _classes(s, rows, 7),
    "relevance": lambda s, rows: np.clip(np.floor(s + _noise(rows) + 1.0), 0, 4),
}


def make_target(target: str, table: str, n_rows: int, first: int = 0) -> Reals:
    rows = row_numbers(n_rows, first)
    return np.asarray(TARGETS[target](_signal(table, rows), rows), dtype=np.float64)


# ---- what stands beside a row -------------------------------------------------------------------

WEIGHTS = {
    "none": lambda rows: None,
    "whole": lambda rows: whole(rows, WEIGHT, 4) + 1,
    "whole with zeros": lambda rows: whole(rows, WEIGHT, 4),
    "large whole": lambda rows: whole(rows, WEIGHT, 60) + 1,
    "real": lambda rows: spread(rows, WEIGHT) + 2 + 2.0**-6,
}


def make_weight(kind: str, n_rows: int, first: int = 0) -> Reals | None:
    found: Reals | None = WEIGHTS[kind](row_numbers(n_rows, first))
    return found


def make_queries(n_rows: int, first: int = 0) -> NDArray[np.int64]:
    """Return queries of about 12 rows each, which stand anywhere."""
    return whole(row_numbers(n_rows, first), QUERY, max(2, n_rows // 12)).astype(np.int64)


def make_init_score(n_rows: int, first: int = 0) -> Reals:
    return spread(row_numbers(n_rows, first), SCORE) * 0.5
