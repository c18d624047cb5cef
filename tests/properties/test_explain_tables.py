"""SHAP values add up to raw scores on a thousand rows of every public table."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ceiba import Dataset, Model, train

DATA = Path(os.environ.get("CEIBA_BENCH_DATA", Path(__file__).parents[3] / "shared" / "data"))
TABLES: list[dict[str, Any]] = (
    json.loads((DATA / "datasets.json").read_text())["datasets"]
    if (DATA / "datasets.json").exists()
    else []
)


def trained(entry: dict[str, Any]) -> tuple[Model, pd.DataFrame]:
    """A small model of a table, and a thousand of its rows."""
    frame = pd.read_parquet(DATA / next(iter(entry["files"].values())))[:3000]
    if isinstance(entry["group"], str):
        frame = frame.drop(columns=entry["group"])
    X, y = frame.drop(columns=entry["target"]), frame[entry["target"]]
    params: dict[str, Any] = {"n_estimators": 8}
    if entry["task"] in ("binary", "multiclass"):
        y = pd.Series(np.unique(y.astype(str), return_inverse=True)[1])
        n_classes = int(y.max()) + 1
        params["objective"] = "logistic" if n_classes == 2 else "softmax"
        if n_classes > 2:
            params["n_classes"] = n_classes
    return train(params, Dataset(X, y.to_numpy(dtype=np.float64))), X[:1000]


@pytest.mark.skipif(not TABLES, reason="the public tables (../shared/data) are not there")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("entry", TABLES, ids=lambda entry: entry["name"])
def test_values_add_up_on_public_tables(entry: dict[str, Any]) -> None:
    model, X = trained(entry)
    raw = model.predict_raw(X)
    allowed = 1e-9 * float(np.abs(raw).max())
    # Combinations of categories have no values with a background, and no interactions.
    combined = any(len(sources) > 1 for sources in model.schema.engine_sources)
    for how in ({}, *([] if combined else [{"background": X[:100]}])):
        explanation = model.explain(X, **how)
        total = explanation.base_values + explanation.values.sum(axis=1)
        np.testing.assert_allclose(total, raw, rtol=0, atol=allowed)
    if X.shape[1] <= 100 and not combined:
        few = X[:50]
        pairs = model.explain(few, interactions=True).values
        alone = model.explain(few).values
        np.testing.assert_allclose(pairs.sum(axis=2), alone, rtol=0, atol=allowed)
