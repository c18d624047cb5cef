"""One tree as a graph."""

from __future__ import annotations

import numpy as np
import pytest
from pictures import LONG, of_letters, regressor, troubles

from ceiba import Dataset, plot, train
from ceiba.errors import CeibaError
from ceiba.testing.forests import random_model

pd = pytest.importorskip("pandas")


def boxes(ax):
    return [text.get_text() for text in ax.texts if "\n" in text.get_text()]


def test_every_node_has_a_box_and_rules_have_names():
    model = regressor().model_
    nodes = model.trees_to_frame()
    nodes = nodes[nodes["tree"] == 3]
    ax = plot.tree(model, 3, max_depth=None)
    assert len(ax.patches) == len(nodes)
    assert len(boxes(ax)) == len(nodes)
    rules = [box for box in boxes(ax) if "≤" in box or "\nin " in box or " in " in box]
    assert len(rules) == nodes["feature"].notna().sum()
    assert any(box.startswith("serum") for box in rules)
    marks = [text.get_text() for text in ax.texts if "\n" not in text.get_text()]
    assert len(marks) == len(nodes) - 1
    assert sum("?" in mark for mark in marks) == len(rules)
    assert not troubles(ax.figure)
    assert LONG.startswith("serum")


def test_no_box_lies_over_another():
    ax = plot.tree(random_model(2, kind="mixed", n_leaves=40), 2, max_depth=None)
    places = [patch.get_bbox() for patch in ax.patches]
    for k, one in enumerate(places):
        assert not any(one.overlaps(other) for other in places[:k])


def test_what_lies_deeper_is_counted():
    ax = plot.tree(regressor(), 0, max_depth=1)
    hidden = [int(box.split()[1]) for box in boxes(ax) if box.startswith("…")]
    arrays = regressor().model_.forest.arrays()
    first = arrays["feature"][: arrays["tree_offsets"][1]]
    assert sum(hidden) + sum(not box.startswith("…") for box in boxes(ax)) - 1 == (first < 0).sum()


def test_levels_classes_and_small_axes():
    from matplotlib import pyplot as plt

    random = np.random.default_rng(0)
    levels = random.choice(["red $", "green"], 100).astype(object)
    rows = Dataset(pd.DataFrame({"colour": levels}), levels == "green")
    model = train({"min_samples_leaf": 5}, rows, 1)
    assert any("colour in " in box for box in boxes(plot.tree(model)))
    assert "class c" in plot.tree(of_letters(), 28).get_title(loc="left")
    figure, ax = plt.subplots(figsize=(3.2, 2.6), layout="constrained")
    assert plot.tree(regressor(), ax=ax) is ax
    figure.canvas.draw()


def test_values_of_several_outputs():
    model = random_model(0, objective="quantile", n_outputs=3, leaf_width=3)
    assert boxes(plot.tree(model, output=0)) != boxes(plot.tree(model, output=2))


@pytest.mark.parametrize("how", [{"tree": 999}, {"max_depth": -1}, {"tree": "x"}])
def test_what_cannot_be_drawn(how):
    with pytest.raises(CeibaError, match=next(iter(how))):
        plot.tree(regressor(), **how)
    with pytest.raises(CeibaError, match="no trees"):
        plot.tree(regressor().model_.truncate(0))
