"""Trees that cannot be grown as they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from bad_input import LABELS, BadCall, X, Y, check_error, each_of, model

from ceiba import CeibaTreeClassifier, CeibaTreeRegressor

THREE = np.digitize(Y, [-0.5, 0.5])


def tree(**given: Any) -> Any:
    return CeibaTreeRegressor(n_jobs=1, **given).fit(X, Y)


def classes(y: Any = LABELS, **given: Any) -> Any:
    return CeibaTreeClassifier(n_jobs=1, **given).fit(X, y)


ERRORS: list[BadCall] = [
    (
        "a criterion of the other kind",
        lambda: tree(criterion="gini"),
        ValueError,
        "criterion must be 'squared_error' or 'friedman_mse'. Got 'gini'.",
    ),
    (
        "a criterion that is no word",
        lambda: classes(criterion=None),
        ValueError,
        "criterion must be 'gini' or 'entropy' or 'log_loss'. Got None.",
    ),
    (
        "a splitter that does not exist",
        lambda: classes(splitter="good"),
        ValueError,
        "splitter must be 'best' or 'random'. Got 'good'.",
    ),
    (
        "thresholds drawn among exact values",
        lambda: tree(splitter="random", split_method="exact"),
        ValueError,
        "extra_trees=True does not support split_method='exact'",
    ),
    (
        "a negative price of leaves",
        lambda: tree(ccp_alpha=-0.1),
        ValueError,
        "ccp_alpha must be",
    ),
    (
        "half a row",
        lambda: tree(min_samples_leaf=1.5),
        ValueError,
        "min_samples_leaf must be",
    ),
    (
        "directions of several classes",
        lambda: classes(THREE, monotonic_cst=[1, 0, 0]),
        ValueError,
        "monotonic_cst supports a single target or two classes. Got 3 classes. Remove it.",
    ),
    (
        "directions with entropy",
        lambda: classes(criterion="entropy", monotonic_cst=[1, 0, 0]),
        ValueError,
        "split_score='entropy' does not support monotonic_cst",
    ),
    (
        "one class",
        lambda: classes(np.repeat("yes", 60)),
        ValueError,
        "y must hold at least 2 classes",
    ),
    (
        "entropy of numbers",
        lambda: model(split_score="entropy", boosting="forest", n_estimators=1),
        ValueError,
        "split_score='entropy' scores counts of classes, which only objective gini has",
    ),
    (
        "symmetric trees of several outputs at exact values",
        lambda: model(recipe="tree", grow_policy="symmetric", max_depth=3),
        ValueError,
        "split_method='exact' with grow_policy='symmetric'",
    ),
    (
        "text of a tree of nothing",
        lambda: tree().export_text(decimals=-1),
        ValueError,
        "decimals must be an integer, 0 or more. Got -1.",
    ),
]


@each_of(ERRORS)
def test_bad_trees(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    check_error(call, kind, message)
