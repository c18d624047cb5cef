"""Recorded settings of the hybrids: an estimator, its parameters, and the table to fit.

Hybrids solve linear systems by LAPACK, whose last bits differ between processors. Their recorded
predictions are therefore compared to nine digits and not bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from recorded_tables import NEW_ROWS, as_frame, make_table, make_target, make_weight

import ceiba

__all__ = ["HYBRIDS", "predictions_of"]

Setting = dict[str, Any]

REGRESSORS: dict[str, Setting] = {
    "LinearTreeRegressor": {"max_depth": 3},
    "EnhancedForestRegressor": {"n_estimators": 6},
    "BoostedLinearRegressor": {"n_estimators": 4},
}
CLASSIFIERS: dict[str, Setting] = {
    "LinearTreeClassifier": {"max_depth": 2},
    "EnhancedForestClassifier": {"n_estimators": 6},
    "BoostedLinearClassifier": {"n_estimators": 4},
}


ROWS = (("mixed", "none"), ("mixed", "whole"), ("categories", "real"))


def settings() -> Iterator[Setting]:
    """Every hybrid on numbers and on categories, with and without weights."""
    for kinds, targets in ((REGRESSORS, ("real",)), (CLASSIFIERS, ("binary", "three classes"))):
        for (name, params), target, (table, weight) in product(kinds.items(), targets, ROWS):
            yield {
                "name": f"{name}, {target}, {table}, weights {weight}",
                "estimator": name,
                "params": params,
                "table": table,
                "target": target,
                "weight": weight,
            }


HYBRIDS = tuple(settings())


def rows_of(setting: Setting, n_rows: int, first: int) -> Any:
    X = make_table(setting["table"], n_rows, first, hidden=True)
    return as_frame(X) if setting["table"] == "categories" else X


def predictions_of(setting: Setting) -> list[float]:
    """Fit the hybrid and return its predictions (probabilities of classes) for eight new rows."""
    y = make_target(setting["target"], setting["table"], 400)
    estimator = getattr(ceiba, setting["estimator"])(**setting["params"])
    estimator.fit(rows_of(setting, 400, 0), y, sample_weight=make_weight(setting["weight"], 400))
    new = rows_of(setting, 8, NEW_ROWS)
    ask = getattr(estimator, "predict_proba", estimator.predict)
    return [float(value) for value in np.ravel(ask(new))]
