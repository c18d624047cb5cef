"""Shapley values by definition, from all coalitions of players. Tests ``cpp/explain``.

The life of a check:

1. A game computes the prediction for every coalition of present players: of a forest
   (:func:`path_dependent_game`, :func:`interventional_game`), or of any model with the values of
   absent columns taken from background rows (:func:`mixed_rows_game`).
2. :func:`shapley_values` and :func:`shapley_interactions` sum the differences with the weights of
   the definition.

Players are columns or groups of columns. n players have 2**n coalitions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ceiba.testing.forests import Arrays, line_offsets

__all__ = [
    "interventional_game",
    "mixed_rows_game",
    "path_dependent_game",
    "shapley_interactions",
    "shapley_values",
]

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def path_dependent_game(
    arrays: Arrays, X: Floats, n_outputs: int, players: Sequence[int] | None = None
) -> Floats:
    """Return predictions [coalition, row, output]: an absent player follows both branches.

    Bit p of a coalition's number tells whether player p is present. The weight of a branch is its
    share of the training rows of both branches, or one half if there were none.
    """
    of_column = _of_column(X, players)
    present = _present(of_column)

    def at(node: int, first: int, value: Callable[[int], Floats]) -> Floats:
        feature = arrays["feature"][first + node]
        if feature < 0:
            return value(first + node)
        children = [int(arrays[side][first + node]) for side in ("left", "right")]
        counts = [float(arrays["count"][first + child]) for child in children]
        share = counts[0] / sum(counts) if sum(counts) > 0 else 0.5
        left, right = (at(child, first, value) for child in children)
        goes = _goes_left(arrays, first + node, X[:, feature])[None, :, None]
        known = np.where(goes, left, right)
        unknown = share * left + (1.0 - share) * right
        return np.where(present[of_column[feature]][:, None, None], known, unknown)

    def offset(term: int) -> Floats:
        """Return a regressor minus its mean, 0 if its player is absent."""
        feature = arrays["linear_feature"][term]
        own = line_offsets(arrays, term, X[:, feature])
        return np.where(present[of_column[feature]][:, None], own[None], 0.0)

    return _summed(arrays, (present.shape[1], len(X), n_outputs), at, offset)


def interventional_game(
    arrays: Arrays,
    X: Floats,
    background: Floats,
    n_outputs: int,
    players: Sequence[int] | None = None,
) -> Floats:
    """Return predictions [coalition, row, output]: absent players take background values.

    A prediction is the mean over the background rows.
    """
    of_column = _of_column(X, players)
    present = _present(of_column)
    total = np.zeros((present.shape[1], len(X), n_outputs))
    for row in background:

        def at(node: int, first: int, value: Callable[[int], Floats], row: Floats = row) -> Floats:
            feature = arrays["feature"][first + node]
            if feature < 0:
                return value(first + node)
            left, right = (
                at(int(arrays[side][first + node]), first, value) for side in ("left", "right")
            )
            own = _goes_left(arrays, first + node, X[:, feature])
            other = _goes_left(arrays, first + node, row[feature : feature + 1])
            goes = np.where(present[of_column[feature]][:, None], own[None], other[None])
            return np.where(goes[:, :, None], left, right)

        def offset(term: int, row: Floats = row) -> Floats:
            feature = arrays["linear_feature"][term]
            own = line_offsets(arrays, term, X[:, feature])
            other = line_offsets(arrays, term, row[feature])
            return np.where(present[of_column[feature]][:, None], own[None], other)

        total += _summed(arrays, total.shape, at, offset)
    return total / len(background)


def mixed_rows_game(
    predict: Callable[[dict[str, NDArray[Any]]], Floats],
    rows: Mapping[str, NDArray[Any]],
    background: Mapping[str, NDArray[Any]],
) -> Floats:
    """Return predictions [coalition, row, output] of any model through its ``predict``.

    Columns are the players. ``predict`` takes columns by name and returns [n] or [n, outputs]. It
    is called for every row with the absent columns of every background row.
    """
    names = list(rows)
    n_rows, n_others = len(rows[names[0]]), len(background[names[0]])
    game = []
    for coalition in range(1 << len(names)):
        mixed = {
            name: np.repeat(rows[name], n_others)
            if coalition >> player & 1
            else np.tile(background[name], n_rows)
            for player, name in enumerate(names)
        }
        game.append(predict(mixed).reshape(n_rows, n_others, -1).mean(axis=1))
    return np.array(game)


def shapley_values(game: Floats) -> Floats:
    """Return values [row, player, output] of a game [coalition, row, output]."""
    n_players = len(game).bit_length() - 1
    values = np.zeros((game.shape[1], n_players, game.shape[2]))
    for player in range(n_players):
        for coalition in range(len(game)):
            if coalition >> player & 1:
                continue
            size = coalition.bit_count()
            weight = factorial(size) * factorial(n_players - size - 1) / factorial(n_players)
            values[:, player] += weight * (game[coalition | 1 << player] - game[coalition])
    return values


def shapley_interactions(game: Floats) -> Floats:
    """Return interaction values [row, player, player, output] of a game.

    A pair's interaction is split equally between (i, j) and (j, i). The diagonal holds the rest of
    each player's value.
    """
    n_players = len(game).bit_length() - 1
    values = np.zeros((game.shape[1], n_players, n_players, game.shape[2]))
    for i in range(n_players):
        for j in range(i):
            both = 1 << i | 1 << j
            for coalition in range(len(game)):
                if coalition & both:
                    continue
                size = coalition.bit_count()
                orders = factorial(size) * factorial(n_players - size - 2)
                weight = orders / (2 * factorial(n_players - 1))
                together = game[coalition | both] + game[coalition]
                apart = game[coalition | 1 << i] + game[coalition | 1 << j]
                values[:, i, j] += weight * (together - apart)
            values[:, j, i] = values[:, i, j]
    alone = shapley_values(game) - values.sum(axis=2)
    for i in range(n_players):
        values[:, i, i] = alone[:, i]
    return values


def _of_column(X: Floats, players: Sequence[int] | None) -> NDArray[np.int64]:
    return np.arange(X.shape[1]) if players is None else np.asarray(players)


def _present(of_column: NDArray[np.int64]) -> Flags:
    """Return a mask [coalition, player] of the present players."""
    n_players = int(of_column.max(initial=-1)) + 1
    coalitions = np.arange(1 << n_players)
    return (coalitions[None] >> np.arange(n_players)[:, None] & 1).astype(bool)


def _summed(
    arrays: Arrays, shape: tuple[int, ...], at: Any, offset: Callable[[int], Floats]
) -> Floats:
    """Return the sum over all trees of ``at`` at their roots.

    ``offset`` returns the regressor of a term minus its mean, [coalition, row].
    """
    total = np.zeros(shape)
    n_outputs = shape[-1]
    for tree, first in enumerate(arrays["tree_offsets"][:-1]):
        values = arrays["value"]

        def value(node: int, tree: int = tree, values: NDArray[Any] = values) -> Floats:
            outputs = slice(None) if values.ndim > 1 else tree % n_outputs
            own = np.zeros(n_outputs)
            own[outputs] = values[node]
            if "linear_offsets" not in arrays:
                return own[None, None]
            begin, end = arrays["linear_offsets"][[node, node + 1]]
            added = np.broadcast_to(own, shape).copy()
            for term in range(begin, end):
                slopes = np.zeros(n_outputs)
                slopes[outputs] = arrays["linear_slope"][term]
                added += offset(term)[:, :, None] * slopes
            return added

        total += at(0, int(first), value)
    return total


def _goes_left(arrays: Arrays, node: int, x: Floats) -> Flags:
    """Return a mask of the values that go left at a node."""
    goes = x <= arrays["threshold"][node]
    number = arrays["set_of_node"][node] if "set_of_node" in arrays else -1
    if number >= 0:
        begin, end = arrays["set_offsets"][[number, number + 1]]
        words = [int(word) for word in arrays["set_words"][begin:end]]
        bits = sum(word << 64 * k for k, word in enumerate(words))
        goes = np.array([_is_in(bits, value) for value in x], dtype=bool)
    flags: Flags = np.where(np.isnan(x), arrays["missing_left"][node] == 1, goes)
    return flags


def _is_in(bits: int, value: float) -> bool:
    if not (value >= 0 and value == np.floor(value) and value < bits.bit_length()):
        return False
    return bool(bits >> int(value) & 1)
