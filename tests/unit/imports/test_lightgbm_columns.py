from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ceiba
from ceiba.errors import LoadError, ModelFileError
from ceiba.imports import lightgbm_columns
from ceiba.imports.lightgbm_columns import read_columns
from ceiba.imports.lightgbm_file import LightgbmText


def columns(infos, categories="null", declared="", names=None, sets=()):
    n_columns = len(infos)
    header = {
        "feature_names": " ".join(names or [f"c{j}" for j in range(n_columns)]),
        "feature_infos": " ".join(infos),
        "max_feature_idx": str(n_columns - 1),
    }
    source = LightgbmText(header, [], {"categorical_feature": declared}, categories)
    return read_columns(source, {j: np.array(codes) for j, codes in dict(sets).items()})


def test_names():
    assert columns(["[0:1]"] * 2, names=["Column_0", "Column_1"]).names is None
    assert columns(["[0:1]"] * 2, names=["Column_0", "b"]).names == ["Column_0", "b"]


def test_codes_are_categories_without_pandas():
    found = columns(["[0:1]", "-1:3:1"], sets={1: [7]})
    assert found.levels == {1: [1, 3, 7]}


def test_pandas_categories_belong_to_the_declared_columns():
    found = columns(["1:0", "[0:5]", "none"], '[["b", "a"], [3.0, 7]]', "0,2")
    assert found.levels == {0: ["b", "a"], 2: [3, 7]}


def test_pandas_categories_beside_codes():
    # The second list has too few categories for the codes of column 1.
    found = columns(["1:0", "4:9", "0:1"], '[["b", "a"], ["x", "y"]]', "0,1,2")
    assert found.levels == {0: ["b", "a"], 1: [4, 9], 2: ["x", "y"]}
    with pytest.raises(LoadError, match="does not say which columns"):
        columns(["1:0", "1:0"], '[["b", "a"]]', "0,1")
    with pytest.raises(ModelFileError, match="fit no columns"):
        columns(["1:9", "4:9", "0:9"], '[["b", "a"], ["x", "y"]]', "0,1,2")


def test_ordered_categories_are_thresholds_on_codes(tmp_path):
    lightgbm = pytest.importorskip("lightgbm")
    random = np.random.default_rng(0)
    size = pd.Categorical(random.choice(["S", "M", "L"], 300), ["S", "M", "L"], ordered=True)
    X = pd.DataFrame({"size": size, "x": random.normal(size=300)})
    X.loc[::9, "size"] = None
    y = size.codes + X["x"]
    booster = lightgbm.train({"verbose": -1, "num_leaves": 8}, lightgbm.Dataset(X, y), 5)
    booster.save_model(tmp_path / "model.txt")
    model = ceiba.load_model(tmp_path / "model.txt")
    assert model.schema.levels_of("size") == ("L", "M", "S")
    assert (model.predict(X) == booster.predict(X)).all()


@pytest.mark.parametrize(
    "given",
    [
        {"infos": ["[0:1]"], "names": ["a", "b"]},
        {"infos": ["0:1"], "categories": '[["a", null]]', "declared": "0"},
        {"infos": ["0:1"], "categories": '[["a", "a"]]', "declared": "0"},
        {"infos": ["[0:1]"], "sets": {3: [1]}},
    ],
)
def test_damaged_columns(given):
    with pytest.raises(ModelFileError):
        columns(**given).level_numbers(0)


def test_sets_of_too_many_codes(monkeypatch):
    monkeypatch.setattr(lightgbm_columns, "MOST_CODES", 3)
    found = columns(["0:1:2:3"])
    node = np.array([0])
    with pytest.raises(ModelFileError, match="too large"):
        lightgbm_columns.sets_of_thresholds(
            found, node, [np.arange(4)], node, np.zeros(1), np.ones(1, dtype=bool)
        )
