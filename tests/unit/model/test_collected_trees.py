"""The trees of a training are held once, and forests that were handed out never change."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba import Dataset, _core, train
from ceiba.errors import InvalidInputError
from ceiba.testing.forests import random_model, random_rows

X = random_rows(0, 400, 4)
Y = np.nan_to_num(X[:, 0], posinf=1.0, neginf=-1.0)


def test_no_trees_are_a_forest():
    forest = _core.CollectedTrees(3, 2).forest(0)
    assert (forest.n_trees, forest.n_features, forest.n_outputs) == (0, 3, 2)


def test_a_forest_of_all_iterations_shares_the_arrays_and_one_of_fewer_does_not():
    before = random_model(0, n_features=4, n_iterations=5).forest
    collected = _core.CollectedTrees(4, 1, before)
    assert collected.n_iterations == 5
    whole, part = collected.forest(5), collected.forest(3)
    assert np.shares_memory(whole.arrays()["value"], before.arrays()["value"])
    assert not np.shares_memory(part.arrays()["value"], before.arrays()["value"])
    assert part.n_iterations == 3
    with pytest.raises(InvalidInputError, match="There are 5 iterations"):
        collected.forest(6)


@pytest.mark.parametrize(
    ("n_features", "n_outputs", "n_parallel"), [(3, 1, 1), (4, 2, 1), (4, 1, 2)]
)
def test_the_forest_before_must_fit(n_features, n_outputs, n_parallel):
    before = random_model(0, n_features=4, n_iterations=5).forest
    with pytest.raises(InvalidInputError, match="The previous forest must have"):
        _core.CollectedTrees(n_features, n_outputs, before, n_parallel)


@pytest.mark.parametrize("boosting", ["plain", "forest"])
def test_models_of_rounds_stay_as_they_are_when_the_training_goes_on(boosting):
    made = []

    def keep(round):
        made.append((round.make_model(), round.make_model().fingerprint()))

    given = {"boosting": boosting, "n_estimators": 6, "subsample": 0.5, "max_leaves": 8}
    last = train(given, Dataset(X, Y), callbacks=[keep])
    assert len({fingerprint for _, fingerprint in made}) == 6
    for n_rounds, (model, fingerprint) in enumerate(made, start=1):
        assert model.fingerprint() == fingerprint == last.truncate(n_rounds).fingerprint()


def test_the_model_that_a_training_goes_on_from_stays_as_it_is():
    given = {"max_leaves": 8, "learning_rate": 0.3}
    first = train(given, Dataset(X, Y), 3)
    before = first.fingerprint()
    further = train(given, Dataset(X, Y), 2, init_model=first)
    assert first.fingerprint() == before == further.truncate(3).fingerprint()
    assert further.fingerprint() == train(given, Dataset(X, Y), 5).fingerprint()
