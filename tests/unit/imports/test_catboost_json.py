from __future__ import annotations

import io
import json

import numpy as np
import pytest

import ceiba
from ceiba.errors import LoadError, ModelFileError

NUMBER = {"split_type": "FloatFeature", "float_feature_index": 0, "border": 0.5}
CATEGORY = {"split_type": "OneHotFeature", "cat_feature_index": 0, "value": -5}


def model(splits=(NUMBER, CATEGORY), values=(1.0, 2.0, 3.0, 4.0), **changes):
    made = {
        "features_info": {
            "float_features": [
                {"feature_index": 0, "flat_feature_index": 1, "feature_id": "size"},
            ],
            "categorical_features": [
                {"feature_index": 0, "flat_feature_index": 0, "feature_id": "color"},
            ],
            "cat_features_hash": [{"hash": 2**32 - 5, "value": "red"}],
        },
        "model_info": {"params": {"loss_function": {"type": "RMSE"}}},
        "oblivious_trees": [
            {"splits": list(splits), "leaf_values": list(values), "leaf_weights": [1, 2, 3, 4]}
        ],
        "scale_and_bias": [2.0, [0.5]],
    }
    return made | changes


def load(values):
    return ceiba.load_model(io.BytesIO(json.dumps(values).encode()))


def test_rules():
    made = load(model())
    # Bit 0 of a leaf is size > 0.5, bit 1 is color == red.
    rows = [{"color": color, "size": size} for color in ("blue", "red") for size in (0.5, 0.6)]
    assert [float(made.predict(row)[0]) for row in rows] == [2.5, 4.5, 6.5, 8.5]
    rounds_to_border = float(np.nextafter(np.float32(0.5), np.float32(1))) / 2 + 0.25
    assert made.predict({"color": "blue", "size": rounds_to_border})[0] == 2.5
    assert made.trees().count.tolist() == [10, 7, 3, 3, 4, 1, 2]


@pytest.mark.parametrize(
    ("treatment", "expected"), [("AsIs", 2.5), ("AsFalse", 2.5), ("AsTrue", 4.5)]
)
def test_missing_values(treatment, expected):
    values = model()
    values["features_info"]["float_features"][0]["nan_value_treatment"] = treatment
    assert load(values).predict({"color": "blue", "size": np.nan})[0] == expected


def test_several_outputs():
    values = model((NUMBER,), (1.0, 2.0, 3.0, 4.0), scale_and_bias=[1, [0, 10]])
    values["model_info"]["params"]["loss_function"]["type"] = "MultiRMSE"
    values["oblivious_trees"][0]["leaf_weights"] = None
    row = {"color": "blue", "size": 1.0}
    assert load(values).predict(row).tolist() == [[3.0, 14.0]]


def test_parameters_as_text_of_older_files():
    params = {"loss_function": {"type": "MAE"}, "boosting_options": {"learning_rate": 0.25}}
    made = load(model(model_info={"params": json.dumps(params)}))
    assert made.objective.name == "absolute_error"
    assert made.parameters["learning_rate"] == 0.25


def test_trees_of_other_shapes():
    values = model()
    values["trees"] = values.pop("oblivious_trees")
    with pytest.raises(LoadError, match="SymmetricTree"):
        load(values)


def test_target_statistics():
    split = {"split_type": "OnlineCtr", "border": 7.0, "split_index": 2}
    with pytest.raises(LoadError, match="one_hot_max_size"):
        load(model((split,), (1.0, 2.0)))


def tree(**changes):
    return [model()["oblivious_trees"][0] | changes]


@pytest.mark.parametrize(
    "changes",
    [
        {"oblivious_trees": tree(leaf_values=[1.0])},
        {"oblivious_trees": tree(leaf_values=[[1.0, 2], [3, 4]])},
        {"oblivious_trees": tree(leaf_values=[1.0, 2, 3, None])},
        {"oblivious_trees": tree(leaf_weights=[1])},
        {"oblivious_trees": tree(splits=[NUMBER] * 60)},
        {"oblivious_trees": tree(splits=[NUMBER | {"border": "x"}])},
        {"oblivious_trees": tree(splits=[NUMBER | {"float_feature_index": 7}] * 2)},
        {"oblivious_trees": [None]},
        {"scale_and_bias": [1, []]},
        {"scale_and_bias": [1, [[1]]]},
        {"scale_and_bias": [1e308, [0.0]]},
        {"scale_and_bias": None},
        {"model_info": {"params": {"loss_function": {"type": "MultiClass"}}}},
    ],
)
def test_damaged_models(changes):
    with pytest.raises(ModelFileError):
        load(model(**changes))
