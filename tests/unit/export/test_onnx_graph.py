"""ONNX graphs as their users run them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from exported_models import TABLE, Y, classifier

import ceiba


def test_a_graph_of_columns_takes_text_and_integers(tmp_path: Path) -> None:
    model = classifier()
    model.export(tmp_path / "model.onnx", format="onnx")
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx")
    assert [own.name for own in session.get_inputs()] == ["size", "city", "code"]
    assert [own.type for own in session.get_inputs()] == [
        "tensor(double)", "tensor(string)", "tensor(int64)",
    ]  # fmt: skip
    feed = {
        "size": TABLE[["size"]].to_numpy(),
        "city": TABLE[["city"]].astype(object).fillna("").to_numpy(),
        "code": TABLE[["code"]].to_numpy(),
    }
    label, probabilities = session.run(["label", "probabilities"], feed)
    assert (label == model.predict(TABLE)).all()
    assert np.abs(probabilities - model.predict_proba(TABLE)).max() < 1e-14


def test_a_matrix_takes_integer_categories(tmp_path: Path) -> None:
    X = TABLE[["size", "code"]].to_numpy()
    model = ceiba.CeibaRegressor(n_estimators=10, categorical_features=[1]).fit(X, Y)
    model.export(tmp_path / "model.onnx", format="onnx", inputs="matrix", dtype="float32")
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx")
    found = session.run(["variable"], {"X": X.astype(np.float32)})[0][:, 0]
    expected = model.predict(X.astype(np.float32))
    assert np.abs(found - expected).max() < 1e-5 * expected.std()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("labels", ["text", "numbers", "flags"])
def test_labels_keep_their_type(labels: str, dtype: Any, tmp_path: Path) -> None:
    every = {
        "text": np.where(Y > 0, "yes", "no"),
        "numbers": np.where(Y > 0, 7, 3),
        "flags": (Y > 0).to_numpy(),
    }
    X = TABLE[["size", "code"]].to_numpy()
    model = ceiba.CeibaClassifier(n_estimators=5).fit(X, every[labels])
    model.export(tmp_path / "x.onnx", format="onnx", inputs="matrix", dtype=dtype)
    session = onnxruntime.InferenceSession(tmp_path / "x.onnx")
    label, probabilities = session.run(None, {"X": X.astype(dtype)})
    assert (label == model.predict(X.astype(dtype))).all()
    assert np.abs(probabilities - model.predict_proba(X.astype(dtype))).max() < 1e-6


def test_two_scores_of_two_classes_stay_two(tmp_path: Path) -> None:
    X = TABLE[["size", "code"]].to_numpy().astype(np.float32)
    target = (Y > 0).to_numpy().astype(float)
    model = ceiba.train({"objective": "softmax", "n_estimators": 5}, ceiba.Dataset(X, target))
    check = model.export(tmp_path / "x.onnx", format="onnx", inputs="matrix", dtype="float32")
    assert check.difference < 1e-6
