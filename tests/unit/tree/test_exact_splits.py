"""Splits at every distinct value are those of the reference, node by node and for whole levels."""

from __future__ import annotations

from dataclasses import replace

import pytest
from agreement import check_exact
from hypothesis import given, settings

from ceiba.testing.strategies import Case, cases


@pytest.mark.parametrize("policy", ["leafwise", "symmetric"])
@settings(max_examples=50)
@given(case=cases(ruled=True, max_features=6))
def test_splits_are_those_of_the_reference(policy: str, case: Case) -> None:
    depth = case.plan.max_depth or 4
    check_exact(replace(case, plan=replace(case.plan, grow_policy=policy, max_depth=depth)))
