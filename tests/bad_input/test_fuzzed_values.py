"""Wrong values of every parameter and argument raise our own errors, which name what is wrong."""

from __future__ import annotations

import datetime as dt
import decimal
import fractions
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ceiba import (
    CeibaClassifier,
    CeibaError,
    CeibaRanker,
    CeibaRegressor,
    Dataset,
    cv,
    train,
)
from ceiba.messages import shown
from ceiba.parameters import DECLARED, Parameter

N = 24
X = np.random.default_rng(0).normal(size=(N, 3))
Y = X[:, 0] + X[:, 1]
LABELS = (Y > 0).astype(int)
QUERIES = np.repeat(np.arange(6), 4)
FEW: dict[str, Any] = {"n_estimators": 2, "n_jobs": 1}
#: No message is longer, however long the value is.
LONGEST = 1500


class NoText:
    """An object whose representation fails."""

    def __repr__(self) -> str:
        raise RuntimeError


class NoComparison:
    """An object that cannot be compared."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    __hash__ = object.__hash__


ODD: tuple[Callable[[], Any], ...] = (
    *(lambda value=value: value for value in (np.ma.masked, pd.NA, pd.NaT, ..., NotImplemented)),
    *(lambda value=value: value for value in (10**400, 10**5000, 2**70, 1e308, -1e308, 1j)),
    *(lambda value=value: value for value in (b"x", "", "\x00", "a" * 100_000, "[1," * 1000)),
    *(lambda value=value: value for value in (float, object, range(3), slice(1), (), frozenset())),
    lambda: bytearray(b"1"),
    lambda: memoryview(b"ab"),
    lambda: np.ma.array([1, 2, 3], mask=[1, 0, 0]),
    lambda: np.array(1),
    lambda: np.array([]),
    lambda: np.array([[1]]),
    lambda: np.array([None], dtype=object),
    lambda: np.array(["2020-01-01"], dtype="M8[D]"),
    lambda: np.timedelta64("NaT"),
    lambda: np.timedelta64(3),
    lambda: np.datetime64("2020-01-01"),
    lambda: np.float64("nan"),
    lambda: np.uint64(2**63),
    lambda: np.str_("x"),
    lambda: decimal.Decimal("sNaN"),
    lambda: decimal.Decimal("1.5"),
    lambda: fractions.Fraction(1, 3),
    lambda: dt.date(2020, 1, 1),
    lambda: iter([1]),
    lambda: pd.Series([1, 2, 3]),
    lambda: pd.DataFrame({"a": [1]}),
    NoText,
    NoComparison,
    object,
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4)
NESTED = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3) | st.integers(0, 3), inner, max_size=2)
    ),
    max_leaves=5,
)
VALUES = st.sampled_from(ODD).map(lambda make: make()) | NESTED


def check(call: Callable[[], Any], *names: str) -> None:
    """Run a call that may fail only with an error of ours that names one of the arguments."""
    try:
        call()
    except CeibaError as error:
        text = str(error)
        assert not names or any(name in text for name in names), text
        assert len(text) < LONGEST


def is_slow(name: str, value: Any) -> bool:
    """Return whether a valid value asks for much work."""
    is_long = isinstance(value, int) and value > 50
    return is_long and name in {
        "n_estimators",
        "num_parallel_tree",
        "target_permutations",
        "n_jobs",
    }


QUICK = settings(
    max_examples=200, deadline=None, suppress_health_check=list(HealthCheck), database=None
)


@pytest.mark.filterwarnings("ignore")
@QUICK
@given(st.sampled_from(DECLARED), VALUES)
def test_parameters_of_estimators(parameter: Parameter, value: Any) -> None:
    """Train where the value is valid; its own message names the parameter otherwise."""
    if is_slow(parameter.name, value) or parameter.name == "verbose":
        return
    given = {**FEW, parameter.name: value}
    names = (parameter.name, "base_score", "gradient", "Divide")
    check(lambda: CeibaRegressor(**given).fit(X, Y), *names)


@pytest.mark.filterwarnings("ignore")
@settings(QUICK, max_examples=80)
@given(st.sampled_from(DECLARED), VALUES, st.integers(0, 3))
def test_parameters_of_other_entry_points(parameter: Parameter, value: Any, entry: int) -> None:
    if is_slow(parameter.name, value) or parameter.name == "verbose":
        return
    given = {**FEW, parameter.name: value}
    calls: list[Callable[[], Any]] = [
        lambda: train(given, Dataset(X, Y)),
        lambda: cv(given, Dataset(X, Y), folds=2),
        lambda: CeibaClassifier(**given).fit(X, LABELS),
        lambda: CeibaRanker(**given).fit(X, LABELS, qid=QUERIES),
    ]
    check(calls[entry])


ARGUMENTS: dict[str, tuple[Callable[..., Any], str]] = {
    "Dataset": (
        lambda **given: Dataset(X, **({"target": Y} | given)),
        "target weight init_score qid group feature_names missing zero_as_missing "
        "categorical_features",
    ),
    "fit": (
        lambda **given: CeibaRegressor(**FEW).fit(X, Y, **given),
        "sample_weight init_score eval_set callbacks init_model resume_from",
    ),
    "fit of a ranker": (
        lambda **given: CeibaRanker(**FEW).fit(
            X, LABELS, **({"qid": QUERIES, "eval_set": [(X, LABELS)]} | given)
        ),
        "qid group eval_set eval_qid eval_group",
    ),
    "train": (
        lambda **given: train(**({"params": FEW, "dataset": Dataset(X, Y)} | given)),
        "params dataset eval_sets callbacks init_model resume_from",
    ),
    "cv": (
        lambda **given: cv(**({"params": FEW, "dataset": Dataset(X, Y)} | given)),
        "params dataset folds groups stratified shuffle callbacks return_models",
    ),
}
CASES = [(call, name) for call, names in ARGUMENTS.values() for name in names.split()]


@pytest.mark.filterwarnings("ignore")
@QUICK
@given(st.sampled_from(CASES), VALUES)
def test_arguments(case: tuple[Callable[..., Any], str], value: Any) -> None:
    call, name = case
    if isinstance(value, int) and (value > 2**1000 or (name == "folds" and value > N)):
        return
    if name in {"init_model", "resume_from"} and isinstance(value, str) and len(value) > 1000:
        return  # the operating system's message repeats the path
    check(lambda: call(**{name: value}))


@pytest.mark.parametrize("make", ODD)
def test_every_value_has_a_text(make: Callable[[], Any]) -> None:
    assert len(shown(make())) <= 60


def test_masked_query_numbers() -> None:
    with pytest.raises(CeibaError, match=r"^eval_qid .*Got masked"):
        ARGUMENTS["fit of a ranker"][0](eval_qid=np.ma.masked, eval_set=[(X, LABELS)] * 2)
