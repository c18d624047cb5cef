"""Explanations of models that read combinations of categories, against their definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from ceiba import Dataset, Model, load_model, train
from ceiba.errors import InvalidParameterError
from ceiba.explain.explainers import players
from ceiba.testing.shapley import (
    mixed_rows_game,
    path_dependent_game,
    shapley_interactions,
    shapley_values,
)

RANDOM = np.random.default_rng(4)
N = 600
LEVELS = RANDOM.integers(0, 6, (N, 4))
FRAME = pd.DataFrame({name: LEVELS[:, j].astype(str) for j, name in enumerate("abcd")})
FRAME["x"] = RANDOM.normal(size=N)
FRAME.loc[::17, "b"] = None
EFFECT = RANDOM.normal(size=(6, 6, 6))
SCORE = 2 * EFFECT[LEVELS[:, 0], LEVELS[:, 2], LEVELS[:, 3]] + FRAME["x"] * (LEVELS[:, 0] > 2)
GIVEN = {"categorical": "target", "n_estimators": 8, "max_leaves": 12, "min_samples_leaf": 5}
CASES: dict[str, tuple[dict[str, Any], NDArray[Any]]] = {
    "numbers": ({"max_combination": 3}, SCORE.to_numpy()),
    "classes": (
        {"objective": "softmax", "max_combination": 2},
        np.digitize(SCORE, np.quantile(SCORE, [0.3, 0.6])),
    ),
    "symmetric": ({"grow_policy": "symmetric", "max_depth": 4, "max_leaves": 0}, SCORE.to_numpy()),
}
# Levels that no training row had, and mixtures that none had, are among them.
ROWS = FRAME[:6].reset_index(drop=True)
ROWS.loc[1, "a"], ROWS.loc[2, "c"], ROWS.loc[3, "d"] = "unknown", "unknown", None
OTHERS = pd.concat([FRAME[20:29], FRAME[20:22]], ignore_index=True)
OTHERS.loc[4, "c"], OTHERS.loc[5, "a"] = "other", None


def train_together(given: dict[str, Any], target: Any) -> Model:
    """Train with combinations of any number of keys: few of them are enough for definitions."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr("ceiba.boosting.encoding.combinations._FEW_KEYS", 0)
        changed.setattr("ceiba.boosting.encoding.combinations._LEAST_GAIN", 0.0)
        return train(GIVEN | given, Dataset(FRAME, target))


def trained(case: str) -> Model:
    model = train_together(*CASES[case])
    sources, used = model.schema.engine_sources, model.forest.arrays()["feature"]
    assert max(len(sources[j]) for j in set(used[used >= 0].tolist())) > 1
    return model


@pytest.fixture(scope="module", params=CASES)
def model(request: pytest.FixtureRequest) -> Model:
    return trained(request.param)


def by_definition(model: Model, bounds: tuple[int, int] | None = None) -> NDArray[np.float64]:
    def predict(columns: dict[str, NDArray[Any]]) -> NDArray[np.float64]:
        return model.predict_raw(pd.DataFrame(columns), iteration_range=bounds)

    rows, others = ({name: own[name].to_numpy() for name in own} for own in (ROWS, OTHERS))
    return mixed_rows_game(predict, rows, others)


def assert_near(found: NDArray[np.float64], expected: NDArray[np.float64]) -> None:
    np.testing.assert_allclose(found.reshape(expected.shape), expected, rtol=0, atol=1e-11)


def test_a_background_makes_columns_the_players(model: Model) -> None:
    game = by_definition(model)
    found = model.explain(ROWS, background=OTHERS)
    assert found.method == "interventional"
    assert_near(found.values, shapley_values(game))
    assert_near(found.base_values, game[0])
    pairs = model.explain(ROWS, background=OTHERS, interactions=True)
    assert_near(pairs.values, shapley_interactions(game))


def test_rounds_threads_files_and_the_order_of_the_background(tmp_path: Any) -> None:
    model = trained("numbers")
    bounds = (2, 6)
    found = model.explain(ROWS, background=OTHERS, iteration_range=bounds, n_jobs=1)
    assert_near(found.values, shapley_values(by_definition(model, bounds))[..., 0])
    model.save(tmp_path / "model")
    for other in (model, load_model(tmp_path / "model")):
        again = other.explain(ROWS, background=OTHERS[::-1], iteration_range=bounds, n_jobs=3)
        np.testing.assert_array_equal(again.values, found.values)
    own = model.explain(ROWS[:1], background=ROWS[:1])
    assert not own.values.any()
    assert model.explain(ROWS[:0], background=OTHERS).values.shape == (0, 5)
    assert not model.explain(ROWS, background=OTHERS, iteration_range=(3, 3)).values.any()


def test_many_rows_add_up() -> None:
    model = trained("numbers")
    found = model.explain(FRAME, background=FRAME[:90])
    raw = model.predict_raw(FRAME)
    np.testing.assert_allclose(found.base_values + found.values.sum(axis=1), raw, atol=1e-11)
    joined = model.explain(Dataset(FRAME), background=Dataset(FRAME[:90]))
    np.testing.assert_array_equal(joined.values, found.values)


def test_probabilities() -> None:
    given = {"objective": "logistic", "max_combination": 2}
    model = train_together(given, (SCORE > 0).astype(int))
    found = model.explain(ROWS, background=OTHERS, output="probability")
    total = found.base_values + found.values.sum(axis=1)
    np.testing.assert_allclose(total, model.predict(ROWS), atol=1e-9)


def test_lines_in_leaves_have_no_mixed_rows() -> None:
    given = {"leaf_model": "linear", "max_combination": 2}
    model = train_together(given, SCORE)
    with pytest.raises(InvalidParameterError, match="max_combination=1"):
        model.explain(ROWS, background=OTHERS)


def test_without_a_background_columns_share_a_combination(model: Model) -> None:
    of_column, shared = players(model)
    table = model.explain(ROWS)
    encoded = model.schema.statistics.columns(  # type: ignore[union-attr]
        _level_columns(model), n_threads=1
    )
    used = sorted(set(of_column))
    if len(used) > 11:  # 2 to that many coalitions
        pytest.skip("too many players for their definition")
    place = {player: k for k, player in enumerate(used)}
    game = path_dependent_game(
        model.forest.arrays(),
        np.column_stack([np.asarray(column, dtype=np.float64) for column in encoded]),
        model.n_outputs,
        [place[player] for player in of_column],
    )
    parts = np.zeros((model.n_features, len(used)))
    for player, own in enumerate([(j,) for j in range(model.n_features)] + shared):
        if player in place:
            parts[list(own), place[player]] = 1 / len(own)
    assert_near(table.values, np.einsum("jp,npo->njo", parts, shapley_values(game)))
    pairs = model.explain(ROWS, interactions=True)
    expected = np.einsum("jp,npqo,kq->njko", parts, shapley_interactions(game), parts)
    assert_near(pairs.values, expected)


def test_interactions_without_a_background(model: Model) -> None:
    alone, pairs = model.explain(ROWS), model.explain(ROWS, interactions=True)
    np.testing.assert_array_equal(pairs.values, np.swapaxes(pairs.values, 1, 2))
    assert_near(pairs.values.sum(axis=2), alone.values)


def _level_columns(model: Model) -> list[Any]:
    from ceiba.model.predict import table_for

    table = table_for(ROWS, model.schema).arranged(model.schema)
    return list(table.blocks[0].columns())
