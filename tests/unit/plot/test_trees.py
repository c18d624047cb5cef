"""One tree as a graph."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures import LONG, of_letters, regressor, troubles, wide
from read_rules import DrawnTree, agrees

from ceiba import CeibaClassifier, Dataset, plot, train
from ceiba.errors import CeibaError
from ceiba.model.tree_nodes import read_tree
from ceiba.testing.forests import random_model

pd = pytest.importorskip("pandas")
plt = pytest.importorskip("matplotlib.pyplot")


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
    random = np.random.default_rng(0)
    levels = random.choice(["red $", "green"], 100).astype(object)
    rows = Dataset(pd.DataFrame({"colour": levels}), levels == "green")
    model = train({"min_samples_leaf": 5}, rows, 1)
    assert any("colour in " in box for box in boxes(plot.tree(model)))
    assert "tree 28: iteration 1, class c" in plot.tree(of_letters(), 28).get_title(loc="left")
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


SETTINGS = {
    "tree": {"recipe": "tree", "max_depth": 4},
    "regression": {"n_estimators": 3, "min_samples_leaf": 5, "min_data_in_bin": 1},
    "forest": {"recipe": "forest", "n_estimators": 4, "max_depth": 4},
    "dart": {"n_estimators": 5, "boosting": "dart", "drop_rate": 0.9, "min_samples_leaf": 5},
    "poisson": {"n_estimators": 2, "objective": "poisson", "min_samples_leaf": 5},
    "binary": {"n_estimators": 3, "objective": "logistic", "min_samples_leaf": 5},
    "gini": {
        "recipe": "forest",
        "objective": "gini",
        "n_estimators": 3,
        "max_depth": 4,
        "multi_strategy": "vector_leaf",
    },
    "softmax": {"n_estimators": 2, "objective": "softmax", "min_samples_leaf": 5},
}


@given(st.integers(0, 10_000), st.sampled_from(sorted(SETTINGS)), st.booleans())
def test_rows_reach_their_prediction_by_the_boxes(seed, kind, short):
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "whole": random.integers(0, 30_000, 80),
            "real": np.where(random.random(80) < 0.2, np.nan, random.normal(size=80)),
            "day": pd.Timestamp("2020-02-01") + pd.to_timedelta(random.integers(0, 99, 80), "D"),
            "c": random.choice(list("abc"), 80),
        }
    )
    y = frame["whole"] / 10_000 + (frame["c"] == "a") + random.random(80)
    if kind in ("binary", "gini", "softmax"):
        y = np.digitize(y, np.quantile(y, [0.5] if kind == "binary" else [0.3, 0.6]))
    model = train(SETTINGS[kind], Dataset(frame, y))
    tree = model.n_trees - 1
    drawn = DrawnTree(plot.tree(model, tree, frame if short else None, max_depth=None))
    plt.close("all")
    nodes = read_tree(model, tree)
    leaves = model.apply(frame)[:, tree]
    per_round = model.forest.trees_per_iteration
    own = model.predict(frame, iteration_range=(tree // per_round, tree // per_round + 1))
    for i in range(0, 80, 3):
        value, rows = drawn.leaf(frame.iloc[i])
        assert rows.split()[0] == f"{nodes.nodes.count[leaves[i]]:,.0f}"
        if kind in ("binary", "gini", "softmax"):
            label, value = re.fullmatch(r"P\((\d)\) = (.*)", value).groups()
            expected = nodes.prediction[leaves[i], int(label)]
            if kind == "gini":
                assert own[i, int(label)] == pytest.approx(expected) == pytest.approx(own[i].max())
            if kind == "binary":
                assert own[i] == pytest.approx(expected)
        else:
            expected = nodes.prediction[leaves[i]]
            if kind != "dart":  # there later rounds change what a tree counts
                assert own[i] == pytest.approx(expected)
        assert agrees(value, float(expected))


def test_values_are_predictions():
    y = np.repeat([0.0, 1.0], 50)
    model = train({"recipe": "tree"}, Dataset(np.arange(100.0)[:, None], y))
    assert sorted(boxes(plot.tree(model))) == [
        "0\n50 rows",
        "1\n50 rows",
        "f0 ≤ 49.5\n0.5 · 100 rows",
    ]
    labels = np.where(y > 0, "a class with a name of many letters", "no")
    classifier = CeibaClassifier(n_estimators=2).fit(np.arange(100.0)[:, None], labels)
    values = [box.split("\n")[-1 if "≤" in box else 0] for box in boxes(classifier.plot.tree())]
    assert all(re.match(r"P\(.*\) = 0\.\d{3}", value) for value in values)
    assert any("(no)" in box for box in boxes(plot.tree(classifier)))


def test_many_levels_and_linear_leaves_are_counted():
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"town": random.choice([f"town {k}" for k in range(60)], 2000)})
    frame["x"], frame["a long name of a column"] = random.normal(size=(2, 2000))
    y = 9.0 * frame["town"].str[-1].astype(int) + frame["x"]
    model = train({"n_estimators": 1, "categorical": "subset"}, Dataset(frame, y))
    rules = [box for box in boxes(plot.tree(model)) if box.startswith("town\nin town")]
    assert rules
    for rule in rules:
        shown, more = re.search(r"in (.*) … (\d+) more", rule).groups()
        assert len(shown.split(", ")) + int(more) < 60
    linear = train(
        {"n_estimators": 1, "leaf_model": "linear"}, Dataset(frame[["x"]], frame["x"] ** 2)
    )
    ax = plot.tree(linear)
    slopes = [box for box in boxes(ax) if re.search(r"\n[+−] \S+ x\n", box)]
    assert slopes
    assert "slopes" in ax.get_title(loc="left")
    assert not troubles(ax.figure)


def test_names_of_columns_still_differ():
    frame, _ = wide()
    model = train({"n_estimators": 1, "min_samples_leaf": 3}, Dataset(frame, frame.sum(axis=1)))
    rules = [box.split("\n")[0] for box in boxes(plot.tree(model)) if "≤" in box]
    used = model.trees_to_frame()["feature"].dropna().unique()
    shown = {re.search(r"number (\d+)", rule).group(1) for rule in rules}
    assert shown <= {name.split()[2] for name in used}
    assert len(shown) > 1
