from __future__ import annotations

import numpy as np
import pytest

from ceiba.errors import LoadError, ModelFileError
from ceiba.imports import xgboost_columns
from ceiba.imports.xgboost_columns import category_numbers, read_columns


def text(*categories):
    values = "".join(categories).encode()
    ends = np.cumsum([0, *(len(own.encode()) for own in categories)])
    return {"offsets": ends.tolist(), "values": list(values)}


def columns(encodings=(), types=("c", "float"), used=(), version=(3, 4, 1)):
    model = {
        "version": list(version),
        "learner": {
            "learner_model_param": {"num_feature": "2"},
            "feature_types": list(types),
            "gradient_booster": {"model": {"cats": {"enc": list(encodings)}}},
        },
    }
    return read_columns(model, {j: np.array(codes) for j, codes in dict(used).items()})


def test_categories_of_the_file():
    found = columns([text("b", "a"), {"offsets": [], "values": []}])
    assert found.levels == {0: ["b", "a"]}
    assert found.unseen == "error"
    assert category_numbers(found, 0)(np.array([0])).tolist() == [1]
    assert columns([{"type": 15, "values": [7, 3]}]).levels == {0: [7, 3]}


def test_text_that_is_not_ascii():
    assert columns([text("zé", "y")]).levels == {0: ["zé", "y"]}
    with pytest.raises(LoadError, match=r"3\.4"):
        columns([text("zé", "y")], version=(3, 2, 0))


def test_codes_without_categories():
    found = columns(used={0: [1, 300]})
    assert found.levels[0] == list(range(602))
    assert category_numbers(found, 0)(np.array([300, 1])).tolist() == [1, 300]
    assert len(columns(used={0: [1]}).levels[0]) == 256
    many = columns(used={0: [5, 2**20]})
    assert len(many.levels[0]) == 2**16 + 1
    assert category_numbers(many, 0)(np.array([2**20])).tolist() == [2**16]


def test_codes_that_no_tree_reads_are_numbers():
    found = columns()
    assert found.levels == {}
    assert found.unseen == "missing"


@pytest.mark.parametrize(
    "given",
    [
        {"used": {5: [1]}},
        {"used": {0: [-1]}},
        {"used": {0: [2**24]}},
        {"encodings": [{"offsets": [0, 9], "values": [97]}]},
        {"encodings": [{"offsets": [1, 1], "values": [97]}]},
    ],
)
def test_damaged_columns(given):
    with pytest.raises(ModelFileError):
        columns(**given)


def test_codes_out_of_range():
    found = columns([text("b", "a")])
    for code in (-1, 2):
        with pytest.raises(ModelFileError):
            category_numbers(found, 0)(np.array([code]))


def test_too_many_codes(monkeypatch):
    monkeypatch.setattr(xgboost_columns, "_MOST_CODES_IN_ALL", 300)
    with pytest.raises(ModelFileError, match="too many"):
        columns(used={0: [1], 1: [1]})
