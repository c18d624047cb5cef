"""The plan of a reference tree."""

from __future__ import annotations

import dataclasses

import pytest

from ceiba import _core
from ceiba.testing.trees import CategoryRule, Plan


def test_a_plan_has_the_names_and_defaults_of_the_engine() -> None:
    engine = Plan().for_engine()
    rules = (_core.ColumnConstraints.__init__.__doc__ or "") + (
        _core.CategoryRule.__init__.__doc__ or ""
    )
    for field in dataclasses.fields(Plan):
        if field.name in ("grow_policy", "approx_scope", "category", "score"):  # no numbers
            continue
        if hasattr(engine, field.name):
            assert getattr(_core.GrowPlan(), field.name) == field.default
        else:  # a rule of columns
            assert f"{field.name}: " in rules
    for field in dataclasses.fields(CategoryRule):
        assert f"{field.name}: {field.type} = {field.default!r}" in rules
    with pytest.raises(TypeError, match="no field called no_such_field"):
        _core.GrowPlan(no_such_field=1)


def test_bounds_of_the_root() -> None:
    assert Plan(max_delta_step=0.5).first_bounds == (-0.5, 0.5)
    assert Plan(max_delta_step=0.5).bounded
    assert not Plan().bounded
    assert Plan(monotone=(1,)).bounded
