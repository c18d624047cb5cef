"""Which columns trees and nodes may split."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import Dataset, train

random = np.random.default_rng(0)
X = random.normal(size=(400, 8))
Y = X @ np.arange(1.0, 9.0)


def columns_of(**given: Any) -> list[set[int]]:
    """Return the columns that each tree splits."""
    model = train({"n_estimators": 12, "min_samples_leaf": 5, **given}, Dataset(X, Y))
    arrays = model.forest.arrays()
    return [
        set(arrays["feature"][begin:end].tolist()) - {-1}
        for begin, end in zip(arrays["tree_offsets"], arrays["tree_offsets"][1:], strict=False)
    ]


def test_a_tree_splits_the_columns_that_it_drew() -> None:
    found = columns_of(colsample_bytree=0.25)
    assert all(len(own) <= 2 for own in found)
    assert len(set.union(*found)) > 2


def test_a_level_splits_the_columns_that_it_drew() -> None:
    assert all(len(own) <= 2 for own in columns_of(colsample_bylevel=0.1, max_depth=2))


def test_interactions_hold_on_every_path() -> None:
    found = columns_of(interaction_constraints=[[0, 1, 2, 3], [4, 5, 6, 7]], max_leaves=16)
    assert all(own <= {0, 1, 2, 3} or own <= {4, 5, 6, 7} for own in found)


@pytest.mark.parametrize("method", ["hist", "exact"])
def test_a_node_without_a_split_draws_further_columns(method: str) -> None:
    """One column of nine can be split; every node draws one."""
    values = np.concatenate([np.zeros((40, 8)), np.arange(40.0)[:, None]], axis=1)
    settings = {
        "n_estimators": 1, "colsample_bynode": 0.1, "draw_until_split": True,
        "split_method": method, "max_leaves": 2, "min_samples_leaf": 1,
    }  # fmt: skip
    for seed in range(10):
        model = train({**settings, "random_state": seed}, Dataset(values, values[:, 8]))
        assert model.forest.arrays()["feature"].tolist() == [8, -1, -1]
