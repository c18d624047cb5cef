"""SHAP values against Shapley values by definition, for forests of every shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ceiba import _core
from ceiba.testing.forests import (
    Arrays,
    random_forest,
    random_rows,
    raw_scores,
    with_linear_leaves,
    with_sets,
)
from ceiba.testing.shapley import (
    interventional_game,
    path_dependent_game,
    shapley_interactions,
    shapley_values,
)

N_MODELS = 300
KINDS = ("general", "symmetric", "chain", "mixed")


def random_case(seed: int) -> tuple[Arrays, int, NDArray[np.float64]]:
    """A forest of up to 8 columns, how many outputs it has, and rows."""
    random = np.random.default_rng(seed)
    n_features = int(random.integers(1, 9))
    n_outputs = int(random.integers(1, 4))
    leaf_width = int(random.choice([1, n_outputs]))
    n_levels = random.choice([0, 0, 1, 3, 64, 300], n_features).tolist()
    arrays = random_forest(
        seed,
        kind=KINDS[seed % 4],
        n_trees=int(random.integers(0, 4)) * n_outputs // leaf_width,
        n_features=n_features,
        n_leaves=int(random.choice([1, 2, 5, 16, 33])),
        n_thresholds=int(random.choice([2, 20])),
        leaf_width=leaf_width,
    )
    # Rows are counted from the leaves up; some leaves have none, as in symmetric trees.
    for first, end in zip(arrays["tree_offsets"][:-1], arrays["tree_offsets"][1:], strict=True):
        for node in range(end - 1, first - 1, -1):
            if arrays["feature"][node] >= 0:
                children = first + arrays["left"][node], first + arrays["right"][node]
                arrays["count"][node] = sum(arrays["count"][child] for child in children)
            elif random.random() < 0.2:
                arrays["count"][node] = 0
    arrays = with_sets(arrays, n_levels, seed)
    if seed % 5 < 2:
        categories = np.flatnonzero(n_levels).tolist()
        arrays = with_linear_leaves(
            arrays, n_features, seed, categories=categories, extrapolates=seed % 5 == 1
        )
    return arrays, n_outputs, random_rows(seed, 7, n_features, n_levels)


def explained(
    arrays: Arrays,
    X: NDArray[Any],
    n_outputs: int,
    background: NDArray[Any] | None = None,
    *,
    interactions: bool = False,
    players: list[int] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Values and base values of the engine."""
    n_columns = X.shape[1]
    players = list(range(n_columns)) if players is None else players
    n_players = max(players) + 1
    forest = _core.Forest(n_columns, n_outputs, arrays)
    explainer = _core.Explainer(forest, 0, forest.n_iterations, players, n_players, interactions)
    if background is not None:
        explainer.set_background_matrix(background, 1)
    shape = (n_players, n_players) if interactions else (n_players,)
    values = np.full((len(X), *shape, n_outputs), np.nan)
    explainer.explain_matrix(X, values, 1)
    return values, explainer.base()


@pytest.mark.parametrize("first", range(0, N_MODELS, 30))
@pytest.mark.parametrize("with_background", [False, True])
def test_values_are_shapley_values(first: int, with_background: bool) -> None:
    for seed in range(first, first + 30):
        arrays, n_outputs, X = random_case(seed)
        X, background = X[:4], X[3:]
        random = np.random.default_rng(seed)
        players = list(range(X.shape[1]))
        if seed % 3 == 0:  # several columns of one player
            players = random.integers(0, max(players) + 1, len(players)).tolist()
            players[-1] = max(players)
        if with_background:
            game = interventional_game(arrays, X, background, n_outputs, players)
        else:
            game = path_dependent_game(arrays, X, n_outputs, players)
        scores = raw_scores(arrays, X, n_outputs)
        allowed = 1e-9 * max(1.0, float(np.abs(scores).max()))
        np.testing.assert_allclose(game[-1], scores, rtol=0, atol=allowed)
        used = background if with_background else None
        values, base = explained(arrays, X, n_outputs, used, players=players)
        np.testing.assert_allclose(values, shapley_values(game), rtol=0, atol=allowed)
        np.testing.assert_allclose(base, game[0, 0], rtol=0, atol=allowed)
        np.testing.assert_allclose(base + values.sum(axis=1), scores, rtol=0, atol=allowed)
        pairs, _ = explained(arrays, X, n_outputs, used, players=players, interactions=True)
        np.testing.assert_allclose(pairs, shapley_interactions(game), rtol=0, atol=allowed)
        np.testing.assert_allclose(pairs.sum(axis=2), values, rtol=0, atol=allowed)


def test_leaves_of_more_players_than_a_table_has() -> None:
    """Thirteen columns on the path of a chain: leaves are shared out row by row."""
    arrays = random_forest(5, kind="chain", n_trees=1, n_features=13, n_leaves=60)
    X = random_rows(5, 13, 13)
    background = X[:4]
    rows = X[9:11]
    for game, used in (
        (path_dependent_game(arrays, rows, 1), None),
        (interventional_game(arrays, rows, background, 1), background),
    ):
        expected = shapley_values(game)
        for given in (rows, X):  # few rows, and enough for tables
            values, _ = explained(arrays, given, 1, used)
            own = values if len(given) == 2 else values[9:11]
            np.testing.assert_allclose(own, expected, rtol=0, atol=1e-9)
        pairs, _ = explained(arrays, rows, 1, used, interactions=True)
        np.testing.assert_allclose(pairs.sum(axis=2), expected, rtol=0, atol=1e-9)
        np.testing.assert_array_equal(pairs, pairs.transpose(0, 2, 1, 3))


def leaf_value(ratios: list[float], holds: list[bool], player: int) -> np.longdouble:
    """The share of a player of a leaf of value 1, in the highest precision there is.

    ``sums[k]`` is the sum over coalitions of k others of their products: no term is below 0.
    """
    sums = np.ones(1, dtype=np.longdouble)
    for i, (ratio, met) in enumerate(zip(ratios, holds, strict=True)):
        if i != player:
            sums = np.append(sums * ratio, 0) + np.append(0, sums if met else 0 * sums)
    n = len(sums) - 1
    weight, total = np.longdouble(1) / (n + 1), np.longdouble(0)
    for k in range(n + 1):
        total += weight * sums[k]
        weight = weight * (k + 1) / max(1, n - k)
    return total * (np.longdouble(holds[player]) - np.longdouble(ratios[player]))


@pytest.mark.parametrize("kind", ["general", "chain"])
def test_deep_trees_are_precise(kind: Any) -> None:
    """Twelve levels and more: within 1e-9 of what eleven more bits of precision give."""
    n_features = 24
    arrays = random_forest(11, kind=kind, n_trees=1, n_features=n_features, n_leaves=250)
    if kind == "chain":
        arrays = random_forest(11, kind=kind, n_trees=1, n_features=n_features, n_leaves=40)
    X = random_rows(3, 2, n_features)
    expected = np.zeros(X.shape, dtype=np.longdouble)
    deepest = 0
    for row, x in enumerate(X):
        open_nodes: list[tuple[int, dict[int, tuple[float, bool]], int]] = [(0, {}, 0)]
        while open_nodes:
            node, way, depth = open_nodes.pop()
            feature = int(arrays["feature"][node])
            deepest = max(deepest, depth)
            if feature < 0:
                players = sorted(way)
                ratios, holds = ([way[p][k] for p in players] for k in (0, 1))
                for i, player in enumerate(players):
                    share = leaf_value(ratios, holds, i)  # type: ignore[arg-type]
                    expected[row, player] += share * arrays["value"][node]
                continue
            left, right = int(arrays["left"][node]), int(arrays["right"][node])
            counts = arrays["count"][[left, right]]
            goes = bool(x[feature] <= arrays["threshold"][node])
            if np.isnan(x[feature]):
                goes = bool(arrays["missing_left"][node])
            ratio, met = way.get(feature, (1.0, True))
            share = counts[0] / counts.sum()
            for child, part, taken in ((left, share, goes), (right, 1.0 - share, not goes)):
                open_nodes.append(
                    (child, {**way, feature: (ratio * part, met and taken)}, depth + 1)
                )
    assert deepest >= 12
    values, _ = explained(arrays, X, 1)
    np.testing.assert_allclose(values[..., 0], expected.astype(np.float64), rtol=1e-9, atol=0)
