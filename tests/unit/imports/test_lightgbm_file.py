from __future__ import annotations

import pytest

from ceiba.errors import ModelFileError
from ceiba.imports.lightgbm_file import LightgbmText

FILE = """tree
version=v4
feature_names=a=b c

Tree=0
num_leaves=2

Tree=1
num_leaves=3

end of trees

parameters:
[objective: regression]
[data: ]
end of parameters

pandas_categorical:[["x"]]
"""


def test_parts():
    found = LightgbmText.parse(FILE)
    assert found.header["feature_names"] == "a=b c"
    assert [tree["num_leaves"] for tree in found.trees] == ["2", "3"]
    assert found.parameters == {"objective": "regression", "data": ""}
    assert found.pandas_categorical == '[["x"]]'


def test_files_without_parameters():
    found = LightgbmText.parse(FILE[: FILE.index("parameters")])
    assert found.parameters == {}
    assert found.pandas_categorical == "null"


def test_a_file_that_ends_within_the_trees():
    with pytest.raises(ModelFileError, match="end of trees"):
        LightgbmText.parse(FILE[: FILE.index("end of trees")])
