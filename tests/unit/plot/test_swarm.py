"""SHAP values of all rows."""

from __future__ import annotations

import numpy as np
from pictures import made_up, of_letters, troubles, wide

from ceiba import CeibaClassifier, plot


def names(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def test_a_swarm_has_a_point_for_each_row_and_column():
    ax = plot.beeswarm(made_up(50, 3))
    assert names(ax) == ["f1", "f2", "f0"]  # f1 adds nothing; f0 and f2 the same
    points = np.concatenate([own.get_offsets() for own in ax.collections if len(own.get_offsets())])
    assert len(points) == 150
    assert set(np.round(points[:, 1])) == {0, 1, 2}
    assert len(plot.beeswarm(made_up(50, 3), max_rows=10, max_columns=1).collections) >= 1
    assert not troubles(ax.figure)


def test_every_class_has_a_panel():
    frame, letters = wide()
    few = CeibaClassifier(n_estimators=2).fit(frame, np.where(letters > "c", "c", letters))
    axes = plot.beeswarm(few.explain(frame[:30]))
    assert [ax.get_title(loc="left") for ax in axes] == ["a", "b", "c"]
    assert axes[0].get_xlabel().startswith("raw score of class a (softmax)")
    assert "185 more columns not shown" in axes[0].get_xlabel()
    assert not troubles(axes[0].figure)
    many = plot.beeswarm(of_letters().explain(frame[:5]), max_columns=4)
    assert len(many) == 6
    assert many[0].figure.get_suptitle() == "SHAP values of 6 of 26 outputs"
    assert not troubles(many[0].figure)
