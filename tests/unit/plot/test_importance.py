"""Importances as bars."""

from __future__ import annotations

import numpy as np
import pytest
from pictures import LONG, of_wide, regressor, table, target, troubles

from ceiba import plot
from ceiba.errors import InvalidParameterError, InvalidTypeError


def widths(ax):
    return [bar.get_width() for bar in ax.patches]


def test_kinds_side_by_side():
    assert len(plot.importances(regressor())) == 2
    axes = plot.importances(regressor(), ["gain", "split", "cover"])
    model = regressor().model_
    order = np.argsort(-model.feature_importances("gain"), kind="stable")
    for ax, kind in zip(axes, ("gain", "split", "cover"), strict=True):
        np.testing.assert_allclose(widths(ax), model.feature_importances(kind)[order])
    names = [label.get_text() for label in axes[0].get_yticklabels()]
    assert len(names) == 4
    assert any(LONG.startswith(name.split("…")[0]) for name in names)
    assert [ax.get_title(loc="left") for ax in axes][1] == "number of splits"
    assert not troubles(axes[0].figure)


def test_kinds_of_rows_have_spreads():
    axes = regressor().plot.importances(X=table(), y=target(), n_repeats=2)
    assert [ax.get_title(loc="left") for ax in axes][1:] == [
        "loss when shuffled",
        "mean |SHAP value|",
    ]
    assert len(axes[1].collections) == 1  # error bars
    one = plot.importances(regressor(), "shap", X=table())
    np.testing.assert_allclose(
        widths(one), regressor().importances("shap", table())["shap"].to_numpy()
    )


def test_many_columns_are_cut_and_counted():
    from matplotlib import pyplot as plt

    axes = plot.importances(of_wide(), max_columns=12)
    assert len(axes[0].patches) == 12
    assert axes[0].texts[0].get_text() == "and 188 more columns"
    names = [label.get_text() for label in axes[0].get_yticklabels()]
    assert len(set(names)) == 12
    assert not troubles(axes[0].figure)
    figure, small = plt.subplots(1, 3, figsize=(6.5, 2.4), layout="constrained")
    drawn = plot.importances(of_wide(), ["gain", "split", "cover"], axes=small)
    assert drawn == list(small)
    assert len(drawn[0].patches) < 20
    assert not troubles(figure)


def test_what_cannot_be_drawn():
    with pytest.raises(InvalidParameterError, match="Give X"):
        plot.importances(regressor(), "permutation")
    with pytest.raises(InvalidParameterError, match="at least one kind"):
        plot.importances(regressor(), [])
    with pytest.raises(InvalidParameterError, match="max_columns"):
        plot.importances(regressor(), max_columns=0)
    with pytest.raises(InvalidTypeError, match="needs a ceiba model"):
        plot.importances(3)
