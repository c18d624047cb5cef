"""The parts of a file that are inconsistent make no model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ceiba.errors import ModelFileError
from ceiba.model.file import decode
from ceiba.model.model import Model
from ceiba.model.parts import fields_of
from ceiba.model.tree_weights import TreeWeights
from ceiba.testing.forests import random_model

LABELS = np.array(["a", "b", "c"])
MODEL = random_model(0, objective="softmax", n_outputs=3, n_iterations=4, classes=LABELS)


def test_they_make_the_model_that_was_taken_apart() -> None:
    weighted = replace(MODEL, tree_weights=TreeWeights().changed(2, [0, 1], [0.5, 0.25]))
    for model in (MODEL, weighted):
        again = Model(**fields_of(decode(model.to_bytes())))
        assert again.fingerprint() == model.fingerprint()
    assert weighted.fingerprint() != MODEL.fingerprint()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start_scores": np.full(3, 1e301)}, "are inconsistent"),
        ({"start_scores": np.full(3, np.nan)}, "are inconsistent"),
        ({"best_iteration": 4}, "are inconsistent"),
        ({"best_iteration": -2}, "are inconsistent"),
        ({"objective": {"name": "softmax", "magic": 1}}, "options it does not have"),
        ({"objective": {"name": "softmax", "shifts": [[1.0, 2.0, 3.0]]}}, "has no shifts"),
        ({"objective": {"name": "quantile", "quantile": [0.1, 0.5, 0.9], "shifts": [[1.0]]}}, ""),
        ({"schema": {"names": ["a"], "named": True, "kinds": ["magic"]}}, "schema"),
    ],
)
def test_what_does_not_fit(change: dict[str, Any], message: str) -> None:
    parts = replace(decode(MODEL.to_bytes()), **change)
    with pytest.raises(ModelFileError, match=message or "damaged"):
        fields_of(parts)


LEVELS = random_model(1, n_features=3, n_levels=(0, 3, 200), n_iterations=6)


def changed_levels(kinds: list[str], levels: dict[str, list[int]]) -> Any:
    parts = decode(LEVELS.to_bytes())
    schema = {**parts.schema, "kinds": kinds, "levels": levels}
    return replace(parts, schema=schema)


def test_sets_fit_the_levels_of_their_columns() -> None:
    kinds, few, many = ["numeric", "category", "category"], list(range(3)), list(range(200))
    sound = changed_levels(kinds, {"column 1": few, "column 2": many})
    assert fields_of(sound)["schema"] == LEVELS.schema
    for wrong in (
        changed_levels(kinds, {"column 1": few, "column 2": many[:150]}),  # levels that are gone
        changed_levels(["numeric", "category", "numeric"], {"column 1": few}),  # sets of numbers
        changed_levels(["numeric"] * 3, {}),
        changed_levels(  # thresholds of levels
            ["category"] * 3, {"column 0": few, "column 1": few, "column 2": many}
        ),
    ):
        with pytest.raises(ModelFileError, match="do not fit the levels of its categorical"):
            fields_of(wrong)
