"""Exports of hybrids."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pytest
from hybrid_cases import mixed_frame, mixed_target, target_for
from sklearn.base import clone

import ceiba

FRAME = mixed_frame()
Y = mixed_target(FRAME)
HYBRIDS: dict[str, tuple[Any, int]] = {
    "linear tree": (ceiba.LinearTreeRegressor(max_depth=2), 0),
    "logistic tree": (ceiba.LinearTreeClassifier(max_depth=2), 2),
    "logistic tree of three classes": (
        ceiba.LinearTreeClassifier(max_depth=0), 3
    ),
    "boosted linear": (ceiba.BoostedLinearRegressor(n_estimators=3), 0),
    "boosted logistic": (ceiba.BoostedLinearClassifier(n_estimators=3), 3),
    "enhanced forest": (ceiba.EnhancedForestRegressor(n_estimators=5), 0),
}  # fmt: skip


@pytest.mark.parametrize("format", ["onnx", "c", "python"])
@pytest.mark.parametrize("name", HYBRIDS)
def test_hybrids_are_exported(name: str, format: Any, tmp_path: Path) -> None:
    hybrid, n_classes = HYBRIDS[name]
    model = clone(hybrid).fit(FRAME, target_for(hybrid, Y, n_classes) if n_classes else Y)
    assert model.export(tmp_path / "x", format=format).relative < 1e-13


@pytest.mark.parametrize("name", ["linear tree", "boosted linear", "enhanced forest"])
def test_hybrids_of_numbers_are_lightgbm_models(name: str, tmp_path: Path) -> None:
    hybrid, _ = HYBRIDS[name]
    model = clone(hybrid).set_params(linear_features=["age", "income"]).fit(FRAME, Y)
    assert model.export(tmp_path / "x.txt", format="lightgbm").relative < 1e-13
    booster = lightgbm.Booster(model_file=tmp_path / "x.txt")
    rows = FRAME.assign(city=FRAME.city.astype("category"))
    assert np.abs(booster.predict(rows) - model.predict(FRAME)).max() < 1e-9


def test_a_class_without_rows_in_a_leaf_keeps_its_probability(tmp_path: Path) -> None:
    labels = np.where(FRAME.age > 50, "old", "young")
    model = ceiba.LinearTreeClassifier(max_depth=1).fit(FRAME[["age"]], labels)
    assert (model.predict_proba(FRAME[["age"]]) > 0).all()
    assert model.export(tmp_path / "x.c", format="c").difference < 1e-15
