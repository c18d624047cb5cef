"""Plain boosting."""

from __future__ import annotations

import numpy as np

from ceiba.boosting.plain import PlainBoosting
from ceiba.parameters.resolving import resolve


def test_gradients_at_all_trees_and_one_weight_for_every_tree() -> None:
    boosting = PlainBoosting(resolve({"eta": 0.25}))
    scores = np.zeros((1, 3))
    assert boosting.scores_for_gradients(5, scores) is scores
    assert boosting.tree_weight(0) == boosting.tree_weight(99) == 0.25
