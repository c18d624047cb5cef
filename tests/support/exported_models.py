"""Table and models that the tests of exports share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import ceiba

__all__ = ["LABELS", "N", "TABLE", "Y", "classifier", "regressor"]

RANDOM = np.random.default_rng(3)
N = 500
TABLE = pd.DataFrame(
    {
        "size": RANDOM.normal(size=N),
        "city": pd.Categorical(RANDOM.choice(["lima", "oslo", "*/ @NAME@", "zürich"], N)),
        "code": RANDOM.integers(-5, 20, N),
    }
)
TABLE.loc[::9, "size"] = np.nan
TABLE.loc[::13, "city"] = np.nan
Y = TABLE["size"].fillna(1) + (TABLE.city == "oslo") + np.sin(TABLE.code)
LABELS = np.array(["low", "middle", "high"])[np.digitize(Y, [-0.5, 0.8])]


def regressor(**parameters: Any) -> Any:
    given = {"n_estimators": 10, "categorical_features": ["code"], **parameters}
    return ceiba.CeibaRegressor(**given).fit(TABLE, Y)


def classifier(**parameters: Any) -> Any:
    given = {"n_estimators": 10, "categorical_features": ["code"], **parameters}
    return ceiba.CeibaClassifier(**given).fit(TABLE, LABELS)
