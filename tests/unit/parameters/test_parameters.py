"""The one declaration: names, aliases, ranges, recipes."""

from __future__ import annotations

import pytest

from ceiba.parameters import (
    DECLARED,
    FOLLOWS,
    IMPOSSIBLE,
    RECIPE_NAMES,
    Parameter,
    Unless,
)
from ceiba.parameters.constraints import passes


def test_names_and_aliases_are_all_different() -> None:
    names = [parameter.name for parameter in DECLARED]
    aliases = [alias for parameter in DECLARED for alias in parameter.aliases]
    assert len({*names, *aliases}) == len(names) + len(aliases)
    assert "alpha" not in {*names, *aliases}


@pytest.mark.parametrize("parameter", DECLARED, ids=lambda p: p.name)
def test_a_declaration_is_whole(parameter: Parameter) -> None:
    assert parameter.text.endswith(".")
    assert set(parameter.recipes) <= set(RECIPE_NAMES)
    for recipe in RECIPE_NAMES:
        default = parameter.default_of(recipe)
        values = default.cases()[1:] if type(default) in FOLLOWS else [default]
        if isinstance(default, Unless):
            values = [default.value, default.other]
        for value in values:
            assert value is None or passes(parameter.constraint, value)


def test_few_combinations_are_impossible() -> None:
    assert len(IMPOSSIBLE) < 10
