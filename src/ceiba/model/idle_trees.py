"""Trees of one leaf that adds nothing: they fill rounds up to the same number of trees."""

from __future__ import annotations

import numpy as np

from ceiba import _core
from ceiba.model.trees import Trees

__all__ = ["with_further_rounds", "with_idle_tree"]


def with_idle_tree(trees: Trees) -> Trees:
    """Return the trees, followed by a tree of one leaf that adds nothing."""
    zero = np.zeros(1)
    idle = Trees(
        n_outputs=trees.n_outputs,
        offsets=np.array([0, 1]),
        feature=np.full(1, -1, dtype=np.int32),
        left=np.full(1, -1, dtype=np.int32),
        right=np.full(1, -1, dtype=np.int32),
        threshold=zero,
        missing_left=np.zeros(1, dtype=np.bool_),
        value=np.zeros((1, trees.leaf_width)),
        gain=zero,
        cover=zero,
        count=zero,
    )
    return Trees.joined([trees, idle], trees.n_outputs, trees.n_parallel)


def with_further_rounds(before: _core.Forest, after: _core.Forest) -> _core.Forest:
    """Return the rounds of both forests, those of ``after`` filled up with idle trees.

    A round of ``before`` must hold at least as many trees as a round of ``after``.
    """
    first, trees = Trees.of(before), with_idle_tree(Trees.of(after))
    places = np.full((after.n_iterations, before.trees_per_iteration), after.n_trees)
    places[:, : after.trees_per_iteration] = np.arange(after.n_trees).reshape(places.shape[0], -1)
    filled = trees.take(places.ravel(), before.n_parallel)
    joined = Trees.joined([first, filled], first.n_outputs, before.n_parallel)
    return joined.to_forest(before.n_features)
