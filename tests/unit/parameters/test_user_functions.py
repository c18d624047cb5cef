"""Functions of the user: names, checks of arguments, notes on their exceptions."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import ceiba
from ceiba import Dataset, cv, train
from ceiba.errors import InvalidInputError, InvalidParameterError
from ceiba.parameters.user_functions import check_arguments, name_of, noting

X = np.random.default_rng(0).normal(size=(60, 2))
ROWS = Dataset(X, X[:, 0])
PARAMS: dict[str, Any] = {"n_estimators": 2, "n_jobs": 1}


def one(a: Any) -> Any:
    return a


def four(a: Any, b: Any, c: Any, d: Any) -> Any:
    return a


class Odd(ceiba.Callback):
    def after_round(self) -> None:  # type: ignore[override]
        """Lacks the argument of the base class."""


@pytest.mark.parametrize("run", [train, cv])
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"objective": one}, r"^A custom objective must take two arguments, \(y_true, raw_score\)"),
        ({"objective": four}, r"Got four\(a: 'Any', b: 'Any', c: 'Any', d: 'Any'\)"),
        ({"eval_metric": one}, r"^A custom metric must take two arguments, \(y_true, y_pred\)"),
        ({"eval_metric": [four]}, r"^A custom metric must take two.* Got four\("),
        ({"learning_rate": lambda: 0.1}, r"^learning_rate must take one argument, \(round_number"),
        ({"callbacks": [four]}, r"^A callback must take one argument, \(round\)\. Got four\("),
        ({"callbacks": [Odd()]}, r"^Odd\.after_round must take one argument, \(round\)\. Got "),
    ],
)
def test_a_wrong_signature_is_an_error_before_training(
    run: Any, given: dict[str, Any], message: str
) -> None:
    evals = {"eval_sets": [ROWS]} if run is train else {}
    with pytest.raises(InvalidParameterError, match=message):
        run(PARAMS, ROWS, **given, **evals)


def test_functions_that_can_be_called_are_accepted() -> None:
    check_arguments(print, "A callback", ("round",), "")
    check_arguments(lambda *any_number: None, "A callback", ("round",), "")
    check_arguments(partial(four, c=1, d=2), "A metric", ("y_true", "y_pred"), "")
    check_arguments(len, "A callback", ("round",), "")
    check_arguments(max, "A callback", ("round",), "")  # has no signature
    check_arguments(lambda a, *, w: None, "A metric", ("a",), "", keywords=("w",))
    with pytest.raises(InvalidParameterError, match=r"A metric must take one argument, \(a\)"):
        check_arguments(lambda a, *, w: None, "A metric", ("a",), "")


def test_names() -> None:
    assert name_of(one) == "one"
    assert name_of(partial(partial(four, d=1), c=1)) == "four"
    assert name_of(Odd()) == "Odd"


def fails(*_: Any) -> Any:
    raise KeyError("mine")


@pytest.mark.parametrize(
    ("given", "notes"),
    [
        ({"objective": fails}, ["Raised by the custom objective fails."]),
        (
            {"eval_metric": fails, "objective": "squared_error"},
            ["Raised by the custom metric fails.", "Eval set 'mine'."],
        ),
        ({"callbacks": [one, fails]}, ["Raised by callback fails."]),
    ],
)
def test_exceptions_of_a_function_say_which_one_raised(
    given: dict[str, Any], notes: list[str]
) -> None:
    with pytest.raises(KeyError, match="mine") as raised:
        train(PARAMS, ROWS, eval_sets={"mine": ROWS}, **given)
    assert raised.value.__notes__ == notes


def test_interrupts_have_no_note() -> None:
    with pytest.raises(KeyboardInterrupt) as raised, noting("Raised by a callback."):
        raise KeyboardInterrupt
    assert not hasattr(raised.value, "__notes__")


@pytest.mark.parametrize("answer", [None, "a", (1, 2), 10**400])
def test_errors_of_metrics_name_the_eval_set(answer: Any) -> None:
    def odd(y_true: Any, y_pred: Any) -> Any:
        return answer

    with pytest.raises(InvalidInputError, match=r"^Eval set 'mine': The custom metric odd must"):
        train(PARAMS, ROWS, eval_sets={"mine": ROWS}, eval_metric=odd)
