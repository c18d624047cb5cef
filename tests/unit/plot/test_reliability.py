"""Calibration of classifiers."""

from __future__ import annotations

import numpy as np
import pytest
from pictures import classifier, labels, of_letters, table, troubles, wide

from ceiba import plot
from ceiba.errors import CeibaError


def test_calibration_compares_groups_of_rows():
    ax = plot.calibration({"ceiba": classifier()}, table(), labels(), n_bins=5)
    line = ax.lines[0]
    chances = classifier().predict_proba(table())[:, 1]
    first = np.argsort(chances, kind="stable")[:60]
    assert line.get_xdata()[0] == pytest.approx(chances[first].mean())
    assert line.get_ydata()[0] == pytest.approx((labels()[first] == "yes").mean())
    below = ax.child_axes[0]
    assert below.get_xlabel() == "predicted P(class = yes)"
    assert not troubles(ax.figure)
    many = plot.calibration(of_letters(), *wide()).child_axes[0]
    assert many.get_xlabel().endswith("predicted class")


def test_calibration_of_a_rare_class_can_be_read():
    class Rare:
        classes_ = np.array(["no", "yes"])

        def predict_proba(self, X):
            chance = np.random.default_rng(0).beta(1, 30, len(X))
            return np.stack([1 - chance, chance], axis=1)

    rare = np.where(np.arange(300) % 25 == 0, "yes", "no")
    ax = plot.calibration(Rare(), table(), rare)
    assert ax.get_xlim()[1] < 0.4
    assert ax.get_xlim()[1] > ax.lines[0].get_xdata().max()
    chance = Rare().predict_proba(table())[:, 1]
    width = plot.calibration(Rare(), table(), rare, strategy="uniform", n_bins=20).lines[0]
    first = chance < 0.05
    assert width.get_xdata()[0] == pytest.approx(chance[first].mean())
    assert width.get_ydata()[0] == pytest.approx((rare[first] == "yes").mean())
    with pytest.raises(CeibaError, match="strategy"):
        plot.calibration(Rare(), table(), rare, strategy="x")
