"""Constraints: the values that they offer to tests pass or fail as they say."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ceiba.errors import InvalidParameterError
from ceiba.parameters.constraints import (
    Boolean,
    Constraint,
    Function,
    Integer,
    MissingMark,
    OneOf,
    Real,
    Seed,
    Text,
    check_value,
    passes,
)

CONSTRAINTS: list[Constraint] = [
    Integer(0),
    Integer(2, 65535),
    Real(0.0),
    Real(0.0, includes_low=False),
    Real(0.0, 1.0, includes_low=False),
    Real(0.0, 1.0, includes_low=False, includes_high=False),
    Real(0.0, 1.0, includes_high=False),
    Real(float("-inf")),
    OneOf(("a", "b"), {"c": "a"}),
    Boolean(),
    Text(),
    Seed(),
    Function(),
    MissingMark(),
]


@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=lambda c: c.text)
def test_valid_values_pass_and_invalid_ones_do_not(constraint: Constraint) -> None:
    assert constraint.valid()
    assert constraint.invalid()
    for value in constraint.valid():
        assert passes(constraint, value), value
    for value in constraint.invalid():
        assert not passes(constraint, value), value


@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=lambda c: c.text)
def test_the_message_says_what_was_given(constraint: Constraint) -> None:
    for value in constraint.invalid():
        with pytest.raises(InvalidParameterError, match=r"^width must be .*\. Got .*\. Do this\.$"):
            check_value("width", constraint, value, "Do this.")


def test_the_message_names_the_limit_that_is_broken() -> None:
    for constraint, value, message in [
        (
            Integer(0),
            10**10,
            "width must be an integer, 0 or more. Got 10000000000. The largest "
            "is 2147483647. Do this.",
        ),
        (Integer(0), -1, "width must be an integer, 0 or more. Got -1. Do this."),
        (Integer(2, 9), 10, "width must be an integer between 2 and 9. Got 10. Do this."),
        (Real(0.0), math.inf, "width must be a finite number, 0 or more. Got inf. Do this."),
        (
            Real(0.0, includes_low=False),
            math.inf,
            "width must be a finite number, above 0. Got inf. Do this.",
        ),
    ]:
        with pytest.raises(InvalidParameterError) as caught:
            check_value("width", constraint, value, "Do this.")
        assert str(caught.value) == message


def test_values_become_plain_python() -> None:
    assert type(Integer(0).check(np.int16(3))) is int
    assert type(Real(0.0).check(np.float32(0.5))) is float
    assert Boolean().check(np.True_) is True
    assert OneOf(("leafwise",), {"lossguide": "leafwise"}).check("lossguide") == "leafwise"


def test_a_long_value_is_cut_in_the_message() -> None:
    with pytest.raises(InvalidParameterError) as caught:
        check_value("objective", Text(), list(range(1000)))
    assert len(str(caught.value)) < 200
