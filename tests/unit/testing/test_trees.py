"""The plan of a reference tree."""

from __future__ import annotations

import dataclasses

from ceiba import _core
from ceiba.testing.trees import Plan


def test_a_plan_has_the_names_and_defaults_of_the_engine() -> None:
    signature = _core.GrowPlan.__init__.__doc__ or ""
    rules = _core.ColumnRules.__init__.__doc__ or ""
    for field in dataclasses.fields(Plan):
        default = f"{field.name}: {type(field.default).__name__} = {field.default!r}"
        if isinstance(field.default, tuple):  # a rule of columns
            assert f"{field.name}: " in rules
        else:
            assert default in (rules if field.name == "listed_only" else signature)


def test_bounds_of_the_root() -> None:
    assert Plan(max_delta_step=0.5).first_bounds == (-0.5, 0.5)
    assert Plan(max_delta_step=0.5).bounded
    assert not Plan().bounded
    assert Plan(monotone=(1,)).bounded
