"""Forests that cannot be grown as they are asked for, and rows that they cannot take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from bad_input import FRAME, LABELS, ONES, BadCall, X, Y, check_error, each_of

from ceiba import CeibaForestClassifier, CeibaForestRegressor

THREE = np.digitize(Y, [-0.5, 0.5])


def forest(x: Any = X, y: Any = Y, sample_weight: Any = None, **given: Any) -> Any:
    made = CeibaForestRegressor(**{"n_estimators": 3, "n_jobs": 1, **given})
    return made.fit(x, y, sample_weight)


def classes(x: Any = X, y: Any = LABELS, sample_weight: Any = None, **given: Any) -> Any:
    made = CeibaForestClassifier(**{"n_estimators": 3, "n_jobs": 1, **given})
    return made.fit(x, y, sample_weight)


def with_value(values: np.ndarray, value: float) -> np.ndarray:
    changed = values.copy()
    changed.flat[1] = value
    return changed


ERRORS: list[BadCall] = [
    # ---- parameters -----------------------------------------------------------------------------
    (
        "a criterion of the other kind",
        lambda: forest(criterion="entropy"),
        ValueError,
        "criterion must be .*'squared_error'.* Got 'entropy'.",
    ),
    (
        "a criterion that is no word",
        lambda: classes(criterion=1),
        ValueError,
        "criterion must be 'gini' or 'entropy' or 'log_loss'. Got 1.",
    ),
    (
        "a bootstrap that is neither",
        lambda: forest(bootstrap="yes"),
        ValueError,
        "bootstrap must be True or False. Got 'yes'.",
    ),
    ("no trees", lambda: forest(n_estimators=0), ValueError, "n_estimators must be .*Got 0"),
    ("half a tree", lambda: forest(n_estimators=2.5), ValueError, "n_estimators must be"),
    ("half a level", lambda: forest(max_depth=1.5), ValueError, "max_depth must be"),
    ("one leaf", lambda: forest(max_leaf_nodes=-3), ValueError, "max_leaf_nodes must be"),
    ("half a row", lambda: forest(min_samples_leaf=1.5), ValueError, "min_samples_leaf must be"),
    (
        "a split of no rows",
        lambda: classes(min_samples_split=0),
        ValueError,
        "min_samples_split must be",
    ),
    (
        "a share of weight above one half",
        lambda: classes(min_weight_fraction_leaf=0.7),
        ValueError,
        "min_weight_fraction_leaf must be",
    ),
    ("no columns", lambda: forest(max_features=0.0), ValueError, "max_features must be"),
    (
        "a word for columns",
        lambda: forest(max_features="half"),
        ValueError,
        "max_features must be",
    ),
    (
        "a negative decrease",
        lambda: forest(min_impurity_decrease=-1.0),
        ValueError,
        "min_impurity_decrease must be",
    ),
    ("a negative price of leaves", lambda: forest(ccp_alpha=-0.1), ValueError, "ccp_alpha must be"),
    (
        "samples of no rows",
        lambda: forest(max_samples=0),
        ValueError,
        "max_samples must be None .* from 1 to 60. Got 0.",
    ),
    (
        "more rows than there are",
        lambda: forest(max_samples=61),
        ValueError,
        "max_samples must be .*Got 61.",
    ),
    ("a share above one", lambda: forest(max_samples=1.5), ValueError, "max_samples must be"),
    ("a share that is NaN", lambda: forest(max_samples=np.nan), ValueError, "max_samples must be"),
    (
        "out-of-bag scores without bags",
        lambda: forest(bootstrap=False, max_features=0.5, oob_score=True),
        ValueError,
        "oob_score needs trees that are not trained on all rows.",
    ),
    (
        "trees that are all the same",
        lambda: forest(bootstrap=False),
        ValueError,
        "all of them are identical",
    ),
    ("a seed below 0", lambda: forest(random_state=-1), ValueError, "random_state.*Got -1"),
    ("no threads", lambda: forest(n_jobs=0), ValueError, "n_jobs.*Got 0"),
    ("two bins", lambda: forest(max_bins=2), ValueError, "max_bins must be"),
    (
        "directions of several classes",
        lambda: classes(y=THREE, monotonic_cst=[1, 0, 0]),
        ValueError,
        "monotonic_cst supports .* Got 3 classes. Remove it.",
    ),
    (
        "directions of several targets",
        lambda: forest(y=X[:, :2], monotonic_cst=[1, 0, 0]),
        ValueError,
        "monotonic_cst supports .* Got 2 targets. Remove it.",
    ),
    (
        "directions with entropy",
        lambda: classes(criterion="entropy", monotonic_cst=[1, 0, 0]),
        ValueError,
        "split_score='entropy' does not support monotonic_cst",
    ),
    (
        "a class weight of no class",
        lambda: classes(class_weight={"maybe": 2}),
        ValueError,
        "'maybe'",
    ),
    ("a word for class weights", lambda: classes(class_weight="fair"), ValueError, "class_weight"),
    # ---- rows -----------------------------------------------------------------------------------
    ("no rows", lambda: forest(X[:0], Y[:0]), ValueError, r"0 sample\(s\)"),
    ("no columns in the table", lambda: forest(X[:, :0]), ValueError, r"0 feature\(s\)"),
    ("one dimension", lambda: forest(Y), ValueError, "2D|1D|dimension"),
    ("more rows than targets", lambda: forest(X, Y[:-1]), ValueError, "60 rows .* 59"),
    ("complex values", lambda: forest(X * 1j), ValueError, "Complex data not supp"),
    ("no target", lambda: forest(y=None), ValueError, "y is None"),
    ("NaN target", lambda: forest(y=with_value(Y, np.nan)), ValueError, "row 1"),
    ("infinite target", lambda: forest(y=with_value(Y, np.inf)), ValueError, "infinity"),
    ("words as numbers", lambda: forest(y=LABELS), ValueError, "Classifier"),
    ("numbers as labels", lambda: classes(y=Y), ValueError, "Unknown label type"),
    ("one class", lambda: classes(y=np.repeat("yes", 60)), ValueError, "at least 2 classes"),
    (
        "several columns of labels",
        lambda: classes(y=np.column_stack([THREE > 0, THREE > 1]).astype(int)),
        ValueError,
        "predicts one column of classes.* Give them one at a time.",
    ),
    (
        "negative weight",
        lambda: forest(sample_weight=with_value(ONES, -1)),
        ValueError,
        "Got -1 in row 1",
    ),
    (
        "NaN weight",
        lambda: classes(sample_weight=with_value(ONES, np.nan)),
        ValueError,
        "sample_weight must be finite. Got NaN .*row 1",
    ),
    ("all weights zero", lambda: forest(sample_weight=0 * ONES), ValueError, "zero"),
    ("too few weights", lambda: forest(sample_weight=ONES[1:]), ValueError, "59"),
    # ---- what a forest is asked -----------------------------------------------------------------
    ("fewer columns", lambda: forest().predict(X[:, :2]), ValueError, "X has 2 features"),
    (
        "column renamed",
        lambda: forest(FRAME).predict(FRAME.rename(columns={"age": "years"})),
        ValueError,
        "unseen at fit time:\n- years\n",
    ),
    (
        "a level that was not there",
        lambda: forest(
            FRAME.assign(age=pd.Categorical(["a", "b"] * 30)), unseen_category="error"
        ).predict(FRAME.assign(age=pd.Categorical(["a", "c"] * 30))),
        ValueError,
        "'c'",
    ),
    (
        "iterations that are not there",
        lambda: forest().model_.predict(X, iteration_range=(0, 4)),
        ValueError,
        "iteration_range must be",
    ),
    (
        "importances without bags",
        lambda: forest(bootstrap=False, max_features=0.5).oob_importances(X, Y),
        ValueError,
        "oob_importances needs a forest fitted by this estimator on samples of the rows",
    ),
    (
        "importances of other rows",
        lambda: forest().oob_importances(X[:9], Y[:9]),
        ValueError,
        "X must be the table of fit with 60 rows. Got 9 rows.",
    ),
    (
        "fewer trees than there are",
        lambda: forest(warm_start=True).set_params(n_estimators=2).fit(X, Y),
        ValueError,
        "n_estimators",
    ),
]


@each_of(ERRORS)
def test_bad_forests(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    check_error(call, kind, message)
