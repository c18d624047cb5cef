"""Tables and estimators that the tests of hybrids share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ceiba import (
    BoostedLinearClassifier,
    BoostedLinearRegressor,
    EnhancedForestClassifier,
    EnhancedForestRegressor,
    LinearTreeClassifier,
    LinearTreeRegressor,
)

REGRESSORS: tuple[Any, ...] = (
    LinearTreeRegressor(max_depth=2),
    EnhancedForestRegressor(n_estimators=5),
    BoostedLinearRegressor(n_estimators=3),
)
CLASSIFIERS: tuple[Any, ...] = (
    LinearTreeClassifier(max_depth=2),
    EnhancedForestClassifier(n_estimators=5),
    BoostedLinearClassifier(n_estimators=3),
)
HYBRIDS = (*REGRESSORS, *CLASSIFIERS)


def mixed_frame(n: int = 300, seed: int = 0) -> pd.DataFrame:
    """Return a table with numbers, categories and missing values."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": random.normal(50, 10, size=n),
            "income": random.gamma(2.0, 20.0, size=n),
            "city": random.choice(["lima", "oslo", "rome"], size=n),
            "same": 3.0,
        }
    )
    frame["twice"] = 2.0 * frame.age
    frame.loc[random.random(n) < 0.1, "income"] = np.nan
    frame.loc[random.random(n) < 0.1, "city"] = None
    return frame


def mixed_target(frame: pd.DataFrame, seed: int = 1) -> np.ndarray:
    """Return numbers whose slope changes with a column."""
    noise = np.random.default_rng(seed).normal(size=len(frame))
    slope = np.where(frame.age > 52, 0.5, -0.3)
    wealth = frame.income.fillna(60.0)
    y: np.ndarray = (slope * wealth + 5.0 * (frame.city == "rome") + noise).to_numpy()
    return y


def target_for(hybrid: Any, y: np.ndarray, n_classes: int = 2) -> Any:
    """Return the numbers, or classes of them where the hybrid has such."""
    if not hasattr(hybrid, "predict_proba"):
        return y
    labels = np.array(["high", "low", "middle"])
    return labels[np.digitize(y, np.quantile(y, np.arange(1, n_classes) / n_classes))]
