"""LightGBM text files as their users load them."""

from __future__ import annotations

from pathlib import Path

import lightgbm
import numpy as np
from exported_models import TABLE, classifier


def test_lightgbm_reads_categories_of_a_frame(tmp_path: Path) -> None:
    model = classifier()
    model.export(tmp_path / "model.txt", format="lightgbm")
    booster = lightgbm.Booster(model_file=tmp_path / "model.txt")
    frame = TABLE.assign(code=TABLE.code.astype("category"))
    assert np.abs(booster.predict(frame) - model.predict_proba(TABLE)).max() < 1e-14
    assert booster.feature_name() == ["size", "city", "code"]
    assert booster.num_trees() == 30
    again = lightgbm.Booster(model_str=booster.model_to_string())
    assert (again.predict(frame) == booster.predict(frame)).all()
