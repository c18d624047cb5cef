"""Partial dependence as a line with the curves of rows, as lines of classes, as a map."""

from __future__ import annotations

import numpy as np
import pytest
from pictures import classifier, of_letters, regressor, table, troubles, wide

from ceiba import plot
from ceiba.errors import InvalidParameterError


def test_a_line_and_the_curves_of_rows():
    answer = regressor().partial_dependence(table(), "age", individual=True, n_points=9)
    ax = plot.partial_dependence(answer, max_rows=30)
    assert len(ax.lines) == 31
    np.testing.assert_allclose(ax.lines[-1].get_ydata(), answer.average)
    np.testing.assert_allclose(ax.lines[-1].get_xdata(), answer.grid[0])
    assert ax.get_xlabel() == "age"
    centred = plot.partial_dependence(regressor(), table(), "age", centred=True, individual=False)
    assert len(centred.lines) == 1
    assert centred.lines[0].get_ydata()[0] == 0
    assert not troubles(ax.figure)


def test_levels_have_their_names():
    ax = plot.partial_dependence(classifier(), table(), "colour")
    assert [label.get_text() for label in ax.get_xticklabels()][1:] == ["blue", "green", "red"]
    assert not troubles(ax.figure)
    pair = plot.partial_dependence(regressor(), table(), ("age", "colour"), n_points=5)
    assert [label.get_text() for label in pair.get_yticklabels()][-1] == "red"
    assert pair.collections[0].get_array().shape == (4, 5)
    assert not troubles(pair.figure)


def test_the_axis_says_what_is_averaged():
    def label(model, frame, column, **how):
        return plot.partial_dependence(model, frame, column, n_points=4, **how).get_ylabel()

    assert label(classifier(), table(), "age") == "mean P(class = yes)"
    assert label(regressor(), table(), "age") == "mean prediction"
    assert label(classifier(), table(), "age", method="recursion") == "mean raw score"
    assert label(of_letters(), wide()[0], 0) == "mean P(class)"
    assert label(of_letters(), wide()[0], 0, output="c") == "mean P(class = c)"


def test_each_class_has_a_line():
    from matplotlib import pyplot as plt

    frame, _ = wide()
    ax = plot.partial_dependence(of_letters(), frame, 0, n_points=5)
    assert len(ax.lines) == 26
    assert len(ax.get_legend().get_texts()) == 26
    assert not troubles(ax.figure)
    figure, small = plt.subplots(figsize=(3.2, 2.6), layout="constrained")
    plot.partial_dependence(of_letters(), frame, 0, n_points=5, ax=small)
    assert small.get_legend().get_texts()[-1].get_text().startswith("and ")
    assert not troubles(figure)
    one = plot.partial_dependence(of_letters(), frame, 0, n_points=5, output="c", max_rows=3)
    assert len(one.lines) == 4


def test_one_picture_is_of_one_question():
    for columns in (None, ["age"]):
        with pytest.raises(InvalidParameterError, match="one plot shows"):
            plot.partial_dependence(regressor(), table(), columns)
    with pytest.raises(InvalidParameterError, match="output must be"):
        plot.partial_dependence(of_letters(), wide()[0], 0, n_points=3, output=26)
