"""SHAP values against Shapley values by definition, for forests of every shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ceiba import _core
from ceiba.testing.forests import Arrays, random_forest, random_rows, raw_scores, with_sets
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
        explainer.set_background(background, 1)
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
