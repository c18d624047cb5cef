"""Plain boosting whose splits know rows by other orders than its leaves do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import ceiba
from ceiba.boosting.leaves import LeafRule
from ceiba.boosting.modes.ordered import LeafFitInputs
from ceiba.boosting.modes.separate_leaf_encoding import SeparateLeafEncodingBoosting
from ceiba.boosting.prepare import make_boosting
from ceiba.objectives import find_objective
from ceiba.parameters.resolving import resolve

N = 400
RATE = 0.3


class ScoringTrees:
    """One tree of two leaves: splits send rows to ``by_splits``, the other orders elsewhere."""

    def __init__(self, target: np.ndarray, by_splits: np.ndarray, by_leaves: np.ndarray) -> None:
        self.target, self.by_splits, self.by_leaves = target, by_splits, by_leaves

    def leaves(self, binned: Any = None) -> np.ndarray:
        return (self.by_leaves if binned is None else self.by_splits)[None].astype(np.uint8)

    def round_values(self) -> Any:
        raise AssertionError

    def add_to_scores(self, scores: np.ndarray) -> None:
        sums = np.bincount(self.by_leaves, self.target - scores[0], minlength=2)
        means = sums / np.maximum(np.bincount(self.by_leaves, minlength=2), 1)
        scores[0] += RATE * means[self.by_leaves]


def make_own(target: np.ndarray) -> SeparateLeafEncodingBoosting:
    parameters = resolve({"learning_rate": RATE, "reg_lambda": 0.0})
    table: Any = object()  # which rows these are is known to the trees alone
    learned = LeafFitInputs(find_objective("squared_error"), target, None, LeafRule(), 1, table)
    boosting = make_boosting(parameters, np.zeros((1, N)), leaf_inputs=learned)
    assert isinstance(boosting, SeparateLeafEncodingBoosting)
    return boosting


def test_what_the_orders_disagree_on_does_not_stay_in_the_gradients() -> None:
    random = np.random.default_rng(0)
    level = random.integers(0, 2, size=N)
    target = level + random.normal(scale=0.1, size=N)
    by_splits, by_leaves = (np.where(random.random(N) < 0.8, level, 1 - level) for _ in range(2))
    boosting = make_own(target)
    for round in range(40):
        boosting.begin(round)
        boosting.commit(ScoringTrees(target, by_splits, by_leaves))
    boosting.begin(40)
    own = target - boosting.scores_for_gradients()[0]
    other = target - boosting.scores_for_leaves()[0]
    assert abs(own[by_splits == 1].mean()) < 1e-5
    assert abs(other[by_leaves == 1].mean()) < 1e-5
    assert abs(other[by_splits == 1].mean()) > 0.05  # what splits would go on being chosen for


def test_the_same_orders_give_the_scores_of_plain_boosting() -> None:
    random = np.random.default_rng(1)
    target = random.normal(size=N)
    boosting = make_own(target)
    for round in range(5):
        leaves = random.integers(0, 2, size=N)
        boosting.begin(round)
        boosting.commit(ScoringTrees(target, leaves, leaves))
    boosting.begin(5)
    np.testing.assert_allclose(
        boosting.scores_for_gradients(), boosting.scores_for_leaves(), rtol=1e-9
    )


@pytest.mark.parametrize(
    "given",
    [
        {"objective": "quantile", "quantile": 0.3},
        {"objective": "squared_error", "boosting": "dart", "drop_rate": 0.5},
        {"objective": "squared_error", "num_parallel_tree": 2, "subsample": 0.5},
        {"objective": "poisson"},
    ],
)
def test_orders_of_leaves_compose(given: dict[str, Any]) -> None:
    random = np.random.default_rng(2)
    levels = random.integers(0, 40, size=N)
    names = np.array([f"level {k}" for k in levels])
    frame = pd.DataFrame({"a": names, "b": random.normal(size=N)})
    target = np.exp(random.normal(size=40))[levels] + random.random(N)
    params = {"categorical": "target", "target_leaves": "own", "n_estimators": 6, **given}
    model = ceiba.train(params, ceiba.Dataset(frame, target))
    half = ceiba.train({**params, "n_estimators": 2}, ceiba.Dataset(frame, target))
    rest = ceiba.train({**params, "n_estimators": 4}, ceiba.Dataset(frame, target), init_model=half)
    assert rest.fingerprint() == model.fingerprint()
