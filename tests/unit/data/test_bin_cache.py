"""Bins are found once and shared by copies and by subsets that ask for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ceiba import Dataset, _core
from ceiba.boosting.loop import train_trees
from ceiba.data.binning import bin_edges
from ceiba.parameters.resolving import resolve

RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(600, 3))
COARSE = np.round(RANDOM.normal(size=(600, 3)) * 4) / 4
Y = X[:, 0] + COARSE[:, 1]


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count searches for edges."""
    found: list[int] = []
    find = _core.BinMapper.find

    class Counting(_core.BinMapper):
        @staticmethod
        def find(*arguments: Any) -> Any:
            found.append(1)
            return find(*arguments)

    monkeypatch.setattr("ceiba.data.binning._core.BinMapper", Counting)
    return found


@pytest.mark.usefixtures("searches")
def test_subsets_share_edges_found_once(searches: list[int]) -> None:
    whole = Dataset(X, Y)
    folds = [whole.take(np.arange(600) % 3 != fold, share_bins=True) for fold in range(3)]
    parameters = resolve({"n_estimators": 2, "n_jobs": 1})
    for fold in folds:
        train_trees(parameters, fold)
    train_trees(parameters, whole)
    train_trees(parameters, whole.with_names(["a", "b", "c"]))
    assert len(searches) == 1
    train_trees(parameters, whole.take(np.arange(600) % 3 != 0))
    assert len(searches) == 2


def test_edges_are_equal_where_every_value_has_a_bin() -> None:
    values = np.unique(COARSE)
    rows = np.vstack([np.column_stack([values] * 3), COARSE])
    whole, keep = Dataset(rows, np.arange(len(rows))), np.arange(len(rows)) < 300
    for settings, equal in (((256, 1), True), ((5, 1), None)):
        own = bin_edges(whole.take(keep).binned(*settings, 1)[0])
        shared = bin_edges(whole.take(keep, share_bins=True).binned(*settings, 1)[0])
        whole_edges = bin_edges(whole.binned(*settings, 1)[0])
        for one, other, third in zip(own, shared, whole_edges, strict=True):
            np.testing.assert_array_equal(other, third)
            if equal:
                np.testing.assert_array_equal(one, other)


def test_codes_follow_settings_and_weights() -> None:
    rows = Dataset(X, Y)
    mapper, binned = rows.binned(64, 1, 1)
    assert rows.binned(64, 1, 1) == (mapper, binned)
    assert rows.binned_with(mapper, 1) is binned
    other, codes = rows.binned(64, 1, 1, lists=False)
    assert other is mapper
    assert codes is not binned
    assert rows.binned(16, 1, 1)[0] is not mapper
    weights = np.where(X[:, 0] > 0, 2.0, 1.0)
    assert rows.binned(16, 1, 1, weight=weights)[0] is not rows.binned(16, 1, 1)[0]


def test_other_columns_have_bins_of_their_own() -> None:
    rows = Dataset(X, Y).take(np.arange(600) < 400, share_bins=True)
    changed = rows.with_table(Dataset(COARSE[:400]).table)
    assert len(bin_edges(changed.binned(256, 1, 1)[0])[0]) < 40
