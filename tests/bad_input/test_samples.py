"""Samples of rows that cannot be drawn as they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from bad_input import LABELS, BadCall, X, Y, check_error, classifier, each_of, model, regressor

from ceiba import CeibaRanker

ERRORS: list[BadCall] = [
    (
        "a sample that does not exist",
        lambda: model(sampling="gos"),
        ValueError,
        "sampling must be one of 'none', 'bernoulli', 'uniform', 'goss', 'mvs', 'bayesian', "
        "'bootstrap', 'catboost'. Got 'gos'.",
    ),
    (
        "a share where all rows are taken",
        lambda: model(sampling="none", subsample=0.5),
        ValueError,
        "sampling='none' does not support subsample=0.5. Remove subsample, or set "
        "sampling='bernoulli', 'uniform', 'mvs' or 'bootstrap'.",
    ),
    (
        "a share with GOSS, as LightGBM writes them",
        lambda: model(boosting="goss", bagging_fraction=0.5),
        ValueError,
        "boosting='goss' does not support bagging_fraction=0.5. Remove bagging_fraction",
    ),
    (
        "rates above 1",
        lambda: model(sampling="goss", top_rate=0.6, other_rate=0.5),
        ValueError,
        "top_rate and other_rate are fractions of all rows. Got top_rate=0.6, other_rate=0.5. Set "
        "two numbers whose sum is at most 1.",
    ),
    (
        "no others",
        lambda: model(sampling="goss", other_rate=0.0),
        ValueError,
        "other_rate must be a number above 0 and at most 1. Got 0.0.",
    ),
    (
        "an option of another sample",
        lambda: model(sampling="mvs", bagging_temperature=2.0),
        ValueError,
        "bagging_temperature=2.0 has no effect with sampling='mvs'. It applies only with "
        "sampling='bayesian' or 'catboost'. Change that, or remove",
    ),
    (
        "never a sample",
        lambda: model(sampling="bootstrap", subsample_freq=0),
        ValueError,
        "subsample_freq=0 means that all rows are taken. Got sampling='bootstrap'. Give "
        "subsample_freq=1 to draw a sample for each round.",
    ),
    (
        "classes of a number",
        lambda: regressor(neg_bagging_fraction=0.5).fit(X, Y),
        ValueError,
        "need an objective with two classes. Got objective squared_error. Give subsample.",
    ),
    (
        "three classes",
        lambda: classifier(pos_subsample=0.5).fit(X, np.arange(60) % 3),
        ValueError,
        "need an objective with two classes. Got objective softmax. Give subsample.",
    ),
    (
        "queries of a table that has none",
        lambda: classifier(bagging_by_query=True, subsample=0.5).fit(X, LABELS),
        ValueError,
        "needs the query of each row. Give qid or group to the Dataset",
    ),
    (
        "gradients of queries",
        lambda: CeibaRanker(sampling="goss", sampling_unit="query").fit(
            X, np.arange(60) % 3, qid=np.arange(60) // 6
        ),
        ValueError,
        "sampling_unit='query' draws whole queries. Got it with sampling='goss', which looks at "
        "single rows. Leave one of them out.",
    ),
]


@each_of(ERRORS)
def test_error(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    check_error(call, kind, message)
