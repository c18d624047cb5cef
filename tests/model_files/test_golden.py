"""Model files of every format version that was ever released load and predict the same bits."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
import safetensors.numpy

from ceiba.model.file import FORMAT_VERSION, decode, encode
from ceiba.model.load import load_model
from ceiba.testing.forests import random_rows

FOLDER = Path(__file__).parent / "golden"
FILES = sorted(FOLDER.glob("*.ceiba"))


def numbers(texts):
    return np.array([[float.fromhex(text) for text in row] for row in texts])


@pytest.mark.parametrize("version", range(1, FORMAT_VERSION + 1))
def test_every_version_has_golden_files(version):
    assert sum(path.name.startswith(f"v{version}_") for path in FILES) >= 3


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_loaded_model_is_saved_as_it_was(path):
    data = path.read_bytes()
    assert encode(decode(data)) == data
    written = safetensors.numpy.load(load_model(path).to_bytes())
    stored = safetensors.numpy.load(data)
    assert set(written) == set(stored)
    for name, array in stored.items():
        np.testing.assert_array_equal(written[name], array)


def test_several_quantiles_of_both_versions_predict_the_same():
    old, new = (load_model(FOLDER / f"v{version}_quantiles.ceiba") for version in (1, 2))
    X = random_rows(1, 300, old.n_features)
    np.testing.assert_array_equal(old.predict(X), new.predict(X))
    np.testing.assert_array_equal(old.predict(X[:2]), new.predict(X[:2]))
    assert (old.n_trees, new.n_trees) == (18, 6)
    leaves = old.apply(X).reshape(300, 6, 3)
    np.testing.assert_array_equal(leaves, np.repeat(new.apply(X)[:, :, None], 3, axis=2))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_file(path, tmp_path):
    expected = json.loads(path.with_suffix(".json").read_text())
    model = load_model(path)
    assert model.fingerprint() == expected["fingerprint"]
    assert model.objective.name == expected["objective"]
    assert (None if model.classes is None else model.classes.tolist()) == expected["classes"]
    predictions = numbers(expected["predictions"])
    if "levels" in path.stem:
        X = expected["rows"]
        frame = pd.DataFrame(X, columns=model.schema.names)
        forms = X, frame, pl.from_pandas(frame), frame[frame.columns[::-1]]
    else:
        X = numbers(expected["rows"])
        forms = X, X.astype(object)  # straight to the core, and as a table
    for one_way in forms:
        np.testing.assert_array_equal(np.atleast_2d(model.predict(one_way)), predictions)
    for row in range(3):  # few rows take another path
        one = np.atleast_2d(model.predict(X[row : row + 1]))
        part = predictions[row : row + 1] if model.n_outputs > 1 else predictions[:, row : row + 1]
        np.testing.assert_array_equal(one, part)
    model.save(tmp_path / "again.ceiba")
    assert load_model(tmp_path / "again.ceiba").fingerprint() == expected["fingerprint"]
