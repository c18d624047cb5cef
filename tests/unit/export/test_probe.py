"""Rows that check exports."""

from __future__ import annotations

import numpy as np
from exported_models import regressor

from ceiba.export.described import described
from ceiba.export.probe import probe, round_down


def test_the_probe_reaches_both_sides_of_every_threshold() -> None:
    model = described(regressor(max_bins=30).model_)
    rows = probe(model)
    trees = model.trees
    numbers = trees.is_split & ~trees.split_by_set
    for column, threshold in zip(trees.feature[numbers], trees.threshold[numbers], strict=True):
        assert (rows[:, column] == threshold).any()
        assert (rows[:, column] == np.nextafter(threshold, np.inf)).any()
    assert np.isnan(rows).any(axis=0).all()
    assert (rows[:, 1] == -1).any()
    assert (probe(model) == rows)[~np.isnan(rows)].all()


def test_thresholds_are_rounded_down() -> None:
    values = np.array([0.1, 0.25, -0.1, 1e300, -1e300, np.inf, -np.inf, 1e-60])
    low = round_down(values).astype(np.float64)
    assert (low <= values).all()
    above = np.nextafter(low[:3].astype(np.float32), np.float32(np.inf))
    assert (above.astype(np.float64) > values[:3]).all()
