"""Constraints made of others: the values that they offer pass or fail as they say."""

from __future__ import annotations

import numpy as np
import pytest

from ceiba.errors import InvalidParameterError
from ceiba.parameters.combined_constraints import Either, Schedule, Several, Weights
from ceiba.parameters.constraints import Constraint, Integer, OneOf, Real, Text, check_value, passes

CONSTRAINTS: list[Constraint] = [
    Several(Text()),
    Several(Real(0.0)),
    Either((Integer(1), OneOf(("auto",)))),
    Schedule(Real(0.0)),
    Weights(),
]


@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=lambda c: c.text)
def test_valid_values_pass_and_invalid_ones_do_not(constraint: Constraint) -> None:
    assert constraint.valid()
    assert constraint.invalid()
    assert all(passes(constraint, value) for value in constraint.valid())
    for value in constraint.invalid():
        with pytest.raises(InvalidParameterError, match=r"^width must be .*\. Got .*\. Do this\.$"):
            check_value("width", constraint, value, "Do this.")


def test_values_become_plain_python() -> None:
    assert Several(Real(0.0)).check(np.array([1.0, 2.0])) == [1.0, 2.0]
    assert type(Either((Integer(1), Real(0.0))).check(np.float32(0.5))) is float
    assert Schedule(Real(0.0)).check(np.array([1, 2])) == [1.0, 2.0]
    assert Weights().check({"a": np.float32(0.5)}) == {"a": 0.5}


def test_an_array_without_dimensions_is_one_value() -> None:
    assert Several(Real(0.0)).check(np.array(0.5)) == 0.5
    assert not passes(Several(Real(0.0)), np.array("fast"))


@pytest.mark.parametrize(
    ("constraint", "value"),
    [
        (Either((Real(0.0, 1.0), Integer(2), OneOf(("auto",)))), 10**10),
        (Several(Integer(1)), [3, 10**10]),
    ],
)
def test_the_limit_of_a_part_is_named(constraint: Constraint, value: object) -> None:
    with pytest.raises(InvalidParameterError, match=r"Got .*\. The largest is 2147483647\.$"):
        check_value("width", constraint, value)
