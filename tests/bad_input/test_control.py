"""Bad values for what controls a training: callbacks, schedules, folds, models to go on from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from bad_input import LABELS, BadCall, X, Y, check_error, each_of

from ceiba import (
    CeibaClassifier,
    CeibaRegressor,
    Checkpoint,
    Dataset,
    EarlyStopping,
    LogRounds,
    cv,
    refit,
    train,
)

ROWS = Dataset(X, Y)


def fitted(**given: Any) -> CeibaRegressor:
    return CeibaRegressor(n_estimators=5, n_jobs=1, **given).fit(X, Y)


def run(given: dict[str, Any], **how: Any) -> Any:
    return train({"n_estimators": 5, "n_jobs": 1, **given}, ROWS, **how)


ERRORS: list[BadCall] = [
    # ---- early stopping -------------------------------------------------------------------------
    ("no rounds to wait", lambda: EarlyStopping(0), ValueError, "rounds must be"),
    ("half a round", lambda: EarlyStopping(2.5), ValueError, "rounds must be"),  # type: ignore[arg-type]
    ("tolerance below 0", lambda: EarlyStopping(2, -1.0), ValueError, "tolerance must be"),
    ("NaN tolerance", lambda: EarlyStopping(2, np.nan), ValueError, "tolerance must be"),
    (
        "a set that is not there",
        lambda: run({}, eval_sets=[ROWS], callbacks=[EarlyStopping(2, eval_set="other")]),
        ValueError,
        "'other', which does not exist. Available: 'validation_0'",
    ),
    (
        "a metric that is not there",
        lambda: run({}, eval_sets=[ROWS], callbacks=[EarlyStopping(2, metric="auc")]),
        ValueError,
        "'auc', which does not exist. Available: 'rmse'",
    ),
    (
        "no set at all",
        lambda: run({}, callbacks=[EarlyStopping(2)]),
        ValueError,
        "needs an eval set",
    ),
    # ---- schedules and other callbacks ----------------------------------------------------------
    ("a rate of 0", lambda: run({"learning_rate": [0.0] * 5}), ValueError, "learning_rate must"),
    ("too few rates", lambda: run({"learning_rate": [0.1]}), ValueError, "each of the 5 rounds"),
    ("rates in words", lambda: run({"eta": ["fast"] * 5}), ValueError, "eta must be"),
    (
        "a function of no rates",
        lambda: run({"eta": lambda number: "fast"}),
        ValueError,
        r"eta\(0\) must be",
    ),
    ("no rounds between lines", lambda: LogRounds(0), ValueError, "every must be"),
    ("a number for a logger", lambda: LogRounds(logger=3), TypeError, "logger must"),  # type: ignore[arg-type]
    ("no rounds between files", lambda: Checkpoint("a", every=0), ValueError, "every must be"),
    ("no path", lambda: Checkpoint(None), TypeError, "path must be"),  # type: ignore[arg-type]
    (
        "a folder that is not there",
        lambda: run({}, callbacks=[Checkpoint("/no/such/folder/a.ceiba")]),
        OSError,
        "does not exist",
    ),
    # ---- going on -------------------------------------------------------------------------------
    ("a table for a model", lambda: run({}, init_model=X), TypeError, "init_model must be"),
    ("no such model", lambda: run({}, init_model="none.ceiba"), OSError, "no model file"),
    ("no such checkpoint", lambda: run({}, resume_from="none.ceiba"), OSError, "no model file"),
    (
        "an estimator that is not fitted",
        lambda: run({}, init_model=CeibaRegressor()),
        TypeError,
        "init_model must be",
    ),
    (
        "a model of another objective",
        lambda: CeibaClassifier().fit(X, LABELS, init_model=fitted()),
        ValueError,
        "objective",
    ),
    (
        "labels that the model does not know",
        lambda: CeibaClassifier().fit(
            X, np.char.upper(LABELS), init_model=CeibaClassifier(n_estimators=2).fit(X, LABELS)
        ),
        ValueError,
        "'NO'",
    ),
    (
        "a warm start back",
        lambda: fitted(warm_start=True).set_params(n_estimators=2).fit(X, Y),
        ValueError,
        "n_estimators=2 must be larger",
    ),
    ("a lukewarm start", lambda: fitted(warm_start="so so"), ValueError, "warm_start must be"),
    # ---- models ---------------------------------------------------------------------------------
    ("cut too long", lambda: run({}).truncate(6), ValueError, "n_iterations must be"),
    ("cut below 0", lambda: run({}).truncate(-1), ValueError, "n_iterations must be"),
    ("cut in the middle", lambda: run({})[2:4], ValueError, "as in model"),
    ("refit on a table", lambda: refit(run({}), X), TypeError, "ceiba.Dataset"),
    ("refit without a target", lambda: refit(run({}), Dataset(X)), ValueError, "no target"),
    ("refit on less", lambda: refit(run({}), Dataset(X[:, :1], Y)), ValueError, "features"),
    ("decay above 1", lambda: refit(run({}), ROWS, decay_rate=2), ValueError, "decay_rate must"),
    # ---- folds ----------------------------------------------------------------------------------
    ("one fold", lambda: cv({}, ROWS, folds=1), ValueError, "folds must be"),
    ("more folds than rows", lambda: cv({}, ROWS, folds=61), ValueError, "cannot be split"),
    ("folds in words", lambda: cv({}, ROWS, folds="five"), TypeError, "folds must be"),
    ("a table for cv", lambda: cv({}, X), TypeError, "ceiba.Dataset"),  # type: ignore[arg-type]
    ("groups of others", lambda: cv({}, ROWS, groups=[1, 2]), ValueError, "groups must hold"),
    ("rows that are not there", lambda: ROWS.take([60]), ValueError, "between 0 and 59"),
    ("a row twice", lambda: ROWS.take([1, 1]), ValueError, "duplicate"),
]


@each_of(ERRORS)
def test_error(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    check_error(call, kind, message)
