"""Trees without a limit of leaves: in windows of rows, or with histograms of all nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import CeibaForestRegressor, _core

random = np.random.default_rng(5)
X = random.normal(size=(2000, 6))
Y = X[:, 0] * X[:, 1] + random.normal(size=2000)


def predicted(**given: Any) -> np.ndarray:
    model = CeibaForestRegressor(2, random_state=1, n_jobs=1, **given).fit(X, Y)
    return np.asarray(model.predict(X))


@pytest.mark.parametrize(
    "given",
    [{}, {"max_features": 2}, {"extra_trees": True}, {"min_samples_leaf": 3}, {"max_depth": 7}],
)
def test_windows_change_no_tree(given: dict[str, Any]) -> None:
    before = _core.counters()["windows"]
    in_windows = predicted(**given)
    assert _core.counters()["windows"] > before
    _core.change_settings(window_bytes=0)
    np.testing.assert_array_equal(predicted(**given), in_windows)
