"""Plain boosting: one buffer of scores, and trees that always count what they did at first."""

from __future__ import annotations

from typing import Any

import numpy as np

from ceiba.boosting.modes.plain import PlainBoosting
from ceiba.parameters.resolving import resolve


class ScoringTrees:
    def add_to_scores(self, scores: Any) -> None:
        scores += 1.0


class Rows:
    scores = np.zeros((1, 2))

    def add(self, trees: Any, scores: Any) -> None:
        trees.add_to_scores(scores)


def test_every_tree_corrects_the_sum_of_those_before_it() -> None:
    scores = np.zeros((1, 3))
    boosting = PlainBoosting(resolve({"eta": 0.25}), scores)
    rows, trees = Rows(), ScoringTrees()
    tracker = boosting.track(rows)  # type: ignore[arg-type]
    for round in range(2):
        boosting.begin(round)
        assert boosting.scores_for_gradients() is scores
        assert boosting.scores_for_leaves() is scores
        assert boosting.tree_weight == 0.25
        boosting.commit(trees)
        tracker.add(trees)
    assert scores.tolist() == [[2.0, 2.0, 2.0]]
    assert rows.scores.tolist() == [[2.0, 2.0]]
    assert len(boosting.weights) == 0


def test_a_round_may_have_a_rate_of_its_own() -> None:
    boosting = PlainBoosting(resolve({"eta": [0.5, 0.1]}), np.zeros((1, 3)))
    rates = []
    for round in range(2):
        boosting.begin(round)
        rates.append(boosting.tree_weight)
    assert rates == [0.5, 0.1]
