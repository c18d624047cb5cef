from __future__ import annotations

import pytest

from ceiba.errors import LoadError, ModelFileError
from ceiba.imports.catboost_columns import CatboostColumns

SPLIT = {"split_type": "OneHotFeature", "cat_feature_index": 0}


def columns(values=("red",), splits=None, **first):
    info = {
        "categorical_features": [{"feature_index": 0, "flat_feature_index": 1} | first],
        "float_features": [{"feature_index": 0, "flat_feature_index": 0, "feature_id": ""}],
        "cat_features_hash": [{"hash": k, "value": value} for k, value in enumerate(values)],
    }
    given = range(len(values)) if splits is None else splits
    return CatboostColumns(info, [[SPLIT | {"value": value} for value in given]])


def test_categories_of_splits():
    assert columns(("red", "blue", "green"), splits=[2, 0]).columns.levels == {1: ["red", "green"]}
    assert columns(("7", "-3")).columns.levels == {1: [7, -3]}
    assert columns(("7", "03")).columns.levels == {1: ["7", "03"]}


def test_other_categories_do_not_matter():
    assert columns(splits=[]).columns.levels == {1: []}


def test_names():
    assert columns().columns.names is None
    info = {
        "float_features": [
            {"feature_index": k, "flat_feature_index": k, "feature_id": name}
            for k, name in enumerate(("0", "1"))
        ]
    }
    assert CatboostColumns(info, []).columns.names is None
    info["float_features"][1]["feature_id"] = "age"
    assert CatboostColumns(info, []).columns.names == ["0", "age"]


def test_categories_without_text():
    with pytest.raises(LoadError, match="pool=pool"):
        columns(splits=[9])


@pytest.mark.parametrize("place", [0, -1, 2**40])
def test_positions_that_are_not_possible(place):
    with pytest.raises(ModelFileError):
        columns(flat_feature_index=place)
