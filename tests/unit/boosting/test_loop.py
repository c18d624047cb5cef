"""The loop: one round at a time, for whoever reads on, and every stage gets what came before."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import Dataset, train
from ceiba.boosting.loop import boost, train_trees
from ceiba.boosting.sample import RowSelection
from ceiba.parameters.resolving import resolve

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(200, 3))
Y = X[:, 0] + 0.1 * RANDOM.normal(size=200)
PARAMS = {"n_estimators": 4, "n_jobs": 1}


def test_rounds_come_when_they_are_asked_for() -> None:
    rows = Dataset(X, Y)
    rounds = boost(resolve(PARAMS), rows, {"held": rows})
    first, second = next(rounds), next(rounds)
    assert (first.iteration, second.iteration, second.n_rounds) == (0, 1, 4)
    assert second.evals["held"]["rmse"] < first.evals["held"]["rmse"]
    assert second.higher_is_better == {"rmse": False}
    two = train({**PARAMS, "n_estimators": 2}, rows)
    assert second.make_model().fingerprint() == two.fingerprint()
    # A round that is over still makes its model, and any that came before.
    assert second.make_model(0).fingerprint() == first.make_model().fingerprint()


def test_nothing_is_done_before_the_first_round_is_asked_for() -> None:
    rounds = boost(resolve(PARAMS), Dataset(X), {})
    with pytest.raises(ValueError, match="no target"):
        next(rounds)


def test_trees_of_a_fold_are_those_of_a_training() -> None:
    trees, model = train_trees(resolve(PARAMS), Dataset(X, Y)), train(PARAMS, Dataset(X, Y))
    for name, array in trees.forest.arrays().items():
        np.testing.assert_array_equal(array, model.forest.arrays()[name])
    assert trees.schema == model.schema


def test_a_selection_of_rows_is_made_of_the_gradients(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of large gradients, which count twice: the root knows them and no others."""

    def select(sampler: Any, statistics: Any, *rest: Any) -> RowSelection:
        steep = np.abs(statistics.gradients[0]) > 0.5
        rows = np.flatnonzero(steep).astype(np.int32)
        return RowSelection(rows, np.full(len(rows), 2.0))

    monkeypatch.setattr("ceiba.boosting.sample.RowSampler.select", select)
    model = train({**PARAMS, "n_estimators": 1, "reg_lambda": 0.0}, Dataset(X, Y))
    steep = np.abs(model.start_scores[0] - Y) > 0.5
    root = model.trees_to_frame().iloc[0]
    assert root["cover"] == 2.0 * np.count_nonzero(steep)
    leaves = model.apply(X)[:, 0]
    values = model.forest.arrays()["value"]
    for leaf in np.unique(leaves[steep]):
        rows = steep & (leaves == leaf)
        expected = model.parameters["learning_rate"] * (Y[rows] - model.start_scores[0]).mean()
        assert values[leaf] == pytest.approx(expected, abs=1e-12)
