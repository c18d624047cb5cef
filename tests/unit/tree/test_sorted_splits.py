"""Exact trees in presorted rows: limits, threads and units of nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import CeibaTreeRegressor

random = np.random.default_rng(4)
X = np.round(random.normal(size=(300, 4)), 2)
Y = X[:, 0] + np.sign(X[:, 1]) + 0.1 * random.normal(size=300)


def predicted(scale: float = 1.0, **given: Any) -> np.ndarray:
    tree = CeibaTreeRegressor(random_state=0, **given).fit(X, Y * scale)
    return np.asarray(tree.predict(X)) / scale


@pytest.mark.threads
@pytest.mark.parametrize("limits", [{}, {"max_depth": 4}, {"max_leaf_nodes": 9}])
def test_threads_change_nothing(limits: dict[str, Any]) -> None:
    np.testing.assert_array_equal(predicted(n_jobs=1, **limits), predicted(n_jobs=2, **limits))


def test_the_scale_of_targets_changes_nothing() -> None:
    """Nodes have units of their own."""
    np.testing.assert_array_equal(predicted(2.0**40), predicted())
