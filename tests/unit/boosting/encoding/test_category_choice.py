"""How each category is used: by what the user says, by its levels, and by an earlier model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ceiba import Dataset, train
from ceiba.boosting.encoding.category_choice import category_encodings, columns_by_target
from ceiba.errors import InvalidParameterError
from ceiba.parameters.resolving import resolve

N = 1000
LEVELS = {"two": 2, "thirty": 30, "many": 400}
FRAME = pd.DataFrame({name: (np.arange(N) % n).astype(str) for name, n in LEVELS.items()}).assign(
    x=np.arange(N, dtype=float)
)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, ["onehot", "subset", "target"]),
        ({"categorical": "target"}, ["target"] * 3),
        ({"categorical": "onehot"}, ["onehot"] * 3),
        ({"categorical": {"many": "subset", "two": "auto"}}, ["onehot", "subset", "subset"]),
        ({"max_cat_to_subset": 29}, ["onehot", "target", "target"]),
        ({"max_cat_to_subset": 0}, ["onehot", "subset", "subset"]),
        ({"max_cat_to_onehot": 31}, ["onehot", "onehot", "target"]),
        ({"recipe": "lightgbm"}, ["onehot", "subset", "subset"]),
    ],
)
def test_words(given: dict[str, Any], expected: list[str]) -> None:
    words = category_encodings(resolve(given), Dataset(FRAME).schema)
    assert words == dict(zip(("two", "thirty", "many"), expected, strict=True))


def test_rows_in_shards_have_no_statistics() -> None:
    schema = Dataset(FRAME).schema
    by_target = columns_by_target(resolve({}), schema, in_shards=True)
    words = category_encodings(resolve({}), schema, by_target)
    assert words == {"two": "onehot", "thirty": "subset", "many": "subset"}
    asked = columns_by_target(resolve({"categorical": {"two": "target"}}), schema, in_shards=True)
    assert asked == {schema.names.index("two")}  # and refused where the shards are known


def test_the_model_tells() -> None:
    model = train({"n_estimators": 2}, Dataset(FRAME, FRAME["x"]))
    assert model.categorical == {"two": "onehot", "thirty": "subset", "many": "target"}
    assert train({"n_estimators": 2}, Dataset(FRAME[["x"]], FRAME["x"])).categorical == {}


def test_numbers_are_no_categories() -> None:
    with pytest.raises(InvalidParameterError, match="'x', a numeric column"):
        train({"categorical": {"x": "target"}}, Dataset(FRAME, FRAME["x"]))
