"""The engine against the plain reference of ``ceiba.testing``, bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ceiba import _core
from ceiba.testing import reference
from ceiba.testing.strategies import Case, make_gradients

NAMES = (
    "tree_offsets", "feature", "threshold", "left", "right", "missing_left", "count", "value",
    "gain", "cover",
)  # fmt: skip

Trees = dict[str, np.ndarray]


def check_trees(found: Trees, expected: Trees) -> None:
    for name in NAMES:
        np.testing.assert_array_equal(found[name], expected[name], err_msg=name, strict=True)


def check_grown(
    case: Case, grown: _core.GrownTrees, expected: Trees, n_threads: int = 1
) -> _core.Forest:
    """Trees, the scores that they give to training rows, and the predictions of their forest."""
    check_trees(grown.arrays(), expected)
    n_trees, n_rows = case.gradients.shape
    raw = reference.predict(expected, case.X, n_trees)
    scores = np.zeros((n_trees, n_rows))
    grown.add_to_scores(scores)
    np.testing.assert_array_equal(scores.T, raw, err_msg="scores of training rows")
    forest = _core.Forest.from_grown([grown], case.X.shape[1], n_trees)
    predicted = np.zeros((n_rows, n_trees))
    forest.add_matrix(case.X, predicted, 0, 1, n_threads)
    np.testing.assert_array_equal(predicted, raw, err_msg="predictions")
    return forest


def check_exact(case: Case, n_threads: int = 1) -> None:
    """Trees of split_method exact, and of approx where the plan has a ``sketch_eps``."""
    check_grown(case, case.grow_exact(n_threads), case.grow_exact_reference(), n_threads)


def check_rounds(
    case: Case,
    grower: _core.Grower,
    grow_reference: Callable[[Case], Trees],
    rounds: Sequence[tuple[str, bool]],
) -> None:
    """Rounds of one grower: gradients of a kind, with or without hessians and sampled rows."""
    for number, (kind, sampled) in enumerate(rounds):
        own = replace(
            case,
            gradients=make_gradients(number, case.gradients.shape, kind),
            hessians=case.hessians if sampled else None,
            constant_hessian=1.0,
            rows=case.rows if sampled else None,
            round=number,
            learning_rate=0.1,
        )
        check_trees(own.trees_of(grower).arrays(), grow_reference(own))
