"""The mean of models: its raw scores are the mean of theirs, at every stage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ceiba
from ceiba import Dataset
from ceiba.model.mean import mean_of_models

RANDOM = np.random.default_rng(0)
N = 240
TABLE = pd.DataFrame(RANDOM.normal(size=(N, 3)), columns=list("abc"))
TABLE["city"] = [f"c{k}" for k in RANDOM.integers(0, 70, N)]
TABLE["shop"] = [f"s{k}" for k in RANDOM.integers(0, 70, N)]
TARGET = TABLE["a"].to_numpy() * 2 + RANDOM.normal(size=N)
PARAMETERS: dict[str, Any] = {}

shapes = st.fixed_dictionaries(
    {
        "n_estimators": st.integers(1, 7),
        "grow_policy": st.sampled_from(["leafwise", "depthwise", "symmetric"]),
        "leaf_model": st.sampled_from(["constant", "linear"]),
        "subsample": st.sampled_from([0.5, 0.8]),
        "num_parallel_tree": st.integers(1, 2),
        "max_depth": st.integers(1, 4),
    }
)


@settings(max_examples=20, deadline=None)
@given(kinds=st.lists(shapes, min_size=1, max_size=4), classes=st.integers(1, 3))
def test_raw_scores_are_the_mean_at_every_stage(kinds: list[dict[str, Any]], classes: int) -> None:
    more = {"objective": "softmax", "n_classes": classes} if classes > 1 else {}
    target = np.digitize(TARGET, [-1.0, 1.0][: classes - 1]) if classes > 1 else TARGET
    rows = Dataset(TABLE, target)
    models = [ceiba.train({**kind, **more}, rows) for kind in kinds]
    mean = mean_of_models(models, PARAMETERS)
    assert mean.n_iterations == max(model.n_iterations for model in models)
    for n in range(1, mean.n_iterations + 1):
        parts = [model.truncate(min(n, model.n_iterations)).predict_raw(TABLE) for model in models]
        np.testing.assert_allclose(
            mean.truncate(n).predict_raw(TABLE), np.mean(parts, axis=0), rtol=1e-10, atol=1e-12
        )


def test_combinations_of_categories_of_all_models() -> None:
    rows = Dataset(TABLE, TARGET)
    settings_of = {"n_estimators": 5, "categorical": "target", "max_combination": 2}
    models = [
        ceiba.train({**settings_of, "max_combination": n, "random_state": n}, rows) for n in (1, 2)
    ]
    mean = mean_of_models(models, PARAMETERS)
    expected = np.mean([model.predict_raw(TABLE) for model in models], axis=0)
    np.testing.assert_allclose(mean.predict_raw(TABLE), expected, rtol=1e-10)


def test_one_model_stays_itself() -> None:
    model = ceiba.train({"n_estimators": 3}, Dataset(TABLE, TARGET))
    assert mean_of_models([model], PARAMETERS).fingerprint() == model.fingerprint()


def test_gains_are_averaged() -> None:
    model = ceiba.train({"n_estimators": 4}, Dataset(TABLE, TARGET))
    mean = mean_of_models([model, model], PARAMETERS)
    gains = [m.importances("gain")["gain"].to_numpy() for m in (model, mean)]
    np.testing.assert_allclose(gains[0], gains[1])


@pytest.mark.parametrize("kind", ["one", "vector"])
def test_several_outputs(kind: str) -> None:
    target = np.column_stack([TARGET, -TARGET])
    strategy = "vector_leaf" if kind == "vector" else "one_output_per_tree"
    settings_of = {"n_estimators": 4, "multi_strategy": strategy}
    models = [
        ceiba.train({**settings_of, "max_depth": depth}, Dataset(TABLE, target)) for depth in (2, 3)
    ]
    expected = np.mean([model.predict_raw(TABLE) for model in models], axis=0)
    found = mean_of_models(models, PARAMETERS).predict_raw(TABLE)
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)
