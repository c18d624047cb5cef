"""The parts of a file that do not fit each other make no model."""

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
        ({"start_scores": np.full(3, 1e301)}, "do not fit each other"),
        ({"start_scores": np.full(3, np.nan)}, "do not fit each other"),
        ({"best_iteration": 4}, "do not fit each other"),
        ({"best_iteration": -2}, "do not fit each other"),
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
