"""load_model of the class and of an instance."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ceiba

X = np.random.default_rng(0).normal(size=(60, 3))
Y = (X[:, 0] > 0).astype(int)
KINDS = [name for name in ceiba.__all__ if name.endswith(("Regressor", "Classifier", "Ranker"))]


@pytest.mark.parametrize("name", KINDS)
def test_the_class_loads_a_new_estimator(name: str, tmp_path: Path) -> None:
    kind: Any = getattr(ceiba, name)
    more = {"qid": np.arange(60) // 6} if name == "CeibaRanker" else {}
    fitted = kind().fit(X, Y, **more)
    path = tmp_path / "model"
    fitted.save_model(path)
    loaded = kind.load_model(path)
    assert type(loaded) is kind
    assert loaded.get_params() == kind().get_params()
    assert loaded.fingerprint() == fitted.fingerprint()
    np.testing.assert_array_equal(loaded.predict(X), fitted.predict(X))
    own = kind()
    assert own.load_model(path) is own
    assert own.fingerprint() == fitted.fingerprint()


def test_it_looks_like_a_method() -> None:
    load = ceiba.CeibaClassifier.load_model
    assert "Read a model file" in str(inspect.getdoc(load))
    assert load.__name__ == "load_model"


def test_derived_classes_load_themselves(tmp_path: Path) -> None:
    class Own(ceiba.CeibaRegressor):
        pass

    Own(n_estimators=2).fit(X, Y).save_model(tmp_path / "model")
    assert type(Own.load_model(tmp_path / "model")) is Own
