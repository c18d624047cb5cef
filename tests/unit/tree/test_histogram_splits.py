"""Splits at the edges of bins are those of the reference, node by node and for whole levels."""

from __future__ import annotations

from dataclasses import replace

import pytest
from agreement import check_trees
from hypothesis import given, settings

from ceiba.testing.strategies import Case, cases


@pytest.mark.parametrize("policy", ["leafwise", "depthwise", "symmetric"])
@settings(max_examples=50)
@given(case=cases(ruled=True, max_features=8))
def test_splits_are_those_of_the_reference(policy: str, case: Case) -> None:
    depth = case.plan.max_depth or 4
    case = replace(case, plan=replace(case.plan, grow_policy=policy, max_depth=depth))
    mapper = case.bin_mapper()
    check_trees(case.grow(mapper).arrays(), case.grow_reference(mapper))
