"""Parameters, eval sets and columns at predict that are wrong: each has a clear error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from bad_input import (
    FRAME,
    LABELS,
    BadCall,
    X,
    Y,
    check_error,
    classifier,
    each_of,
    model,
    regressor,
)

from ceiba import Dataset, cv, train

RAGGED = [[1.0]] * 59 + [[1.0, 2.0]]

ERRORS: list[BadCall] = [
    # ---- parameters -----------------------------------------------------------------------------
    ("misspelt parameter", lambda: regressor(n_estimator=5), TypeError, "mean 'n_estimators'"),
    ("misspelt in train", lambda: model(learning_rat=1), ValueError, "mean 'learning_rate'"),
    ("alpha", lambda: model(alpha=1), ValueError, "reg_alpha"),
    ("two aliases", lambda: model(eta=0.1, shrinkage=0.2), ValueError, "two names"),
    ("bins below 3", lambda: model(max_bins=2), ValueError, "between 3 and 65535. Got 2"),
    ("bins above 65535", lambda: model(max_bins=65536), ValueError, "Got 65536"),
    ("rounds beyond 2^31", lambda: model(n_estimators=2**31), ValueError, "Got 2147483648"),
    ("leaves beyond 2^31", lambda: model(max_leaves=2**31), ValueError, "Got 2147483648"),
    ("depth beyond 2^31", lambda: model(max_depth=2**31), ValueError, "Got 2147483648"),
    ("leaf rows beyond 2^31", lambda: model(min_samples_leaf=2**40), ValueError, "Got 1099511"),
    ("NaN parameter", lambda: model(learning_rate=np.nan), ValueError, "Got nan"),
    ("a seed below 0", lambda: model(random_state=-1), ValueError, "Got -1"),
    ("no threads", lambda: model(n_jobs=0), ValueError, "Got 0"),
    ("unknown objective", lambda: model(objective="logistik"), ValueError, "logistic"),
    ("unknown metric", lambda: model(eval_metric="accuracies"), ValueError, "accuracy"),
    ("unknown recipe", lambda: model(recipe="catbost"), ValueError, "one of 'auto'"),
    (
        "a depth of 2^40 leaves",
        lambda: model(grow_policy="symmetric", max_depth=40),
        ValueError,
        "doubles",
    ),
    (
        "base_score that is no probability",
        lambda: classifier(base_score=2.0).fit(X, LABELS),
        ValueError,
        "base_score",
    ),
    # ---- eval sets ------------------------------------------------------------------------------
    (
        "unknown class in an eval set",
        lambda: classifier().fit(X, LABELS, eval_set=[(X, np.full(60, "maybe"))]),
        ValueError,
        "'maybe'",
    ),
    (
        "more classes in an eval set",
        lambda: train(
            {"objective": "softmax"},
            Dataset(X, np.arange(60) % 3.0),
            eval_sets=[Dataset(X, np.arange(60) % 4.0)],
        ),
        ValueError,
        "Eval set 'validation_0'.*3",
    ),
    (
        "columns of an eval set",
        lambda: regressor().fit(X, Y, eval_set=[(X[:, :2], Y)]),
        ValueError,
        "X has 2 features",
    ),
    ("no eval set", lambda: model(early_stopping_rounds=3), ValueError, "needs an eval set"),
    (
        "a metric for another task",
        lambda: regressor(eval_metric="auc").fit(X, Y, eval_set=[(X, Y)]),
        ValueError,
        "auc",
    ),
    # ---- columns at predict ---------------------------------------------------------------------
    (
        "column missing",
        lambda: regressor().fit(FRAME, Y).predict(FRAME[["age", "height"]]),
        ValueError,
        "now missing:\n- weight",
    ),
    (
        "column renamed",
        lambda: regressor().fit(FRAME, Y).predict(FRAME.rename(columns={"age": "years"})),
        ValueError,
        "unseen at fit time:\n- years\n",
    ),
    (
        "columns reordered (estimator)",
        lambda: regressor().fit(FRAME, Y).predict(FRAME[["weight", "age", "height"]]),
        ValueError,
        "same order",
    ),
    (
        "column extra",
        lambda: regressor().fit(FRAME, Y).predict(FRAME.assign(shoe=1.0)),
        ValueError,
        "unseen at fit time:\n- shoe",
    ),
    (
        "column missing (Model)",
        lambda: model().predict(FRAME[["age", "height"]]),
        ValueError,
        "weight",
    ),
    (
        "column renamed (Model)",
        lambda: model().predict(FRAME.rename(columns={"weight": "weigth"})),
        ValueError,
        "weigth|weight",
    ),
    (
        "too many columns",
        lambda: regressor().fit(X, Y).predict(np.ones((2, 4))),
        ValueError,
        "4 feat",
    ),
    (
        "too few columns",
        lambda: regressor().fit(X, Y).predict(np.ones((2, 2))),
        ValueError,
        "2 feat",
    ),
    ("too few columns (Model)", lambda: model().predict(np.ones((2, 2))), ValueError, "2"),
    (
        "one row without its brackets",
        lambda: regressor().fit(X, Y).predict(X[0]),
        ValueError,
        "2D|1D|dim",
    ),
    (
        "words at predict",
        lambda: regressor().fit(X, Y).predict([["a", "b", "c"]]),
        ValueError,
        "Column 0",
    ),
    ("not fitted", lambda: regressor().predict(X), ValueError, "not fitted"),
    # ---- the rest -------------------------------------------------------------------------------
    ("a table as a Dataset", lambda: train({}, X), TypeError, "ceiba.Dataset"),  # type: ignore[arg-type]
    (
        "a callback that is none",
        lambda: regressor().fit(X, Y, callbacks=[3]),
        TypeError,
        "callback",
    ),
    (
        "init_score of another shape",
        lambda: train({}, Dataset(X, Y, init_score=np.zeros((60, 2)))),
        ValueError,
        "init_score",
    ),
    *(
        (f"{name} as lists of different lengths", call, ValueError, "Pass lists of equal length")
        for name, call in {
            "target": lambda: Dataset(X, RAGGED),
            "weight": lambda: Dataset(X, Y, weight=RAGGED),
            "init_score": lambda: Dataset(X, Y, init_score=RAGGED),
            "qid": lambda: Dataset(X, Y, qid=RAGGED),
            "group": lambda: Dataset(X, Y, group=RAGGED),
            "weight of queries": lambda: Dataset(X, Y, weight=RAGGED, group=[30, 30]),
            "rows to take": lambda: Dataset(X, Y).take(RAGGED),
            "rows of a fold": lambda: cv({}, Dataset(X, Y), folds=[(RAGGED, [1])]),
        }.items()
    ),
    (
        "rows held out of one",
        lambda: regressor(early_stopping_rounds=2).fit(X[:1], Y[:1]),
        ValueError,
        "at least 2",
    ),
]


@each_of(ERRORS)
def test_error(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    check_error(call, kind, message)
