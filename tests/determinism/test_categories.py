"""One fingerprint of a model with categories: threads, blocks, order of rows and dictionaries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ceiba import Dataset, train

N = 3000
RANDOM = np.random.default_rng(3)
CODES = RANDOM.integers(0, 300, N)
WORDS = np.array([f"level {k:03d}" for k in range(300)])
FRAME = pd.DataFrame(
    {
        "many": np.where(RANDOM.random(N) < 0.1, None, WORDS[CODES]),
        "few": RANDOM.choice(["a", "b", "c"], N),
        "x": RANDOM.normal(size=N),
    }
)
Y = RANDOM.normal(size=300)[CODES] + (FRAME["few"] == "b") + RANDOM.normal(size=N)


def shuffled_dictionaries(frame: Any) -> Any:
    order = np.random.default_rng(1).permutation([*WORDS, "never", "seen"])
    return frame.assign(many=pd.Categorical(frame["many"], order))


@pytest.mark.parametrize("recipe", ["auto", "lightgbm", "xgboost", "histgb", "gbm"])
@pytest.mark.parametrize("policy", ["leafwise", "symmetric"])
def test_one_model(recipe: str, policy: str) -> None:
    given = {"recipe": recipe, "grow_policy": policy, "n_estimators": 4, "max_depth": 4}
    given |= {"early_stopping_rounds": 0, "categorical": "subset"}
    shuffle = RANDOM.permutation(N)
    halves = [(FRAME[:1000], Y[:1000]), (pl.from_pandas(FRAME[1000:]), Y[1000:])]
    forms = {
        "rows": (Dataset(FRAME, Y), 1),
        "two threads": (Dataset(FRAME, Y), 2),
        "blocks": (Dataset.from_blocks(halves), 2),
        "another order": (Dataset(FRAME.iloc[shuffle], Y.iloc[shuffle]), 2),
        "dictionaries": (Dataset(shuffled_dictionaries(FRAME), Y), 1),
    }
    found = {
        name: train({**given, "n_jobs": n_jobs}, rows).fingerprint()
        for name, (rows, n_jobs) in forms.items()
    }
    assert len(set(found.values())) == 1, found


@pytest.mark.parametrize("objective", ["squared_error", "logistic", "softmax"])
@pytest.mark.parametrize("permutations", [1, 3])
def test_one_model_of_target_statistics(objective: str, permutations: int) -> None:
    """All but the order of rows, which the statistics of a row are keyed by."""
    given = {"objective": objective, "categorical": "target", "n_estimators": 4}
    given |= {"target_permutations": permutations, "max_combination": 3}
    y = np.digitize(Y, [-1, 1]) if objective == "softmax" else Y
    y = (Y > 0).astype(float) if objective == "logistic" else y
    cut = [(FRAME[:1000], y[:1000]), (pl.from_pandas(FRAME[1000:]), y[1000:])]
    forms = {
        "rows": (Dataset(FRAME, y), 1),
        "two threads": (Dataset(FRAME, y), 2),
        "blocks": (Dataset.from_blocks(cut), 3),
        "dictionaries": (Dataset(shuffled_dictionaries(FRAME), y), 2),
    }
    found = {
        name: train({**given, "n_jobs": n_jobs}, rows).fingerprint()
        for name, (rows, n_jobs) in forms.items()
    }
    assert len(set(found.values())) == 1, found
