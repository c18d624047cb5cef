"""Model files of every format version that was ever released load and predict the same bits."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ceiba.model.file import FORMAT_VERSION
from ceiba.model.model import load_model

FILES = sorted((Path(__file__).parent / "golden").glob("*.ceiba"))


def numbers(texts):
    return np.array([[float.fromhex(text) for text in row] for row in texts])


def test_this_version_has_golden_files():
    assert sum(path.name.startswith(f"v{FORMAT_VERSION}_") for path in FILES) >= 5


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_file(path, tmp_path):
    expected = json.loads(path.with_suffix(".json").read_text())
    model = load_model(path)
    assert model.fingerprint() == expected["fingerprint"]
    assert model.objective.name == expected["objective"]
    assert (None if model.classes is None else model.classes.tolist()) == expected["classes"]
    X = numbers(expected["rows"])
    predictions = numbers(expected["predictions"])
    for one_way in (X, X.astype(object)):  # straight to the core, and as a table
        np.testing.assert_array_equal(np.atleast_2d(model.predict(one_way)), predictions)
    for row in range(3):  # few rows take another path
        one = np.atleast_2d(model.predict(X[row : row + 1]))
        part = predictions[row : row + 1] if model.n_outputs > 1 else predictions[:, row : row + 1]
        np.testing.assert_array_equal(one, part)
    model.save(tmp_path / "again.ceiba")
    assert load_model(tmp_path / "again.ceiba").fingerprint() == expected["fingerprint"]
