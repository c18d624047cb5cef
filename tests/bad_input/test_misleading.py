"""Errors that used to come from elsewhere, or to name the wrong thing."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from bad_input import LABELS, BadCall, X, Y, check_error, classifier, each_of, regressor
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import check_scoring

from ceiba import CeibaRanker, explain, plot
from ceiba.hybrids import LinearTreeRegressor

QUERIES = np.repeat(np.arange(6), 10)
RELEVANCE = np.arange(60) % 3
UNKNOWN = pd.DataFrame({"c": pd.Categorical([None] * 60), "x": Y})


def scored(metric: Any) -> Any:
    return regressor(eval_metric=metric).fit(X, Y, eval_set=[(X, Y)])


def called(answer: Any) -> Any:
    return regressor().fit(X, Y, callbacks=[lambda round: answer])


ERRORS: list[BadCall] = [
    (
        "several columns of text",
        lambda: classifier().fit(X, np.array([["a", "b"]] * 60)),
        ValueError,
        "CeibaClassifier reads y with several columns as labels of 0 and 1, .* such as 'a'",
    ),
    (
        "lists of text",
        lambda: classifier().fit(X, [["a", "b"]] * 60),
        ValueError,
        "MultiLabelBinarizer",
    ),
    (
        "an eval set without queries",
        lambda: CeibaRanker(n_estimators=2).fit(
            X, RELEVANCE, qid=QUERIES, eval_set=[(X, RELEVANCE)]
        ),
        ValueError,
        "Eval set 'validation_0' has no queries. Give eval_qid",
    ),
    (
        "a scorer that calls an estimator",
        lambda: scored(check_scoring(regressor())),
        ValueError,
        "must compare targets with predictions. Got scikit-learn's _PassthroughScorer",
    ),
    (
        "several scorers as one",
        lambda: scored(check_scoring(regressor(), scoring=["r2", "neg_mean_absolute_error"])),
        ValueError,
        "_MultimetricScorer.* or a list of names",
    ),
    ("a huge metric", lambda: scored(lambda y, p: 10**400), ValueError, "in the range of float64"),
    (
        "a huge metric in a tuple",
        lambda: scored(lambda y, p: ("own", 10**400, True)),
        ValueError,
        "in the range of float64",
    ),
    (
        "a callback that returns a table",
        lambda: called(pd.DataFrame({"a": [1]})),
        TypeError,
        "must return True to stop",
    ),
    (
        "brackets without end",
        lambda: regressor(interaction_constraints="[" * 100_000).fit(X, Y),
        ValueError,
        "interaction_constraints must be a list of lists of columns",
    ),
    (
        "rounds of a model without rounds",
        lambda: plot.training(LinearTreeRegressor(max_depth=1).fit(X, Y)),
        TypeError,
        "LinearTreeRegressor, which has no boosting rounds",
    ),
    (
        "a category without levels",
        lambda: explain.partial_dependence(regressor().fit(UNKNOWN, Y), UNKNOWN, ["c"]),
        ValueError,
        "Column 'c' has no categories",
    ),
    (
        "an explanation of no model",
        lambda: explain.partial_dependence("model", X),
        TypeError,
        "model must be a ceiba.Model or a fitted boosting estimator. Got 'model'",
    ),
    (
        "a signaling NaN as target",
        lambda: regressor().fit(X, [Decimal("sNaN")] * 60),
        ValueError,
        "y must not hold missing values. Got one in row 0",
    ),
]


@each_of(ERRORS)
def test_error(call: Callable[[], Any], kind: type[Exception], message: str) -> None:
    check_error(call, kind, message)


def test_explanations_take_fitted_estimators() -> None:
    fitted = regressor().fit(X, Y)
    of_estimator = explain.partial_dependence(fitted, X, 0)
    of_model = explain.partial_dependence(fitted.model_, X, 0)
    np.testing.assert_array_equal(of_estimator.average, of_model.average)


KINDS = ["f4", "f8", "i2", "i4", "i8", "u4", "?", "f2"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(KINDS), min_size=1, max_size=4), st.booleans())
def test_byte_order_does_not_matter(kinds: list[str], in_one_block: bool) -> None:
    kinds = kinds[:1] * len(kinds) if in_one_block else kinds
    numbers = np.arange(60) * 7 % 50
    native = pd.DataFrame({f"c{j}": numbers.astype(kind) for j, kind in enumerate(kinds)})
    swapped = pd.DataFrame(
        {
            name: column.to_numpy().astype(column.dtype.newbyteorder(">"))
            for name, column in native.items()
        }
    )
    one = regressor().fit(native, Y)
    other = regressor().fit(swapped, Y)
    assert one.model_.fingerprint() == other.model_.fingerprint()
    np.testing.assert_array_equal(one.predict(swapped), other.predict(native))


@pytest.mark.parametrize("as_frame", [False, True])
def test_a_signaling_nan_is_missing(as_frame: bool) -> None:
    column = [Decimal("sNaN") if i % 7 == 0 else Decimal(i) for i in range(60)]
    plain = [np.nan if i % 7 == 0 else float(i) for i in range(60)]
    if as_frame:
        odd, even = pd.DataFrame({"a": column}), pd.DataFrame({"a": plain})
    else:
        odd, even = np.array(column, dtype=object)[:, None], np.array(plain)[:, None]
    one, other = regressor().fit(odd, Y), regressor().fit(even, Y)
    assert one.model_.fingerprint() == other.model_.fingerprint()


@pytest.mark.parametrize("kind", ["M8", "m8"])
@pytest.mark.parametrize(
    "unit", ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"]
)
def test_every_unit_of_dates_is_read(kind: str, unit: str) -> None:
    dates = np.arange(60).astype(f"{kind}[{unit}]")
    dates[3] = "NaT"
    model = regressor().fit(dates[:, None], Y).model_
    assert model.schema.kinds == ("date" if kind == "M8" else "duration",)


def test_labels_are_no_numbers() -> None:
    assert classifier().fit(X, LABELS).score(X, LABELS) > 0.5
