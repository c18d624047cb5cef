"""Odd values for arguments of every entry point: whatever is refused is refused by an own error."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from bad_input import X, Y, regressor

from ceiba import CeibaError, CeibaRanker, Dataset, EarlyStopping, cv, explain, refit, train

ROWS = Dataset(X, Y)
PARAMS = {"n_estimators": 2, "n_jobs": 1}
MODEL = train(PARAMS, ROWS)
FITTED = regressor().fit(X, Y)
QUERIES = np.repeat(np.arange(6), 10)

ODD: list[Any] = [
    True, -1, 2.5, 10**400, np.nan, "", "a", b"a", [], [[1]], [None], (), {}, {None: None}, {1, 2},
    np.array(3), np.array([]), np.array([1, 2]), np.zeros((2, 2)), pd.NA, pd.NaT, Decimal("sNaN"),
    1j, int, Ellipsis, pd.Series([1, 2]), pd.DataFrame({"a": [1]}), np.ma.masked, "[" * 5000,
    np.array(["a", None], dtype=object),
]  # fmt: skip

CALLS: dict[str, Callable[[Any], Any]] = {
    "X": lambda v: regressor().fit(v, Y),
    "y": lambda v: regressor().fit(X, [v] * 60),
    "weights": lambda v: regressor().fit(X, Y, sample_weight=v),
    "eval_set": lambda v: regressor().fit(X, Y, eval_set=v),
    "callbacks": lambda v: regressor().fit(X, Y, callbacks=v),
    "answer": lambda v: regressor().fit(X, Y, callbacks=[lambda round: v]),
    "metric": lambda v: regressor(eval_metric=lambda y, p: v).fit(X, Y, eval_set=[(X, Y)]),
    "named metric": lambda v: regressor(eval_metric=lambda y, p: ("m", v, True)).fit(
        X, Y, eval_set=[(X, Y)]
    ),
    "objective": lambda v: regressor(objective=lambda y, p: (v, v)).fit(X, Y),
    "rate": lambda v: regressor(learning_rate=lambda number: v).fit(X, Y),
    "n_jobs": lambda v: FITTED.predict(X, n_jobs=v),
    "rounds": lambda v: FITTED.predict(X, iteration_range=(v, v)),
    "raw_score": lambda v: FITTED.predict(X, raw_score=v),
    "one row": lambda v: MODEL.predict([v, 1.0, 2.0]),
    "names": lambda v: Dataset(X, Y, feature_names=v),
    "categories": lambda v: Dataset(X, Y, categorical_features=v),
    "eval_sets": lambda v: train(PARAMS, ROWS, eval_sets=v),
    "evals": lambda v: train(PARAMS, ROWS, evals=v),
    "valid_names": lambda v: train(PARAMS, ROWS, valid_sets=[ROWS], valid_names=v),
    "evals_result": lambda v: train(PARAMS, ROWS, eval_sets=[ROWS], evals_result=v),
    "constraints": lambda v: train({**PARAMS, "interaction_constraints": v}, ROWS),
    "directions": lambda v: train({**PARAMS, "monotone_constraints": v}, ROWS),
    "folds": lambda v: cv(PARAMS, ROWS, folds=v),
    "decay_rate": lambda v: refit(MODEL, ROWS, decay_rate=v),
    "kind": lambda v: MODEL.importances(v),
    "output": lambda v: MODEL.explain(X, output=v),
    "columns": lambda v: explain.partial_dependence(MODEL, X, v),
    "grid": lambda v: explain.partial_dependence(MODEL, X, [0], grid=v),
    "points": lambda v: explain.partial_dependence(MODEL, X, [0], grid={"f0": v}),
    "tolerance": lambda v: EarlyStopping(3, v),
    "qid": lambda v: CeibaRanker(**PARAMS).fit(X, np.arange(60) % 3, qid=v),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("ignore")
def test_odd_values_are_accepted_or_refused_by_own_errors(name: str) -> None:
    for value in ODD:
        with suppress(CeibaError):
            CALLS[name](value)
