from __future__ import annotations

import copy
import io
import json
from pathlib import Path

import numpy as np
import pytest

import ceiba
from ceiba.errors import LoadError, ModelFileError

FILES = Path(__file__).parents[2] / "model_files" / "foreign"


def tree(**changes):
    """x0 < 0.5 ? (category of x1 in {2, 3} ? 20 : 10) : 30, missing x0 right, missing x1 left."""
    made = {
        "left_children": [1, 3, -1, -1, -1],
        "right_children": [2, 4, -1, -1, -1],
        "split_indices": [0, 1, 0, 0, 0],
        "split_conditions": [0.5, 0.0, 30.0, 10.0, 20.0],
        "default_left": [0, 1, 0, 0, 0],
        "split_type": [0, 1, 0, 0, 0],
        "categories_nodes": [1],
        "categories_segments": [0],
        "categories_sizes": [2],
        "categories": [2, 3],
        "sum_hessian": [10.0, 6.0, 4.0, 2.0, 4.0],
        "loss_changes": [5.0, 3.0, 0.0, 0.0, 0.0],
        "base_weights": [0.0] * 5,
        "tree_param": {"size_leaf_vector": "1"},
    }
    return made | changes


def model(trees=None, *, version=(3, 2, 0), **changes):
    trees = [tree()] if trees is None else trees
    settings = {"num_class": "0", "num_feature": "2", "num_target": "1", "base_score": "[5E-1]"}
    booster = {
        "name": "gbtree",
        "model": {
            "gbtree_model_param": {"num_parallel_tree": "1"},
            "trees": trees,
            "tree_info": [0] * len(trees),
        },
    }
    learner = {
        "feature_names": [],
        "feature_types": [],
        "gradient_booster": booster,
        "learner_model_param": settings,
        "objective": {"name": "reg:squarederror"},
    }
    for key, value in changes.items():
        place = next(own for own in (learner, settings, booster, booster["model"]) if key in own)
        place[key] = value
    return {"version": list(version), "learner": learner}


def load(values):
    return ceiba.load_model(io.BytesIO(json.dumps(values).encode()))


def test_rules():
    made = load(model())
    below = float(np.nextafter(np.float32(0.5), np.float32(0)))
    rows = [[below, 2], [below, 0], [below, np.nan], [0.5, 2], [np.nan, 2], [below, 200]]
    assert made.predict(rows).tolist() == [20.5, 10.5, 10.5, 30.5, 30.5, 10.5]
    assert made.predict([[(below + 0.5) / 2, 2]])[0] == 30.5  # rounds to 0.5
    assert made.trees().count.tolist() == [10, 6, 4, 4, 2]
    with pytest.raises(ceiba.CeibaError, match="categories"):
        made.predict(np.array([[0.0, 5000.0]]))


def test_a_threshold_of_minus_infinity_sends_only_missing_values_left():
    trees = [tree(split_conditions=[-np.inf, 0, 30.0, 10.0, 20.0], default_left=[1, 1, 0, 0, 0])]
    assert load(model(trees)).predict([[-np.inf, 2], [np.nan, 2]]).tolist() == [30.5, 20.5]


@pytest.mark.parametrize("place", ["before 3.4", "since 3.4"])
def test_tree_weights_of_dart(place):
    values = model([tree(), tree()])
    booster = values["learner"]["gradient_booster"]
    if place == "since 3.4":
        booster["model"]["weight_drop"] = [0.5, 0.25]
    else:
        values["learner"]["gradient_booster"] = {
            "name": "dart", "gbtree": booster, "weight_drop": [0.5, 0.25],
        }  # fmt: skip
    assert load(values).predict([[9.0, 0]])[0] == 0.5 + 30 * 0.75


def test_trees_are_in_the_order_of_ceiba():
    # A round of two outputs with two parallel trees each: outputs come one after the other.
    leaf = {name: [0] for name in tree() if name != "tree_param"}
    leaf |= {"left_children": [-1], "right_children": [-1], "sum_hessian": [1.0]}
    leaf |= {name: [] for name in leaf if name.startswith("categories")}
    trees = [{**tree(), **leaf, "split_conditions": [value]} for value in (1.0, 2.0, 10.0, 20.0)]
    made = load(
        model(
            trees,
            tree_info=[0, 0, 1, 1],
            num_target="2",
            gbtree_model_param={"num_parallel_tree": "2"},
        )
    )
    assert made.predict([[0.0, 0.0]]).tolist() == [[3.5, 30.5]]
    assert made.n_iterations == 1


def test_vector_leaves():
    values = tree(
        left_children=[1, -1, -1], right_children=[2, 0, 1], split_conditions=[0.5, 0, 0],
        split_indices=[0] * 3, default_left=[0] * 3, sum_hessian=[3, 1, 2], loss_changes=[1, 0, 0],
        leaf_weights=[1.0, 2, 3, 4], base_weights=[0] * 6, categories_nodes=[],
        tree_param={"size_leaf_vector": "2"},
    )  # fmt: skip
    made = load(model([values], num_target="2"))
    assert made.predict([[0.0, 0], [1.0, 0]]).tolist() == [[1.5, 2.5], [3.5, 4.5]]
    del values["leaf_weights"]
    values["base_weights"] = [0, 0, 1.0, 2, 3, 4]
    assert load(model([values], num_target="2")).predict([[0.0, 0]]).tolist() == [[1.5, 2.5]]


def test_no_trees():
    assert load(model([])).predict([[0.0, 0.0]]).tolist() == [0.5]


def test_json_and_ubjson_are_one_model():
    for name in ("categories", "classes", "dart"):
        one, other = (ceiba.load_model(FILES / f"xgboost_{name}.{e}") for e in ("json", "ubj"))
        assert one.fingerprint() == other.fingerprint()


@pytest.mark.parametrize(
    "changes",
    [
        {"left_children": [1, 9, -1, -1, -1]},
        {"left_children": [1, 0, -1, -1, -1]},
        {"right_children": [2, -4, -1, -1, -1]},
        {"left_children": [1, 3, -1, -1]},
        {"left_children": [[1], 3, -1, -1, -1]},
        {"split_indices": [2, 1, 0, 0, 0]},
        {"split_indices": [-2, 1, 0, 0, 0]},
        {"split_indices": [2**62, 1, 0, 0, 0]},
        {"split_conditions": [np.nan, 0, 30.0, 10.0, 20.0]},
        {"split_conditions": [0.5, 0, np.inf, 10.0, 20.0]},
        {"sum_hessian": [np.nan, 6.0, 4.0, 2.0, 4.0]},
        {"categories_nodes": [9]},
        {"categories_segments": [1]},
        {"categories_sizes": [-1]},
        {"categories": [2, -3]},
        {"categories": [2, 2**30]},
        {"categories": [2, "x"]},
        {"default_left": None},
    ],
)
def test_damaged_trees(changes):
    with pytest.raises(ModelFileError):
        load(model([tree(**changes)]))


@pytest.mark.parametrize(
    "changes",
    [
        {"num_feature": "0"},
        {"num_feature": "2147483647"},
        {"num_class": "2147483647"},
        {"base_score": "[nan]"},
        {"base_score": "[1,2,3]"},
        {"tree_info": [1]},
        {"tree_info": [-1]},
        {"tree_info": [2**40]},
        {"gbtree_model_param": {"num_parallel_tree": "3"}},
        {"feature_names": ["a", "a"]},
        {"feature_names": ["a"]},
        {"objective": {}},
    ],
)
def test_damaged_models(changes):
    with pytest.raises(ModelFileError):
        load(model(**changes))


def test_other_boosters():
    values = copy.deepcopy(model())
    values["learner"]["gradient_booster"]["name"] = "gblinear"
    with pytest.raises(LoadError, match="gblinear"):
        load(values)
