"""Estimators and ``ceiba.train`` make the same model from the same settings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import ceiba
from ceiba import CeibaError, Dataset
from ceiba.objectives import find_objective, objective_names
from ceiba.parameters import RECIPE_NAMES

N = 160
RANDOM = np.random.default_rng(7)
FRAME = pd.DataFrame(RANDOM.normal(size=(N, 3)), columns=["a", "b", "c"])
FRAME["d"] = pd.Categorical(RANDOM.choice(["x", "y", "z", "w", "v"], size=N))
SIGNAL = FRAME["a"].to_numpy() + (FRAME["d"] == "x").to_numpy()
BINARY = (SIGNAL > 0.2).astype(float)
THREE = np.digitize(SIGNAL, [-0.4, 0.6]).astype(float)
POSITIVE = np.exp(0.5 * SIGNAL)
QUERIES = np.arange(N) // 8
TARGETS = {"binary": BINARY, "multiclass": THREE, "ranking": THREE, "regression": POSITIVE}
ESTIMATORS = {
    "binary": ceiba.CeibaClassifier,
    "multiclass": ceiba.CeibaClassifier,
    "ranking": ceiba.CeibaRanker,
    "regression": ceiba.CeibaRegressor,
}


def outcome(make: Any) -> str:
    """Return the fingerprint of a model, or the error."""
    try:
        return str(make().fingerprint())
    except CeibaError as error:
        return f"{type(error).__name__}: {error}"


def both(objective: str, frame: Any, target: Any, **given: Any) -> tuple[str, str]:
    """Return the outcomes of an estimator and of ``train``."""
    task = find_objective(objective).task
    params = {"objective": objective, "n_jobs": 1, **given}
    queries = {"qid": np.arange(len(target)) // 8} if task == "ranking" else {}
    estimator = ESTIMATORS[task](**params)
    fitted = outcome(lambda: estimator.fit(frame, target, **queries).model_)
    return fitted, outcome(lambda: ceiba.train(params, Dataset(frame, target, **queries)))


@pytest.mark.parametrize("recipe", RECIPE_NAMES)
@pytest.mark.parametrize("objective", objective_names())
def test_every_recipe_and_objective(recipe: str, objective: str) -> None:
    target = TARGETS[find_objective(objective).task]
    if objective == "cross_entropy":
        target = POSITIVE / POSITIVE.max()
    fitted, trained = both(objective, FRAME, target, recipe=recipe, n_estimators=4)
    assert fitted == trained
    if ":" in fitted:  # a combination without meaning is refused in both places
        assert recipe in ("catboost", "forest", "tree", "dart", "plgb"), fitted


STOPPING: list[dict[str, Any]] = [
    {"early_stopping_rounds": 2, "validation_fraction": 0.25},
    {"early_stopping_rounds": "auto"},
    {"early_stopping_rounds": "auto", "validation_fraction": 0.3},
    {"recipe": "histgb"},
    {"recipe": "catboost", "early_stopping_rounds": 3, "validation_fraction": 0.2},
]


@pytest.mark.parametrize("n_rows", [N, 10_400])
@pytest.mark.parametrize("given", STOPPING, ids=str)
@pytest.mark.parametrize("objective", ["quantile", "logistic", "softmax", "lambdarank_ndcg"])
def test_early_stopping_holds_out_the_same_rows(
    objective: str, given: dict[str, Any], n_rows: int
) -> None:
    times = n_rows // N
    frame = pd.concat([FRAME] * times, ignore_index=True)
    frame["a"] += np.arange(len(frame)) * 1e-3
    target = np.tile(TARGETS[find_objective(objective).task], times)
    fitted, trained = both(objective, frame, target, n_estimators=6, **given)
    assert fitted == trained
    assert ":" not in fitted


def test_zero_weights_and_classes_do_not_change_held_out_rows() -> None:
    weights = np.where(np.arange(N) % 7 == 0, 0.0, 1.0 + np.arange(N) % 3)
    given = {"early_stopping_rounds": 2, "validation_fraction": 0.3, "n_estimators": 20}
    given |= {"objective": "softmax"}
    fitted = ceiba.CeibaClassifier(**given).fit(FRAME, THREE, weights).model_
    trained = ceiba.train(given, Dataset(FRAME, THREE, weight=weights))
    assert fitted.fingerprint() == trained.fingerprint()
    assert list(trained.history) == ["validation"]


def test_a_number_of_rounds_needs_an_eval_set_or_a_fraction() -> None:
    rows = Dataset(FRAME, POSITIVE)
    with pytest.raises(CeibaError, match=r"needs an eval set.*validation_fraction"):
        ceiba.train({"early_stopping_rounds": 5, "recipe": "single"}, rows)
    model = ceiba.train({"early_stopping_rounds": 5, "validation_fraction": 0.2}, rows, 8)
    assert list(model.history) == ["validation"]
