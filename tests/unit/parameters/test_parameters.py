"""The one declaration: names, aliases, ranges, recipes."""

from __future__ import annotations

import pytest

from ceiba import CeibaClassifier, CeibaRanker, CeibaRegressor
from ceiba.parameters import (
    DECLARED,
    FOLLOWS,
    RECIPE_NAMES,
    ByGrowth,
    BySampling,
    Parameter,
    Unless,
    default_text,
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


class TestDefaultText:
    def test_plain(self) -> None:
        assert default_text(0.1) == "0.1"
        assert default_text("auto") == "'auto'"
        assert default_text(None, lambda value: "see text") == "see text"

    def test_following_another_parameter(self) -> None:
        assert default_text(ByGrowth(31, 0)) == "31 if grow_policy is 'leafwise', else 0"
        assert default_text(ByGrowth(7, 7)) == "7"
        expected = "0.8 if sampling is 'mvs' or 'catboost', else 1.0"
        assert default_text(BySampling(0.8, 1.0)) == expected

    def test_unless_others_are_given(self) -> None:
        expected = "'auto', or 0.03 if reg_lambda or depth is given"
        assert default_text(Unless("auto", ("reg_lambda", "depth"), 0.03)) == expected


@pytest.mark.parametrize("estimator", [CeibaRegressor, CeibaClassifier, CeibaRanker])
def test_docstrings_show_values_and_no_python_objects(estimator: type) -> None:
    text = str(estimator.__doc__)
    for word in ("Unless(", "ByGrowth(", "BySampling(", "('leafwise',)", " object at 0x"):
        assert word not in text
