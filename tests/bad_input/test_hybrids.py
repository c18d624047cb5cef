"""Tables and parameters that hybrids cannot use: each has a clear error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from bad_input import FRAME, LABELS, BadCall, X, Y, check_error, each_of
from scipy import sparse

from ceiba import (
    BoostedLinearClassifier,
    BoostedLinearRegressor,
    EnhancedForestClassifier,
    EnhancedForestRegressor,
    LinearTreeClassifier,
    LinearTreeRegressor,
)

REGRESSORS: dict[str, Callable[..., Any]] = {
    "tree": lambda **given: LinearTreeRegressor(**given),
    "forest": lambda **given: EnhancedForestRegressor(n_estimators=2, **given),
    "boosted": lambda **given: BoostedLinearRegressor(n_estimators=1, **given),
}
CLASSIFIERS: dict[str, Callable[..., Any]] = {
    "tree": lambda **given: LinearTreeClassifier(**given),
    "forest": lambda **given: EnhancedForestClassifier(n_estimators=2, **given),
    "boosted": lambda **given: BoostedLinearClassifier(n_estimators=1, **given),
}


def infinite(value: float) -> Any:
    changed = FRAME.copy()
    changed.loc[3, "height"] = value
    return changed


def calls_of(name: str, make: Callable[..., Any]) -> list[BadCall]:
    """Return what is wrong with every hybrid for numbers."""

    def fitted() -> Any:
        return make().fit(FRAME, Y)

    return [
        (f"{name}: infinite value", lambda: make().fit(infinite(np.inf), Y), ValueError,
         "Column 'height' must hold finite numbers"),
        (f"{name}: infinite value at predict", lambda: fitted().predict(infinite(-np.inf)),
         ValueError, "Column 'height' must hold finite numbers"),
        (f"{name}: missing linear column at predict",
         lambda: make(linear_features=["weight"]).fit(FRAME, Y).predict(FRAME[["age", "height"]]),
         ValueError, "now missing:\n- weight"),
        (f"{name}: one column too few", lambda: make().fit(X, Y).predict(X[:, :2]), ValueError,
         "X has 2 features"),
        (f"{name}: columns reordered", lambda: fitted().predict(FRAME[["weight", "age", "height"]]),
         ValueError, "same order"),
        (f"{name}: no rows", lambda: make().fit(X[:0], Y[:0]), ValueError, "0 sample"),
        (f"{name}: a row that lacks a column",
         lambda: fitted().predict({"age": 1.0, "height": 2.0}), ValueError,
         "Missing column 'weight'"),
        (f"{name}: only weights of zero", lambda: make().fit(X, Y, np.zeros(60)), ValueError,
         "only zeros"),
        (f"{name}: negative weight", lambda: make().fit(X, Y, -np.ones(60)), ValueError, "Got -1"),
        (f"{name}: target of text", lambda: make().fit(X, LABELS), ValueError, "must hold numbers"),
        (f"{name}: target missing", lambda: make().fit(X, np.full(60, np.nan)), ValueError, "NaN"),
        (f"{name}: several targets", lambda: make().fit(X, X), ValueError, "one target"),
        (f"{name}: fewer targets", lambda: make().fit(X, Y[:9]), ValueError, "60 rows of X and 9"),
        (f"{name}: sparse rows", lambda: make().fit(sparse.csr_matrix(X), Y), TypeError,
         "needs dense data"),
        (f"{name}: unknown penalty", lambda: make(penalty="l0").fit(X, Y), ValueError,
         "penalty must be one of 'none', 'ridge'"),
        (f"{name}: negative alpha", lambda: make(alpha=-1).fit(X, Y), ValueError,
         "alpha must be a finite number, 0 or more"),
        (f"{name}: unknown column", lambda: make(linear_features=["agee"]).fit(FRAME, Y),
         ValueError, "Did you mean 'age'"),
        (f"{name}: a column that is none", lambda: make(linear_features=[0.5]).fit(FRAME, Y),
         ValueError, "by name or position"),
        (f"{name}: numbers too large", lambda: make().fit(X * 1e200, Y), ValueError,
         "larger numbers"),
    ]  # fmt: skip


ERRORS: list[BadCall] = [
    *(entry for name, make in REGRESSORS.items() for entry in calls_of(name, make)),
    *(
        (f"{name}: {what}", call, ValueError, message)
        for name, make in CLASSIFIERS.items()
        for what, call, message in (
            ("one class", lambda make=make: make().fit(X, np.ones(60)), "at least 2 classes"),
            ("C of zero", lambda make=make: make(C=0).fit(X, LABELS), "C must be a finite number"),
            (
                "unknown class weight",
                lambda make=make: make(class_weight={"maybe": 1}).fit(X, LABELS),
                "'maybe'",
            ),
            ("numbers for labels", lambda make=make: make().fit(X, Y), "Unknown label type"),
        )
    ),
    (
        "rules: an unknown loss",
        lambda: BoostedLinearRegressor(loss="huber").fit(X, Y),
        ValueError,
        "loss must be one of 'linear', 'squared', 'exponential', 'poisson'",
    ),
    (
        "rules: counts below zero",
        lambda: BoostedLinearRegressor(loss="poisson").fit(X, Y),
        ValueError,
        "needs y >= 0",
    ),
    (
        "forest: more folds than rows",
        lambda: EnhancedForestRegressor(alpha=[1, 2], n_folds=61).fit(X, Y),
        ValueError,
        "n_folds=61 needs at least 61 distinct rows. Got 60",
    ),
    (
        "tree: no column to split",
        lambda: LinearTreeRegressor(split_features=["shoe"]).fit(FRAME, Y),
        ValueError,
        "split_features must name columns",
    ),
    (
        "tree: a share of rows above 1",
        lambda: LinearTreeRegressor(min_samples_leaf=1.5).fit(X, Y),
        ValueError,
        "min_samples_leaf must be an integer",
    ),
]


@each_of(ERRORS)
def test_bad_calls(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    check_error(call, kind, message)


@pytest.mark.parametrize("make", REGRESSORS.values(), ids=REGRESSORS)
def test_odd_columns_are_no_errors(make: Callable[..., Any]) -> None:
    """Constant columns, collinear ones, fewer rows than columns: models that can still be had."""
    constant = FRAME.assign(same=1.0)
    collinear = FRAME.assign(twice=2 * FRAME.age, again=FRAME.age)
    for table in (constant, collinear, constant.iloc[:4], FRAME.iloc[:2]):
        fitted = make(penalty="none").fit(table, Y[: len(table)])
        assert np.isfinite(fitted.predict(table)).all()
