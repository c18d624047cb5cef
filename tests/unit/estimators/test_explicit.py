"""Estimators with constructors of their own: a misspelt parameter is told the nearest one."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from sklearn.base import clone

import ceiba
from ceiba.errors import UnknownParameterError

EXPLICIT = (
    ceiba.CeibaForestRegressor,
    ceiba.CeibaForestClassifier,
    ceiba.CeibaTreeRegressor,
    ceiba.CeibaTreeClassifier,
    ceiba.LinearTreeRegressor,
    ceiba.LinearTreeClassifier,
    ceiba.EnhancedForestRegressor,
    ceiba.EnhancedForestClassifier,
    ceiba.BoostedLinearRegressor,
    ceiba.BoostedLinearClassifier,
)


@pytest.mark.parametrize("kind", EXPLICIT)
def test_a_misspelt_name_is_told_the_nearest(kind: Any) -> None:
    name = "max_depth" if "max_depth" in kind().get_params() else min(kind().get_params())
    message = rf"Unknown parameter '{name}s' of {kind.__name__}. Did you mean '{name}'\?"
    for ask in (lambda: kind(**{name + "s": 3}), lambda: kind().set_params(**{name + "s": 3})):
        with pytest.raises(UnknownParameterError, match=message):
            ask()
    with pytest.raises(UnknownParameterError, match=r"The closest names are \w+, "):
        kind(zzz=1)


@pytest.mark.parametrize("kind", EXPLICIT)
def test_names_that_exist_are_taken(kind: Any) -> None:
    name, value = next(iter(kind().get_params().items()))
    made = kind(**{name: value}).set_params(**{name: value})
    for other in (clone(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert repr(other.get_params()) == repr(made.get_params())


def test_a_class_of_a_user_may_add_names() -> None:
    class Forest(ceiba.CeibaForestRegressor):
        def __init__(self, own: int = 1, **others: Any) -> None:
            super().__init__(**others)
            self.own = own

    assert Forest(own=2, max_depth=3).get_params()["max_depth"] == 3
    with pytest.raises(UnknownParameterError, match="Did you mean 'max_depth'"):
        Forest(max_dept=3)
