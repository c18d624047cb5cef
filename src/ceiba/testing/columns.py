"""Reference implementation of column sampling: a node's columns are drawn by hashes."""

from __future__ import annotations

import math

import numpy as np

from ceiba import _core
from ceiba.testing.growth_limits import allowed_columns
from ceiba.testing.trees import Tree

__all__ = [
    "columns_in_turn",
    "columns_of",
    "draw_columns",
    "drawn_lot",
    "further_columns",
    "hash64",
    "mix64",
    "row_hash",
    "row_number",
    "sample_columns",
]

_MASK = (1 << 64) - 1


def mix64(x: int) -> int:
    """Return 64 bits that depend on every bit of x."""
    x = (x + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def hash64(a: int, b: int = 0, c: int = 0, d: int = 0) -> int:
    """Return 64 bits that depend on every bit of the arguments."""
    return mix64(mix64(mix64(mix64(a) ^ b) ^ c) ^ d)


def row_hash(seed: int, round: int, row: int, tree: int = 0) -> int:
    """Return the hash of a row (or of a draw) for a tree of a round."""
    return mix64((hash64(seed, round, tree) + row * 0x9E3779B97F4A7C15) % 2**64)


def row_number(seed: int, round: int, row: int, tree: int = 0) -> float:
    """Return the random number of a row in [0, 1); row samples compare it with a threshold."""
    return (row_hash(seed, round, row, tree) >> 11) * 2.0**-53


def sample_columns(
    columns: list[int],
    fraction: float,
    key: int,
    stage: int,
    place: int,
    weights: tuple[float, ...] = (),
) -> list[int]:
    """Draw a fraction of the columns by hash; key = hash64(seed, round, tree)."""
    if fraction >= 1:
        return columns
    wanted = max(1, math.floor(fraction * len(columns) + 0.5))
    return draw_columns(columns, wanted, key, stage, place, weights)


def draw_columns(
    columns: list[int], wanted: int, key: int, stage: int, place: int, weights: tuple[float, ...]
) -> list[int]:
    """Draw a number of columns; with weights, those with the earliest exponential clocks."""
    if wanted >= len(columns):
        return columns
    return sorted(columns_in_turn(columns, key, stage, place, weights)[:wanted])


def columns_in_turn(
    columns: list[int], key: int, stage: int, place: int, weights: tuple[float, ...]
) -> list[int]:
    """Return the columns in the order of their draw."""
    base = hash64(key, stage, place)

    def rank(column: int) -> tuple[float, int, int]:
        lot = hash64(base, column)
        if not weights:
            return 0.0, lot, column
        if not weights[column] > 0:
            return math.inf, lot, column
        unit = np.array([((lot >> 11) + 0.5) * 2.0**-53])
        return -float(_core.log(unit)[0]) / weights[column], lot, column

    return sorted(columns, key=rank)


def drawn_lot(tree: Tree, depth: int, number: int, column: int) -> int:
    """Return the random number that selects the candidate of a column with extra trees."""
    place = depth if tree.plan.grow_policy == "symmetric" else number
    return hash64(hash64(tree.key, 4, place), column)


def _allowed(tree: Tree, depth: int, number: int) -> list[int]:
    """Return the columns that a node may draw from: those of its tree and level, if allowed."""
    plan, key, weights = tree.plan, tree.key, tree.plan.weights
    columns = list(range(len(tree.n_values)))
    columns = sample_columns(columns, plan.colsample_bytree, key, 1, 0, weights)
    columns = sample_columns(columns, plan.colsample_bylevel, key, 2, depth, weights)
    return allowed_columns(tree, columns, number)


def columns_of(tree: Tree, depth: int, number: int) -> list[int]:
    """Return the columns of a node: drawn for its tree, level and node, and allowed."""
    plan, columns = tree.plan, _allowed(tree, depth, number)
    drawn = tree.key, 3, number, plan.weights
    if plan.columns_bynode > 0:
        return draw_columns(columns, plan.columns_bynode, *drawn)
    return sample_columns(columns, plan.colsample_bynode, *drawn)


def further_columns(tree: Tree, depth: int, number: int, drawn: list[int]) -> list[int]:
    """Return the columns that a node draws next while none of its columns has a split."""
    if not tree.plan.draw_until_split:
        return []
    left = [j for j in _allowed(tree, depth, number) if j not in drawn]
    return columns_in_turn(left, tree.key, 3, number, tree.plan.weights)
