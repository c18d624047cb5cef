from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

import ceiba
from ceiba.errors import ModelFileError

FILES = Path(__file__).parents[2] / "model_files" / "foreign"


def header(**changes):
    lines = {
        "version": "v4",
        "num_class": "1",
        "num_tree_per_iteration": "1",
        "max_feature_idx": "1",
        "objective": "regression",
        "feature_names": "size age",
        "feature_infos": "[-2:2] [0:9]",
    }
    return "tree\n" + "".join(f"{k}={v}\n" for k, v in (lines | changes).items())


TREE = {
    "num_leaves": "3",
    "num_cat": "0",
    "split_feature": "0 1",
    "split_gain": "5 3",
    "threshold": "0.5 4",
    "decision_type": "2 2",
    "left_child": "1 -1",
    "right_child": "-2 -3",
    "leaf_value": "1 2 3",
    "leaf_weight": "4 5 6",
    "leaf_count": "4 5 6",
    "internal_value": "0 0",
    "internal_weight": "15 10",
    "internal_count": "15 10",
    "shrinkage": "0.1",
}


def load(tree=(), of_header=(), end="end of trees\n"):
    lines = "".join(f"{k}={v}\n" for k, v in (TREE | dict(tree)).items() if v is not None)
    text = f"{header(**dict(of_header))}\nTree=0\n{lines}\n{end}"
    return ceiba.load_model(io.BytesIO(text.encode()))


def predict(model, size, age):
    return model.predict([[size, age]])[0]


def test_numeric_splits():
    model = load()
    assert [predict(model, *row) for row in ((0.5, 4), (0.5, 5), (0.6, 0))] == [1, 3, 2]
    assert model.schema.names == ("size", "age")
    assert model.parameters["learning_rate"] == [0.1]
    assert model.trees().count.tolist() == [15, 10, 5, 4, 6]


@pytest.mark.parametrize(
    ("decision", "threshold", "expected"),
    [
        (0, 0.5, 1),  # missing values are read as 0
        (0, -0.5, 2),
        (2, -0.5, 2),
        (8, 0.5, 2),  # NaN, right
        (10, -0.5, 1),  # NaN, left
    ],
)
def test_missing_values(decision, threshold, expected):
    tree = {"decision_type": f"{decision} 10", "threshold": f"{threshold} 4"}
    assert predict(load(tree), np.nan, 0.0) == expected


@pytest.mark.parametrize(("decision", "expected"), [(4, 2), (6, 1)])
def test_zero_as_missing(decision, expected):
    model = load({"decision_type": f"{decision} {decision}", "threshold": "1.5 -1"})
    assert model.schema.reading.missing == 0.0
    assert predict(model, 0.0, -2.0) == predict(model, np.nan, -2.0) == expected
    assert predict(model, 1e-9, -2.0) == 1
    with pytest.raises(ModelFileError, match="zero is missing"):
        load({"decision_type": "4 8"})


def test_old_files_lack_arrays():
    gone = ("internal_weight", "leaf_weight", "internal_value", "split_gain", "shrinkage")
    model = load(dict.fromkeys(gone))
    assert predict(model, 0.5, 4) == 1
    assert model.trees().cover.tolist() == model.trees().count.tolist()


def test_lines_may_end_as_on_windows():
    data = (FILES / "lightgbm_categories.txt").read_bytes()
    changed = ceiba.load_model(io.BytesIO(data.replace(b"\n", b"\r\n")))
    assert changed.fingerprint() == ceiba.load_model(io.BytesIO(data)).fingerprint()


@pytest.mark.parametrize(
    ("tree", "of_header", "end"),
    [
        ({"leaf_value": "1 2"}, {}, "end of trees\n"),
        ({"leaf_value": "1 2 nan"}, {}, "end of trees\n"),
        ({"leaf_value": "1 2 1e308"}, {}, "end of trees\n"),
        ({"threshold": "nan 1"}, {}, "end of trees\n"),
        ({"threshold": "1"}, {}, "end of trees\n"),
        ({"left_child": "2 -1"}, {}, "end of trees\n"),
        ({"left_child": "0 -1"}, {}, "end of trees\n"),
        ({"left_child": "1 -4"}, {}, "end of trees\n"),
        ({"right_child": "-2 -2"}, {}, "end of trees\n"),
        ({"split_feature": "0 2"}, {}, "end of trees\n"),
        ({"split_feature": "-1 1"}, {}, "end of trees\n"),
        ({"decision_type": "12 2"}, {}, "end of trees\n"),
        ({"decision_type": "-1 2"}, {}, "end of trees\n"),
        ({"decision_type": "1 2"}, {}, "end of trees\n"),
        ({"leaf_count": "4 inf 6"}, {}, "end of trees\n"),
        ({}, {"max_feature_idx": "2147483646"}, "end of trees\n"),
        ({}, {"num_tree_per_iteration": "0"}, "end of trees\n"),
        ({}, {"num_tree_per_iteration": "1000000000"}, "end of trees\n"),
        ({}, {"feature_names": "age age"}, "end of trees\n"),
        ({}, {}, ""),
        ({}, {}, "end of trees\npandas_categorical:[[1]\n"),
    ],
)
def test_damaged_files(tree, of_header, end):
    with pytest.raises(ModelFileError):
        load(tree, of_header, end)
